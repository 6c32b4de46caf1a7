// SPDX-License-Identifier: Apache-2.0

extension FrameworkText {
  /// The texts in Japanese.
  static let japanese: [Self: String] = [
    .buttonBuy: "購入", .buttonSubscribe: "登録", .buttonStartTrial: "無料で始める", .buttonPlans: "プランを見る", .buttonRestore: "購入を復元",
    .buttonManage: "サブスクリプションを管理", .buttonRedeem: "コードを使う", .buttonDismiss: "今はしない", .buttonContinue: "続ける", .buttonRetry: "再試行",
    .buttonUnlock: "ロックを解除",
    .buttonSkip: "スキップ", .buttonNext: "次へ", .buttonSupport: "ヘルプとご意見",
    .priceRecurring: "{price}/{period}", .priceCadence: "/{period}", .pricePerMonth: "{price}/月", .priceSaving: "{percent}%お得",
    .offerFreeTrial: "{length}無料、その後は{after}", .offerPayUpFront: "最初の{length}は{price}、その後は{after}",
    .offerPayAsYouGo: "最初の{length}は{price}/{period}、その後は{after}", .offerEnds: "{offer}（特典は{date}まで）", .noteOneTime: "買い切り",
    .notePass: "{length}利用できます。自動更新はありません。", .noteCredits: "{count}追加", .noteTip: "応援の気持ちです。機能は追加されません。",
    .noteBegins: "現在のプランの終了後、{date}に開始します。",
    .legalRenewal: "解約するまで{price}/{period}で自動更新されます。", .legalCancellation: "更新日の前日までに、設定 > Apple Account > サブスクリプションでいつでも解約できます。",
    .legalTerms: "利用規約", .legalPrivacy: "プライバシーポリシー",
    .storeLoading: "価格を読み込んでいます…", .storeUnreachable: "ストアに接続できません。接続を確認して、もう一度お試しください。", .storeNotSold: "現在、お住まいの国や地域では購入できません。",
    .storeBuying: "ストアの応答を待っています…", .storeWaiting: "承認を待っています。承認されると購入が完了します。", .storeDone: "ありがとうございます。購入が完了しました。",
    .storePurchaseFailed: "購入できませんでした。もう一度お試しください。", .storeOtherAccount: "この商品はアプリの別のアカウントで購入されています。そのアカウントでサインインしてください。",
    .storeUnverified: "購入を確認できなかったため、何も解除されていません。", .storeRestored: "購入を復元しました。", .storeNothingActive: "有効な購入はありません。",
    .storeNothingToRestore: "復元できる購入はありません。", .storeRestoreFailed: "購入を復元できませんでした。接続を確認して、もう一度お試しください。",
    .subscription: "サブスクリプション", .subscriptionWelcomeBack: "おかえりなさい", .subscriptionFree: "無料", .subscriptionTrial: "{date}まで無料",
    .subscriptionRenews: "{date}に更新されます", .subscriptionEnds: "{date}に終了します", .subscriptionGrace: "前回の支払いに失敗しました。{date}までは利用できます。",
    .subscriptionRetry: "前回の支払いに失敗しました。支払い方法を確認してください。", .subscriptionExpired: "{date}に終了しました", .subscriptionRevoked: "{date}に払い戻されました",
    .subscriptionGift: "プレゼント", .subscriptionRedundant: "{name}は必要なくなりましたが、引き続き更新されます。解約できます。",
    .featureLocked: "ロック中", .featureChecking: "購入を確認しています…", .featureLimitReached: "{count}をすべて使いました。", .featureResets: "{date}にまた使えます。",
    .featureParentalLimit: "保護者が決めた上限に達しました。", .featureRequiresParent: "保護者だけが開けます。", .featureRequiresCompletion: "先に{name}を終わらせてください。",
    .featureCoins: "コイン{balance}/{price}", .featureClosed: "まだ利用できません。",
    .usageMeter: "{name}：{used}/{limit}", .usageRemaining: "残り{count}", .usageUnlimited: "{name}無制限", .itemCompleted: "完了",
    .itemProgress: "{count}中{done}完了",
    .gateTitle: "大人の方へ", .gateMessage: "先に進むには、保護者の方が答えてください。", .gateQuestion: "{first} × {second} はいくつですか？",
    .gateWrong: "答えが違います。次の問題です。", .gateAnswer: "答え", .gateDelete: "削除", .gateCancel: "キャンセル", .gateFailed: "先に大人の方が答えてください。",
    .lengthNone: "0秒", .lengthUnlimited: "無制限", .lengthSpace: "", .lengthEnd: "間", .yearOne: "年間", .yearOther: "年間", .yearEach: "年",
    .monthOne: "か月", .monthOther: "か月", .monthEach: "月", .weekOne: "週間", .weekOther: "週間", .weekEach: "週", .dayOne: "日間", .dayOther: "日間",
    .dayEach: "日", .hourOne: "時間", .hourOther: "時間", .hourEach: "時間", .minuteOne: "分", .minuteOther: "分", .minuteEach: "分",
    .secondOne: "秒", .secondOther: "秒", .secondEach: "秒",
    .comma: "、",
  ]
}
