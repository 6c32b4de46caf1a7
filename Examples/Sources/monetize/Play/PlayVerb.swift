// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator

/// A command of `monetize play`, as its help tells of it.
struct PlayVerb {
  enum Group: String, CaseIterable {
    case app = "The app and the person in it"
    case records = "What the app brings"
    case customer = "At the store"
    case world = "Time and the world"
    case people = "Devices and people"
    case looking = "Looking"
    case past = "The past"
  }

  let group: Group
  let name: String
  /// How it is written behind the name.
  var usage = ""
  let about: String
  /// Words that may follow, with what they do.
  var options: [(usage: String, about: String)] = []
  /// Another name of it, such as the one that scenarios have.
  var alias: String?

  var words: String { usage.isEmpty ? name : "\(name) \(usage)" }

  static func named(_ name: String) -> PlayVerb? {
    all.first { $0.name.lowercased() == name.lowercased() } ?? all.first { $0.alias == name.lowercased() }
  }

  /// What has no command here is written as scenarios write it.
  static let vocabulary = ScenarioVocabulary.standard

  /// What people write who mean one of the commands.
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

  private static let gate = ("gate pass|fail|reuse", "what the person does at the parental gate")
  private static let question: [(usage: String, about: String)] = [
    ("COLLECTION/ITEM", "which item"), ("place 4 COLLECTION", "the item that stands there"), ("level LEVEL", "which level"),
    ("date 2026-02-01|-P7D", "the date of the thing that is looked at"),
    ("held 3", "how many exist already"), ("count 2", "so many at once, or seconds"),
  ]

  private static let app: [PlayVerb] = [
    .init(group: .app, name: "launch", usage: "[silent]", about: "the app starts; silent: the store does not answer yet"),
    .init(group: .app, name: "close", about: "the app ends", alias: "quit"),
    .init(group: .app, name: "crash", about: "the app crashes"),
    .init(group: .app, name: "relaunch", about: "the app ends and starts"),
    .init(group: .app, name: "reinstall", usage: "[nothing]", about: "deleted and installed again; nothing: the keychain is gone as well"),
    .init(group: .app, name: "background", about: "the app goes to the background"),
    .init(group: .app, name: "foreground", about: "the app comes back"),
    .init(
      group: .app, name: "open", usage: "FEATURE [ITEM] [OPTION…]", about: "a tap: content, a paywall or a limit",
      options: question + [gate, ("paywall PLACEMENT", "a paywall by itself, in place of a feature")]),
    .init(group: .app, name: "dismiss", usage: "[PLACEMENT]", about: "the paywall is closed"),
    .init(group: .app, name: "load", about: "the app asks the store for its products"),
    .init(
      group: .app, name: "buy", usage: "PRODUCT [OPTION…]", about: "a purchase",
      options: [
        gate, ("cancel|ask|interrupted|unverified", "what happens in the store's sheet; ask: Ask to Buy"), ("offer ID", "with an offer"),
        ("quantity 2", "so many"), ("from promotion|appStore|code", "not from the app's own paywall"),
        ("at 2026-02-01", "bought in the past"), ("crash store|grant|finish", "the app dies on the way"),
      ], alias: "purchase"),
    .init(group: .app, name: "redeem", usage: "CODE [PRODUCT]", about: "an offer code, in the store's own sheet"),
    .init(group: .app, name: "restore", usage: "[gate pass|fail]", about: "restore purchases"),
    .init(
      group: .app, name: "use", usage: "FEATURE [ITEM] [OPTION…]", about: "use something once, or several times",
      options: [
        ("3", "so many times, one after the other"), ("parallel 100", "so many at once"), ("for 20min", "time that was spent"),
        ("taking 20min", "how long the work is under way"),
        ("fails|crashes", "whether the work fails, or the app crashes in it"), ("key KEY", "uses with the same key count once"),
      ] + question),
    .init(
      group: .app, name: "sign", usage: "in ACCOUNT|out [keep|transfer|share]", about: "somebody signs in, or out",
      options: [
        ("keep", "each keeps what was recorded for them, as without a word"),
        ("transfer", "the new one gets all of it, a guest's progress"),
        ("share", "both have all of it"),
      ], alias: "account"),
    .init(
      group: .app, name: "sync", usage: "[DEVICE] DEVICE [OPTION…]", about: "two devices tell each other what they recorded",
      options: [
        ("lost [there|back|both]", "what is said gets lost; both without a word"), ("twice", "each message comes twice"),
        ("after 1d", "it is so long under way"),
      ]),
    .init(group: .app, name: "update", usage: "{…}", about: "a new version; its catalog as a merge patch"),
    .init(group: .app, name: "overlay", usage: "{…}|none", about: "remote configuration arrives, or is taken away"),
  ]

