// SPDX-License-Identifier: Apache-2.0

extension ScreenWords {
  static let english = ScreenWords(
    unlock: "Unlock", locked: "locked", checking: "Checking your purchases…",
    unreachable: "The store could not be reached. Check your connection and try again.", limitReached: "All {count} are used up.",
    resets: "More from {date}.", parentalLimit: "A limit set by a parent is reached.",
    requiresParent: "Only a parent can open this.", requiresCompletion: "Complete {name} first.",
    coins: "{balance} of {price} coins.", closed: "Not available yet.", free: "Free", trial: "Free until {date}",
    renews: "Renews on {date}",
    ends: "Ends on {date}", grace: "The last payment failed. You keep access until {date}.",
    retry: "The last payment failed. Check how you pay.", expired: "Ended on {date}", revoked: "Refunded on {date}", gift: "A gift",
    redundant: "{name} still renews, although you no longer need it. You can cancel it.",
    upgrade: "See Plans", subscription: "Subscription", support: "Help and Feedback", restored: "Your purchases are restored.",
    nothingActive: "None of your purchases is active any more.", nothingToRestore: "There are no purchases to restore.",
    restoreFailed: "Your purchases could not be restored. Check your connection and try again.",
    purchaseFailed: "The purchase did not go through. Try again.",
    otherAccount: "This was bought with another account of the app. Sign in to that account.",
    unverified: "The purchase could not be verified, and unlocked nothing.",
    gateFailed: "A grown-up has to answer first.", gateTitle: "For Grown-Ups",
    gateMessage: "Ask a parent to answer before you go on.", gateQuestion: "How much is {first} × {second}?",
    gateWrong: "That is not right. Here is another one.", gateAnswer: "Answer", delete: "Delete", confirm: "Continue", cancel: "Cancel",
    skip: "Skip", completed: "completed", progress: "{done} of {count} completed", unlimited: "Unlimited")

  static let german = ScreenWords(
    unlock: "Freischalten", locked: "gesperrt", checking: "Deine Käufe werden geprüft …",
    unreachable: "Der Store ist nicht erreichbar. Prüfe die Verbindung und versuche es noch einmal.",
    limitReached: "{count}: alles verbraucht.",
    resets: "Ab {date} geht es weiter.", parentalLimit: "Eine Grenze, die ein Elternteil gesetzt hat, ist erreicht.",
    requiresParent: "Das kann nur ein Elternteil öffnen.", requiresCompletion: "Schließe zuerst {name} ab.",
    coins: "{balance} von {price} Münzen.", closed: "Noch nicht verfügbar.", free: "Kostenlos", trial: "Kostenlos bis {date}",
    renews: "Verlängert sich am {date}", ends: "Endet am {date}",
    grace: "Die letzte Zahlung ist fehlgeschlagen. Der Zugang bleibt bis {date}.",
    retry: "Die letzte Zahlung ist fehlgeschlagen. Prüfe die Zahlungsart.", expired: "Abgelaufen am {date}", revoked: "Erstattet am {date}",
    gift: "Ein Geschenk", redundant: "{name} verlängert sich weiterhin, obwohl du es nicht mehr brauchst. Du kannst es kündigen.",
    upgrade: "Abos ansehen", subscription: "Abo", support: "Hilfe und Feedback",
    restored: "Deine Käufe sind wiederhergestellt.",
    nothingActive: "Keiner deiner Käufe ist noch aktiv.", nothingToRestore: "Es gibt keine Käufe, die wiederhergestellt werden können.",
    restoreFailed: "Deine Käufe konnten nicht wiederhergestellt werden. Prüfe die Verbindung und versuche es noch einmal.",
    purchaseFailed: "Der Kauf hat nicht geklappt. Versuche es noch einmal.",
    otherAccount: "Das wurde mit einem anderen Konto der App gekauft. Melde dich mit diesem Konto an.",
    unverified: "Der Kauf konnte nicht bestätigt werden. Nichts wurde freigeschaltet.",
    gateFailed: "Zuerst muss ein Erwachsener antworten.", gateTitle: "Für Erwachsene",
    gateMessage: "Hier muss erst ein Elternteil antworten.", gateQuestion: "Wie viel ist {first} × {second}?",
    gateWrong: "Das ist nicht richtig. Hier ist eine neue Aufgabe.", gateAnswer: "Antwort", delete: "Löschen", confirm: "Weiter",
    cancel: "Abbrechen", skip: "Überspringen", completed: "geschafft", progress: "{done} von {count} geschafft", unlimited: "Unbegrenzt")

  static let japanese = ScreenWords(
    unlock: "ロックを解除", locked: "ロック中", checking: "購入を確認しています…", unreachable: "ストアに接続できません。接続を確認して、もう一度お試しください。",
    limitReached: "{count}をすべて使いました。", resets: "{date}にまた使えます。", parentalLimit: "保護者が決めた上限に達しました。",
    requiresParent: "保護者だけが開けます。", requiresCompletion: "先に{name}を終わらせてください。", coins: "コイン{balance}/{price}", closed: "まだ利用できません。",
    free: "無料", trial: "{date}まで無料", renews: "{date}に更新されます", ends: "{date}に終了します", grace: "前回の支払いに失敗しました。{date}までは利用できます。",
    retry: "前回の支払いに失敗しました。支払い方法を確認してください。", expired: "{date}に終了しました", revoked: "{date}に払い戻されました", gift: "プレゼント",
    redundant: "{name}は必要なくなりましたが、引き続き更新されます。解約できます。",
    upgrade: "プランを見る", subscription: "サブスクリプション", support: "ヘルプとご意見", restored: "購入を復元しました。", nothingActive: "有効な購入はありません。",
    nothingToRestore: "復元できる購入はありません。", restoreFailed: "購入を復元できませんでした。接続を確認して、もう一度お試しください。",
    purchaseFailed: "購入できませんでした。もう一度お試しください。",
    otherAccount: "この商品はアプリの別のアカウントで購入されています。そのアカウントでサインインしてください。", unverified: "購入を確認できなかったため、何も解除されていません。",
    gateFailed: "先に大人の方が答えてください。", gateTitle: "大人の方へ", gateMessage: "先に進むには、保護者の方が答えてください。",
    gateQuestion: "{first} × {second} はいくつですか？", gateWrong: "答えが違います。次の問題です。", gateAnswer: "答え", delete: "削除", confirm: "次へ",
    cancel: "キャンセル", skip: "スキップ", completed: "完了", progress: "{count}中{done}完了", unlimited: "無制限")
}
