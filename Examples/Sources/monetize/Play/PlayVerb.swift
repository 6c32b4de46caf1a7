// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator

/// A command of `monetize play`, with its help.
struct PlayVerb {
  enum Group: String, CaseIterable {
    case app = "The app and its user"
    case records = "Facts from the app"
    case customer = "At the store"
    case world = "Time and the world"
    case people = "Devices and people"
    case looking = "Looking"
    case past = "The past"
  }

  let group: Group
  let name: String
  /// The usage after the name.
  var usage = ""
  let about: String
  /// The arguments, with their meaning.
  var options: [(usage: String, about: String)] = []
  /// Another name, such as the one in scenarios.
  var alias: String?

  var words: String { usage.isEmpty ? name : "\(name) \(usage)" }

  static func named(_ name: String) -> PlayVerb? {
    all.first { $0.name.lowercased() == name.lowercased() } ?? all.first { $0.alias == name.lowercased() }
  }

  /// Settings and keys without a command are written as in scenarios.
  static let vocabulary = ScenarioVocabulary.standard

  /// Common words, each with the command that it means.
  static let hints = [
    "start": "launch", "run": "launch", "restart": "relaunch", "kill": "crash", "stop": "close", "subscribe": "buy", "get": "buy",
    "cancel": "renewal off", "unsubscribe": "renewal off", "upgrade": "buy", "downgrade": "buy", "tap": "open", "consume": "use",
    "spend": "use", "gift": "give", "grant": "give", "limit": "cap", "next": "wait next", "sleep": "wait", "skip": "wait", "list": "show",
    "ls": "show", "features": "show", "products": "ids", "catalog": "ids", "back": "undo", "revert": "undo", "log": "history",
    "paid": "money", "charges": "money", "transactions": "money", "limits": "show",
    "steps": "history", "assert": "expect", "export": "save", "write": "save", "add": "device", "user": "as", "switch": "on",
    "login": "sign in", "signin": "sign in", "logout": "sign out", "signout": "sign out", "exchange": "sync",
    "bye": "quit",
  ]

  static let all: [PlayVerb] = app + records + customer + world + looking

  /// An example of remote configuration.
  static let overlay = #"{ "id": "off", "patch": { "monetization": "off" } }"#
  private static let gate = ("gate pass|fail|reuse", "the result at the parental gate")
  private static let question: [(usage: String, about: String)] = [
    ("COLLECTION/ITEM", "the item"), ("place 4 COLLECTION", "the item at that position"), ("level LEVEL", "the level"),
    ("date 2026-02-01|-P7D", "the date of the data in question"),
    ("held 3", "the number that already exist"), ("count 2", "a number of uses or seconds"),
  ]

  private static let app: [PlayVerb] = [
    .init(group: .app, name: "launch", usage: "[silent]", about: "starts the app; silent: the store does not answer yet"),
    .init(group: .app, name: "close", about: "ends the app", alias: "quit"),
    .init(group: .app, name: "crash", about: "crashes the app"),
    .init(group: .app, name: "relaunch", about: "ends and starts the app"),
    .init(group: .app, name: "reinstall", usage: "[nothing]", about: "deletes and reinstalls the app; nothing: the keychain as well"),
    .init(group: .app, name: "background", about: "moves the app to the background"),
    .init(group: .app, name: "foreground", about: "moves the app to the foreground"),
    .init(
      group: .app, name: "open", usage: "FEATURE [ITEM] [OPTION…]", about: "taps a feature: content, a paywall or a limit",
      options: question + [gate, ("paywall PLACEMENT", "a paywall, instead of a feature")]),
    .init(group: .app, name: "dismiss", usage: "[PLACEMENT]", about: "closes the paywall"),
    .init(group: .app, name: "load", about: "requests the products from the store"),
    .init(group: .app, name: "appTransaction", about: "requests the app transaction from the store"),
    .init(
      group: .app, name: "buy", usage: "PRODUCT [OPTION…]", about: "buys a product",
      options: [
        gate, ("cancel|ask|interrupted|unverified", "the result of the store's sheet; ask: Ask to Buy"), ("offer ID", "with an offer"),
        ("quantity 2", "the quantity"), ("from promotion|appStore|code", "from outside of the app's paywall"),
        ("at 2026-02-01", "bought in the past"), ("crash store|grant|finish", "crashes the app during the purchase"),
      ], alias: "purchase"),
    .init(group: .app, name: "redeem", usage: "CODE [PRODUCT]", about: "redeems an offer code in the store's own sheet"),
    .init(group: .app, name: "restore", usage: "[gate pass|fail]", about: "restores purchases"),
    .init(
      group: .app, name: "use", usage: "FEATURE [ITEM] [OPTION…]", about: "uses a feature once, or several times",
      options: [
        ("3", "repeat, one after the other"), ("parallel 100", "concurrent uses"), ("for 20min", "the time spent"),
        ("taking 20min", "the duration of the work"),
        ("fails|crashes", "the work fails, or the app crashes during it"), ("key KEY", "uses with the same key count once"),
      ] + question),
    .init(
      group: .app, name: "sign", usage: "in ACCOUNT|out [keep|transfer|share]", about: "signs in or out",
      options: [
        ("keep", "each account keeps its own records (default)"),
        ("transfer", "all records move, such as a guest's progress"),
        ("share", "both have all records"),
      ], alias: "account"),
    .init(
      group: .app, name: "sync", usage: "[DEVICE] DEVICE [OPTION…]", about: "exchanges the records of two devices",
      options: [
        ("lost [there|back|both]", "the message that gets lost; default both"), ("twice", "each message arrives twice"),
        ("after 1d", "the delay of the messages"),
      ]),
    .init(group: .app, name: "update", usage: "{…}", about: "installs a new version; its catalog as a merge patch"),
    .init(
      group: .app, name: "overlay", usage: "{…}|none", about: "sends or removes remote configuration", options: [(overlay, "an example")]),
  ]