  private static let records: [PlayVerb] = [
    .init(group: .records, name: "complete", usage: "ITEM", about: "an item was finished"),
    .init(group: .records, name: "coins", usage: "+20|-5 [REASON]", about: "coins were earned or spent"),
    .init(
      group: .records, name: "cap", usage: "FEATURE AMOUNT|none", about: "a parent's limit: 2, 30min, off, a level; none lifts it"),
    .init(
      group: .records, name: "give", usage: "ENTITLEMENT… [until 2027-01-01]", about: "a gift, such as support gives one",
      options: [("until 2027-01-01", "until when; for ever without it"), ("id ID", "its name; the entitlements' without it")]),
    .init(group: .records, name: "revoke", usage: "ENTITLEMENT… [id ID]", about: "a gift is taken back"),
  ]

  private static let customer: [PlayVerb] = [
    .init(group: .customer, name: "approve", usage: "[PRODUCT]", about: "somebody says yes to what waits at the store"),
    .init(group: .customer, name: "decline", usage: "[PRODUCT]", about: "somebody says no"),
    .init(group: .customer, name: "renewal", usage: "on|off [PRODUCT]", about: "auto-renew"),
    .init(group: .customer, name: "manage", usage: "on|off [PRODUCT]", about: "auto-renew, in the sheet that the app shows"),
    .init(group: .customer, name: "requestRefund", usage: "[PRODUCT]", about: "money back is asked for in the app"),
    .init(
      group: .customer, name: "refund", usage: "[PRODUCT] [OPTION…]", about: "the store gives money back",
      options: [
        ("prorated", "only for the time that is left"), ("declined", "asked for and not given"), ("reverse", "a refund is taken back"),
        ("reason REASON", "why"),
      ]),
    .init(group: .customer, name: "renew", usage: "[PRODUCT]", about: "renews at once"),
    .init(group: .customer, name: "expire", usage: "[PRODUCT]", about: "ends at once"),
    .init(group: .customer, name: "extend", usage: "[PRODUCT] 7d", about: "the store gives time"),
    .init(group: .customer, name: "deliver", usage: "[TIMES]", about: "the store delivers everything again"),
    .init(
      group: .customer, name: "forget", usage: "[PRODUCT [newest]]",
      about: "the purchase history is cleared, or what was bought of a product, or the newest of it"),
    .init(group: .customer, name: "family", usage: "joins|leaves NAME", about: "a member of the family"),
  ]

