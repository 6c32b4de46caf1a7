// SPDX-License-Identifier: Apache-2.0

/// The printed words of steps, each with the words of the command that means the same, so that a printed line can be typed:
/// `buy Denny's Stories through the gate, ask to buy`.
enum PlayPhrases {
  /// Rewrites whole lines. `*` matches any number of words. Every matching row applies, in order.
  static let lines = rows([
    "* joins the family": "family joins *", "* leaves the family": "family leaves *",
    "* not on sale": "sale off *", "* on sale": "sale on *",
    "* later": "wait *", "until the next change": "wait next", "until the next renewal": "wait renewal", "ask to buy *": "askToBuy *",
    "open the paywall *": "open paywall *", "close the paywall *": "dismiss *",
    "restore purchases *": "restore *", "load the products": "load", "request the app transaction": "appTransaction",
    "to the background": "background", "to the foreground": "foreground", "delete and reinstall *": "reinstall *",
    "exchange with *": "sync *", "sign * what was recorded": "sign *", "sign in as *": "sign in *",
    "renew * now": "renew *", "expire * now": "expire *",
    "turn renewal * in the app": "manage *", "turn renewal *": "renewal *",
    "ask for a refund of *": "requestRefund *", "reverse the refund of *": "refund * reverse", "refuse a refund of *": "refund * declined",
    "deliver everything again *": "deliver *", "clear the purchase history": "forget",
    "delete all transactions of *": "forget *", "delete the newest transaction of *": "forget * newest",
    "forbid *": "cap * off", "lift the limit of *": "cap * none", "limit *": "cap *",
    "the clock is right": "clock true", "the clock shows *": "clock *", "in *": "zone *",
  ])

  /// Rewrites words inside a line, after the first name, by command.
  static let options: [String: [Row]] = [
    "launch": rows(["no answer from the store yet": "silent"]),
    "reinstall": rows(["keep nothing": "nothing"]),
    "buy": gate
      + rows([
        "ask to buy": "ask", "cancel the sheet": "cancel", "wrong signature": "unverified", "crash at": "crash",
        "×": "quantity", "x": "quantity",
        "from a promotion": "from promotion", "on the app store": "from appStore", "by code": "from code", "with offer": "offer",
        "with": "offer",
      ]),
    "open": gate, "restore": gate,
    "use": rows(["×": "", "x": "", "the work": ""]),
    "sync": rows(["each": "", "both lost": "lost", "delayed by": "after"]),
    "renewal": rows(["for": ""]), "manage": rows(["for": ""]), "extend": rows(["by": ""]), "deliver": rows(["×": "", "x": ""]),
    "cap": rows(["to": ""]),
  ]

  private static let gate = rows(["through the gate": "gate pass", "failing the gate": "gate fail", "with a used pass": "gate reuse"])

  typealias Row = (printed: [String], typed: [String])

  private static func rows(_ pairs: KeyValuePairs<String, String>) -> [Row] {
    pairs.map { row in (row.key.split(separator: " ").map(String.init), row.value.split(separator: " ").map(String.init)) }
  }

  /// The words of the command that a printed line means.
  static func command(_ words: [String]) -> [String] {
    lines.reduce(words) { words, row in
      let parts = row.printed.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
      let (start, end) = (parts[0], parts.count > 1 ? parts[1] : [])
      let middle = words.dropFirst(start.count).dropLast(end.count)
      guard words.count >= start.count + end.count, fits(start, words), fits(end, words.suffix(end.count)),
        parts.count > 1 || middle.isEmpty, !start.isEmpty || PlayVerb.named(words[0]) == nil
      else { return words }
      return row.typed.flatMap { $0 == "*" ? Array(middle) : [$0] }
    }
  }

  /// The same words, with a printed phrase at their beginning replaced. A phrase that is dropped needs what it is about after it.
  static func option(_ words: [String], of verb: String) -> [String] {
    guard let row = options[verb]?.first(where: { fits($0.printed, words) && ($0.typed != [] || $0.printed.count < words.count) })
    else { return words }
    return row.typed + words.dropFirst(row.printed.count)
  }

  private static func fits(_ printed: some Collection<String>, _ words: some Collection<String>) -> Bool {
    words.count >= printed.count && zip(printed, words).allSatisfy { $0 == $1.lowercased() }
  }
}