  private static let records: [PlayVerb] = [
    .init(group: .records, name: "complete", usage: "ITEM", about: "records a finished item"),
    .init(group: .records, name: "coins", usage: "+20|-5 [REASON]", about: "records earned or spent coins"),
    .init(
      group: .records, name: "cap", usage: "FEATURE AMOUNT|none", about: "sets a parent's limit: 2, 30min, off, a level; none lifts it"),
    .init(
      group: .records, name: "give", usage: "ENTITLEMENT… [until 2027-01-01]", about: "gives a gift, as customer support does",
      options: [("until 2027-01-01", "its end; default never"), ("id ID", "its id; default the entitlements' names")]),
    .init(group: .records, name: "revoke", usage: "ENTITLEMENT… [id ID]", about: "revokes a gift"),
  ]

  private static let customer: [PlayVerb] = [
    .init(group: .customer, name: "approve", usage: "[PRODUCT]", about: "accepts a pending request, purchase or price increase"),
    .init(group: .customer, name: "decline", usage: "[PRODUCT]", about: "declines it"),
    .init(group: .customer, name: "renewal", usage: "on|off [PRODUCT]", about: "turns auto-renew on or off"),
    .init(group: .customer, name: "manage", usage: "on|off [PRODUCT]", about: "the same in the store's sheet inside the app"),
    .init(group: .customer, name: "requestRefund", usage: "[PRODUCT]", about: "requests a refund in the app"),
    .init(
      group: .customer, name: "refund", usage: "[PRODUCT] [OPTION…]", about: "refunds a purchase",
      options: [
        ("prorated", "only for the remaining time"), ("declined", "requested and not granted"), ("reverse", "reverses a refund"),
        ("reason REASON", "why"),
      ]),
    .init(group: .customer, name: "renew", usage: "[PRODUCT]", about: "renews a plan at once"),
    .init(group: .customer, name: "expire", usage: "[PRODUCT]", about: "ends a plan at once"),
    .init(group: .customer, name: "extend", usage: "[PRODUCT] 7d", about: "extends a plan"),
    .init(group: .customer, name: "deliver", usage: "[TIMES]", about: "delivers all transactions again"),
    .init(
      group: .customer, name: "forget", usage: "[PRODUCT [newest]]",
      about: "clears the purchase history, or the purchases of a product, or the newest of them"),
    .init(group: .customer, name: "family", usage: "joins|leaves NAME", about: "adds or removes a family member"),
  ]