  private static let world: [PlayVerb] = [
    .init(
      group: .world, name: "wait", usage: "7d|1 month|next|renewal|until DATE", about: "time passes; next: until something changes",
      options: [
        ("7d, 1 month, P1M", "a length of time: min, h, d, weeks, months, years"), ("next", "until something changes by itself"),
        ("renewal", "until a plan renews"), ("until 2026-04-01 12:00", "until then, in the customer's zone"),
      ], alias: "advance"),
    .init(group: .world, name: "offline", about: "no network"),
    .init(group: .world, name: "online", about: "network"),
    .init(group: .world, name: "payment", usage: "works|fails", about: "whether charges go through"),
    .init(group: .world, name: "askToBuy", usage: "on|off", about: "purchases wait for a parent"),
    .init(group: .world, name: "askToBuyLasts", usage: "2d", about: "how long they wait"),
    .init(
      group: .world, name: "interrupted", usage: "on|off [cancelled|pending]",
      about: "purchases are interrupted, by the bank or by new terms; what the call answers then"),
    .init(
      group: .world, name: "grace", usage: "3d|16d|28d|none [after 1d]",
      about: "a grace period after a failed renewal; after: how long a change of it takes from now on"),
    .init(group: .world, name: "graceFor", usage: "all|paidToPaid", about: "which renewals have one"),
    .init(group: .world, name: "monthEnd", usage: "keepsAnchor|drifts", about: "how renewals find their day in short months"),
    .init(
      group: .world, name: "price", usage: "PRODUCT 12.99 [OPTION…]", about: "another price from now on",
      options: [
        ("required|notice|preserved", "what subscribers hear of it; Apple's rule without it"), ("in DEU EUR", "only in a storefront"),
        ("of OFFER", "what an offer or a code of it costs; introductory, or its id"),
      ]),
    .init(group: .world, name: "sale", usage: "on|off PRODUCT", about: "on sale or not"),
    .init(group: .world, name: "commitment", usage: "PRODUCT 12", about: "a plan that is committed to for so many payments"),
    .init(group: .world, name: "codeFor", usage: "CODE new|existing|expired…", about: "who may redeem a code"),
    .init(group: .world, name: "storefront", usage: "DEU", about: "where the customer's account is"),
    .init(group: .world, name: "environment", usage: "sandbox|production", about: "where the account buys and reads"),
    .init(group: .world, name: "got", usage: "2024-05-01 [1.3]", about: "when the customer first got the app, and which version"),
    .init(
      group: .world, name: "error", usage: "API ERROR|none [TIMES]", about: "a call of the store fails",
      options: [
        ("API", StoreAPI.all.map(\.rawValue).joined(separator: ", ")), ("ERROR", ScenarioPlayer.errors.joined(separator: ", ")),
        ("TIMES", "so many times; until \"none\" without it"),
      ]),
    .init(
      group: .world, name: "quirk", usage: "NAME on|off", about: "something that real stores do",
      options: [("NAME", StoreQuirk.all.map(\.rawValue).joined(separator: ", "))]),
    .init(group: .world, name: "clock", usage: "2026-01-01|true", about: "what the device believes the time is"),
    .init(group: .world, name: "zone", usage: "Europe/Berlin", about: "the device travels"),
    .init(group: .world, name: "damage", usage: "corrupt|truncate|delete", about: "damages the app's state file"),
    .init(group: .world, name: "set", usage: "KEY=VALUE…", about: "any setting of a scenario, such as set monthEnd=drifts"),
  ]

  private static let looking: [PlayVerb] = [
    .init(group: .people, name: "device", usage: "[NAME [of CUSTOMER]]", about: "one more device, of the same customer or of another"),
    .init(group: .people, name: "on", usage: "DEVICE [COMMAND]", about: "the command there, or everything from now on"),
    .init(group: .people, name: "as", usage: "child:max [COMMAND]", about: "who does it: also parent, guest, demo, customer"),
    .init(group: .people, name: "same", usage: "[DEVICE DEVICE…]", about: "whether devices show the same"),
    .init(group: .looking, name: "status", about: "the date, what the customer has, what happens next"),
    .init(group: .looking, name: "show", about: "every feature now"),
    .init(group: .looking, name: "money", about: "each charge, what was given back, and what it comes to"),
    .init(
      group: .looking, name: "why", usage: "FEATURE [ITEM] [OPTION…]", about: "the answer to a question, and why", options: question),
    .init(
      group: .looking, name: "expect", usage: "[FEATURE|PRODUCT] FACT=VALUE…", about: "what must hold, such as expect story remaining=2"),
    .init(group: .looking, name: "ids", about: "the ids that the catalog has"),
    .init(group: .looking, name: "help", usage: "[COMMAND]", about: "this list, or all about a command", alias: "?"),
    .init(group: .past, name: "history", about: "the steps so far"),
    .init(group: .past, name: "undo", usage: "[COUNT]", about: "takes steps back"),
    .init(
      group: .past, name: "save", usage: "FILE [over]", about: "the steps as a scenario, which `monetize simulate` runs",
      options: [("over", "also over a file that is there already")]),
    .init(group: .past, name: "quit", about: "the end", alias: "exit"),
  ]
}
