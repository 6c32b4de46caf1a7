// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator

/// A command of `monetize play`: its help, and the step of a scenario that its words become.
struct PlayVerb: Sendable {
  /// The name with the usage after it.
  let words: String
  let name: String
  let about: String
  /// The verb of the step.
  let step: String
  /// Another name, such as the one in scenarios.
  let alias: String?
  /// The key of the step whose object has the values; `nil` for the step itself.
  let object: String?
  /// The words after the name, in order.
  let parts: [PlayPart]
  /// The words after those, in any order.
  let options: [PlayOption]

  init(
    _ words: String, _ about: String, as step: String? = nil, alias: String? = nil, in object: String? = nil, _ parts: [PlayPart] = [],
    options: [PlayOption] = []
  ) {
    let name = String(words.prefix { $0 != " " })
    (self.words, self.name, self.about, self.step, self.alias) = (words, name, about, step ?? name, alias)
    (self.object, self.parts, self.options) = (object, parts, options)
  }

  /// A setting of the world with the command's own name; without a sort, one of the words in its usage.
  static func setting(_ words: String, _ about: String, _ sort: PlaySort? = nil) -> PlayVerb {
    let verb = PlayVerb(words, about, as: "set")
    return PlayVerb(words, about, as: "set", [.required(verb.name, sort ?? .choice(verb.keywords))])
  }

  /// A sentence with its words, for a line that was not understood.
  var usage: String { "Write: \(words)" + (options.isEmpty ? "" : " (`help \(name)` explains them)") }

  /// The fixed words in its usage and options.
  var keywords: [String] {
    ([String(words.dropFirst(name.count))] + options.map(\.usage)).joined(separator: " ").split { !$0.isLetter }.map(String.init)
      .filter { $0.count > 1 && $0.first?.isLowercase == true }
  }

  /// Whether the command is answered here, and is not a step of a scenario.
  var isLooking: Bool { (Self.people + Self.looking + Self.past).contains { $0.name == name } }

  static func named(_ name: String) -> PlayVerb? {
    all.first { $0.name.lowercased() == name.lowercased() } ?? all.first { $0.alias == name.lowercased() }
  }

  static let groups = [
    ("The app and its user", app), ("Facts from the app", records), ("At the store", customer), ("Time and the world", world),
    ("Devices and people", people), ("Looking", looking), ("The past", past),
  ]

  static let all: [PlayVerb] = groups.flatMap(\.1)

  /// Settings and keys without a command are written as in scenarios.
  static let vocabulary = ScenarioVocabulary.standard

  /// Common words, each with the command that it means.
  static let hints = [
    "start": "launch", "run": "launch", "restart": "relaunch", "kill": "crash", "stop": "close", "subscribe": "buy", "get": "buy",
    "cancel": "renewal off", "unsubscribe": "renewal off", "upgrade": "buy", "downgrade": "buy", "consume": "use",
    "spend": "use", "gift": "give", "grant": "give", "limit": "cap", "next": "wait next", "sleep": "wait", "skip": "wait", "list": "show",
    "ls": "show", "features": "show", "products": "ids", "catalog": "ids", "back": "undo", "revert": "undo", "log": "history",
    "paid": "money", "charges": "money", "transactions": "money", "limits": "show", "look": "show", "what": "show", "pay": "buy",
    "time": "wait", "later": "wait", "forward": "wait", "tomorrow": "wait 1d", "q": "quit",
    "steps": "history", "assert": "expect", "export": "save", "write": "save", "add": "device", "user": "as", "switch": "on",
    "login": "sign in", "signin": "sign in", "logout": "sign out", "signout": "sign out", "exchange": "sync",
    "billing": "payment fails", "share": "family joins NAME", "join": "family joins NAME", "promo": "buy PRODUCT offer ID",
    "offer": "buy PRODUCT offer ID", "offers": "buy PRODUCT offer ID", "winback": "buy PRODUCT offer ID",
    "bye": "quit", "gate": "buy PRODUCT gate pass", "ask": "why", "can": "why", "check": "why", "allows": "why", "decide": "why",
    "paywall": "open PLACEMENT", "trial": "buy", "settings": "status",
  ]
}

/// An option of a command with its meaning, and the words that it is read from.
struct PlayOption: Sendable {
  let usage: String
  let about: String
  let parts: [PlayPart]

  init(_ usage: String, _ about: String, _ parts: PlayPart...) { (self.usage, self.about, self.parts) = (usage, about, parts) }
}

/// A part of a command, and the values of the step that it becomes.
enum PlayPart: Sendable {
  /// A value without a word.
  case fixed(String, String)
  /// A value that must be there.
  case required(String, PlaySort)
  /// A value that is read if there are more words.
  case optional(String, PlaySort)
  /// A word that stands for a text.
  case word(String, String, String)
  /// One of several words, as it is.
  case words(String, [String])
  /// A word that stands for true or false.
  case flag(String, String, Bool)
  /// A word, with values after it.
  case values(String, [(key: String, sort: PlaySort)])
  /// A feature, and an item if the next word looks like one.
  case request
  /// A number of times.
  case times
  /// A length of time without a word before it.
  case time(String)

  /// Whether it is a value without a word before it.
  var isValue: Bool {
    switch self {
    case .required, .optional, .request: true
    default: false
    }
  }

  /// A word with one value after it; its key is the word, if there is no other.
  static func named(_ word: String, key: String? = nil, _ sort: PlaySort) -> PlayPart { .values(word, [(key ?? word, sort)]) }

  /// The result at the parental gate.
  static let gate = named("gate", .choice(["pass", "fail", "reuse"]))
}

/// The sort of a value in a command.
enum PlaySort: Sendable {
  case choice([String])
  /// `on` or `off`, for true or false.
  case isOn
  case period
  /// A length of time with a fixed number of seconds: `3m` has minutes, where a period has months.
  case length
  case instant
  /// An instant, or a length of time before now.
  case past
  case number(String, from: Int = 1)
  case text(String)
  /// A code in capital letters.
  case code(String)
  case json(String)
  /// A product. Without a word: the only one, or the only one with such a status.
  case product(orOnly: (@Sendable (ProductStatus) -> Bool)? = nil)
  case feature
  case item
  case offer
  case placement
  /// An amount as in catalogs.
  case amount
  /// The lost message of two.
  case way
}