  private static let world: [PlayVerb] = [
    .init(
      group: .world, name: "wait", usage: "7d|1 month|next|renewal|until DATE", about: "lets time pass; next: until something changes",
      options: [
        ("7d, 1 month, P1M", "a length of time: min, h, d, weeks, months, years"), ("next", "until something changes by itself"),
        ("renewal", "until a plan renews"), ("until 2026-04-01 12:00", "until a date, in the customer's zone"),
      ], alias: "advance"),
    .init(group: .world, name: "offline", about: "disconnects the device"),
    .init(group: .world, name: "online", about: "connects the device"),
    .init(group: .world, name: "payment", usage: "works|fails", about: "whether charges succeed"),
    .init(group: .world, name: "askToBuy", usage: "on|off", about: "whether purchases wait for a parent"),
    .init(group: .world, name: "askToBuyLasts", usage: "2d", about: "how long requests wait"),
    .init(
      group: .world, name: "interrupted", usage: "on|off [cancelled|pending]",
      about: "whether purchases are interrupted, by the bank or by new terms; the answer of the call"),
    .init(
      group: .world, name: "grace", usage: "3d|16d|28d|none [after 1d]",
      about: "the grace period after a failed renewal; after: the delay of a change"),
    .init(group: .world, name: "graceFor", usage: "all|paidToPaid", about: "the renewals with a grace period"),
    .init(group: .world, name: "monthEnd", usage: "keepsAnchor|drifts", about: "the day of renewals in short months"),
    .init(group: .world, name: "months", usage: "utc|pacific", about: "the time zone of months and years"),
    .init(
      group: .world, name: "price", usage: "PRODUCT 12.99 [OPTION…]", about: "changes a price",
      options: [
        ("required|notice|preserved", "the effect on subscribers; default Apple's rule"), ("in DEU EUR", "only in a storefront"),
        ("of OFFER", "the price of an offer or code: introductory, or its id"),
      ]),
    .init(group: .world, name: "sale", usage: "on|off PRODUCT", about: "puts a product on sale, or takes it off"),
    .init(group: .world, name: "commitment", usage: "PRODUCT 12", about: "a plan with a commitment to so many payments"),
    .init(group: .world, name: "codeFor", usage: "CODE new|existing|expired…", about: "the customers who may redeem a code"),
    .init(group: .world, name: "storefront", usage: "DEU", about: "the country of the customer's account"),
    .init(group: .world, name: "environment", usage: "sandbox|production", about: "the store environment of the account"),
    .init(group: .world, name: "got", usage: "2024-05-01 [1.3]", about: "the date and version of the first installation"),
    .init(
      group: .world, name: "error", usage: "API ERROR|none [TIMES]", about: "makes a call of the store fail",
      options: [
        ("API", StoreAPI.all.map(\.rawValue).joined(separator: ", ")), ("ERROR", ScenarioPlayer.errors.joined(separator: ", ")),
        ("TIMES", "the number of failures; default until \"none\""),
      ]),
    .init(
      group: .world, name: "quirk", usage: "NAME on|off", about: "an occasional behaviour of real stores",
      options: [("NAME", StoreQuirk.all.map(\.rawValue).joined(separator: ", "))]),
    .init(group: .world, name: "clock", usage: "2026-01-01|true", about: "the device's clock; true for the right time"),
    .init(group: .world, name: "zone", usage: "Europe/Berlin", about: "moves the device to a time zone"),
    .init(group: .world, name: "damage", usage: "corrupt|truncate|delete", about: "damages the app's state file"),
    .init(group: .world, name: "set", usage: "KEY=VALUE…", about: "any setting of a scenario, such as set monthEnd=drifts"),
  ]

  private static let looking: [PlayVerb] = [
    .init(group: .people, name: "device", usage: "[NAME [of CUSTOMER]]", about: "adds a device, of the same customer or of another"),
    .init(group: .people, name: "on", usage: "DEVICE [COMMAND]", about: "runs the command there, or all commands from now on"),
    .init(group: .people, name: "as", usage: "child:max [COMMAND]", about: "the same for a member: also parent, guest, demo, customer"),
    .init(group: .people, name: "same", usage: "[DEVICE DEVICE…]", about: "compares devices"),
    .init(group: .looking, name: "status", about: "the date, the customer's products, the next change"),
    .init(group: .looking, name: "show", about: "all features now"),
    .init(group: .looking, name: "money", about: "each charge, the refunds, and the total"),
    .init(
      group: .looking, name: "why", usage: "FEATURE [ITEM] [OPTION…]", about: "the answer to a question, and why", options: question),
    .init(
      group: .looking, name: "expect", usage: "[FEATURE|PRODUCT] FACT=VALUE…", about: "checks facts, such as expect story remaining=2"),
    .init(group: .looking, name: "ids", about: "the ids of the catalog"),
    .init(group: .looking, name: "help", usage: "[COMMAND]", about: "this list, or the help of a command", alias: "?"),
    .init(group: .past, name: "history", about: "the steps so far"),
    .init(group: .past, name: "undo", usage: "[COUNT]", about: "takes steps back"),
    .init(
      group: .past, name: "save", usage: "FILE [over]", about: "saves the steps as a scenario for `monetize simulate`",
      options: [("over", "overwrite an existing file")]),
    .init(group: .past, name: "quit", about: "ends the session", alias: "exit"),
  ]
}
