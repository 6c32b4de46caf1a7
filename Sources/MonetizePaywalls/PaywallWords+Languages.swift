// SPDX-License-Identifier: Apache-2.0

extension PaywallWords {
  static let english = PaywallWords(
    recurring: "{price} per {period}", cadence: "per {period}", monthly: "{price} per month", saving: "Save {percent}%",
    freeTrial: "{length} free, then {after}", payUpFront: "{length} for {price}, then {after}",
    payAsYouGo: "{price} per {period} for {length}, then {after}", offerEnds: "{offer} (offer ends on {date})",
    oneTime: "One-time purchase",
    pass: "{length} of access. Does not renew.", adds: "Adds {count}", tip: "A tip. It unlocks nothing.",
    renewal: "Renews automatically at {price} per {period} until cancelled.",
    cancellation: "Cancel at any time in Settings > Apple Account > Subscriptions, at least a day before it renews.",
    terms: "Terms of Use", privacy: "Privacy Policy", loading: "Loading prices…",
    failed: "The store could not be reached. Check your connection and try again.", buying: "Waiting for the store…",
    notSold: "This is not available in your country or region at the moment.",
    waiting: "Waiting for approval. The purchase is complete as soon as it is approved.", done: "Thank you! Your purchase is complete.",
    retry: "Try Again", buy: "Buy", subscribe: "Subscribe", startTrial: "Start Free Trial", winBack: "Welcome back",
    restore: "Restore Purchases", manage: "Manage Subscription", dismiss: "Not Now", proceed: "Continue", remaining: "{count} remaining",
    unlimited: "Unlimited {name}",
    meter: "{name}: {used}/{limit}", comma: ", ")

  static let german = PaywallWords(
    recurring: "{price} pro {period}", cadence: "pro {period}", monthly: "{price} pro Monat", saving: "{percent} % sparen",
    freeTrial: "{length} kostenlos, danach {after}", payUpFront: "{length} für {price}, danach {after}",
    payAsYouGo: "{price} pro {period} für {length}, danach {after}", offerEnds: "{offer} (Angebot endet am {date})",
    oneTime: "Einmaliger Kauf",
    pass: "Zugang für {length}. Verlängert sich nicht.", adds: "{count} dazu", tip: "Ein Trinkgeld. Es schaltet nichts frei.",
    renewal: "Verlängert sich automatisch für {price} pro {period} bis zur Kündigung.",
    cancellation: "Jederzeit kündbar unter Einstellungen > Apple Account > Abonnements, spätestens einen Tag vor der Verlängerung.",
    terms: "Nutzungsbedingungen", privacy: "Datenschutz", loading: "Preise werden geladen …",
    failed: "Der Store ist nicht erreichbar. Prüfe die Verbindung und versuche es noch einmal.", buying: "Der Store wird gefragt …",
    notSold: "Das ist in deinem Land oder deiner Region derzeit nicht erhältlich.",
    waiting: "Der Kauf wartet auf Zustimmung. Danach ist er abgeschlossen.", done: "Danke! Der Kauf ist abgeschlossen.",
    retry: "Noch einmal versuchen", buy: "Kaufen", subscribe: "Abonnieren", startTrial: "Kostenlos testen", winBack: "Willkommen zurück",
    restore: "Käufe wiederherstellen", manage: "Abo verwalten", dismiss: "Jetzt nicht", proceed: "Weiter", remaining: "Noch {count}",
    unlimited: "{name} unbegrenzt", meter: "{name}: {used}/{limit}", comma: ", ")

  static let japanese = PaywallWords(
    recurring: "{price}/{period}", cadence: "/{period}", monthly: "{price}/月", saving: "{percent}%お得",
    freeTrial: "{length}無料、その後は{after}", payUpFront: "最初の{length}は{price}、その後は{after}",
    payAsYouGo: "最初の{length}は{price}/{period}、その後は{after}", offerEnds: "{offer}（特典は{date}まで）", oneTime: "買い切り",
    pass: "{length}利用できます。自動更新はありません。",
    adds: "{count}追加", tip: "応援の気持ちです。機能は追加されません。", renewal: "解約するまで{price}/{period}で自動更新されます。",
    cancellation: "更新日の前日までに、設定 > Apple Account > サブスクリプションでいつでも解約できます。", terms: "利用規約", privacy: "プライバシーポリシー",
    loading: "価格を読み込んでいます…", failed: "ストアに接続できません。接続を確認して、もう一度お試しください。", buying: "ストアの応答を待っています…",
    notSold: "現在、お住まいの国や地域では購入できません。", waiting: "承認を待っています。承認されると購入が完了します。", done: "ありがとうございます。購入が完了しました。", retry: "再試行", buy: "購入",
    subscribe: "登録",
    startTrial: "無料で始める", winBack: "おかえりなさい", restore: "購入を復元", manage: "サブスクリプションを管理", dismiss: "今はしない", proceed: "続ける",
    remaining: "残り{count}",
    unlimited: "{name}無制限", meter: "{name}：{used}/{limit}", comma: "、")
}
