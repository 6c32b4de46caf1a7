// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator

extension PlayVerb {
  /// An example of remote configuration.
  static let overlay = #"{ "id": "off", "patch": { "monetization": "off" } }"#

  private static let gate = PlayOption("gate pass|fail|reuse", "the result at the parental gate", .gate)

  /// The details of a question.
  static let question: [PlayOption] = [
    .init("COLLECTION/ITEM", "the item"),
    .init(
      "place 4 COLLECTION", "the item at that position",
      .values("place", [("position", .number("a position, such as 4")), ("item", .text("a collection"))])),
    .init("[level] LEVEL", "the level", .named("level", .text("a level"))),
    .init("date 2026-02-01|-P7D", "the date of the data in question", .named("date", .past)),
    .init("held 3", "the number that exists already", .named("held", .number("the number that exists already, such as 3", from: 0))),
    .init("count 2", "a number of uses or seconds", .named("count", .number("a number, such as 2"))),
  ]

  static let app: [PlayVerb] = [
    .init("launch [silent]", "starts the app; silent: the store does not answer yet", [.flag("silent", "answer", false)]),
    .init("close", "ends the app", as: "quit", alias: "quit"),
    .init("crash", "crashes the app", as: "quit", [.fixed("how", "crash")]),
    .init("relaunch", "ends and starts the app"),
    .init(
      "reinstall [nothing]", "deletes and reinstalls the app; nothing: the keychain as well", [.word("nothing", "keeps", "nothing")]),
    .init("background", "moves the app to the background"),
    .init("foreground", "moves the app to the foreground"),
    .init(
      "open FEATURE|PLACEMENT [ITEM] [OPTION…]", "taps a feature: content, a paywall or a limit; or shows a placement's paywall",
      alias: "tap",
      options: question + [gate, .init("paywall PLACEMENT", "the paywall of a placement that has the name of a feature")]),
    .init("dismiss [PLACEMENT]", "closes the paywall", [.optional("placement", .placement)]),
    .init("load", "requests the products from the store"),
    .init("appTransaction", "requests the app transaction from the store"),
    .init(
      "buy PRODUCT [OPTION…]", "buys a product", as: "purchase", alias: "purchase", [.required("product", .product())],
      options: [
        gate,
        .init(
          "cancel|ask|interrupted|unverified", "the result of the store's sheet; ask: Ask to Buy", .word("ask", "sheet", "askToBuy"),
          .words("sheet", ["askToBuy", "cancel", "confirm", "interrupted", "unverified"])),
        .init("offer ID", "with an offer", .named("offer", .offer)),
        .init("quantity 2", "the quantity", .named("quantity", .number("a number, such as 2"))),
        .init(
          "from promotion|appStore|code", "from outside of the app's paywall",
          .named("from", .choice(["app", "promotion", "appStore", "code"]))),
        .init("at 2026-02-01", "bought in the past", .named("at", .instant)),
        .init(
          "crash store|grant|finish", "crashes the app during the purchase",
          .named("crash", key: "crashAt", .choice(["store", "grant", "finish"]))),
      ]),
    .init("redeem CODE [PRODUCT]", "redeems an offer code in the store's own sheet", as: "purchase"),
    .init("restore [gate pass|fail]", "restores purchases", [.gate]),
    .init(
      "use FEATURE [ITEM] [OPTION…]", "uses a feature once, or several times", [.request],
      options: [
        .init("[for] 20min", "the time spent", .named("for", key: "length", .length), .time("length")),
        .init("3", "repeat, one after the other", .times),
        .init("parallel 100", "concurrent uses", .named("parallel", .number("the number of concurrent uses, such as 100"))),
        .init("taking 20min", "the duration of the work", .named("taking", key: "takes", .length)),
        .init(
          "fails|crashes", "the work fails, or the app crashes during it", .words("work", ["succeeds", "fails", "crashes"])),
        .init("key KEY", "uses with the same key count once", .named("key", .text("a key"))),
      ] + question),
    .init(
      "sign in ACCOUNT|out [keep|transfer|share]", "signs in or out", as: "account", alias: "account",
      options: [
        .init("keep", "each account keeps its own records (default)"),
        .init("transfer", "all records move, such as a guest's progress"),
        .init("share", "both have all records"),
      ]),
    .init(
      "sync [DEVICE] DEVICE [OPTION…]", "exchanges the records of two devices",
      options: [
        .init("lost [there|back|both]", "the message that gets lost; default both", .named("lost", key: "lose", .way)),
        .init("twice", "each message arrives twice", .flag("twice", "duplicate", true)),
        .init("after 1d", "the delay of the messages", .named("after", key: "delay", .period)),
      ]),
    .init(
      "update {…}", "installs a new version; its catalog as a merge patch",
      [.required("set", .json("a merge patch on the catalog, such as { \"freeTier\": { \"grants\": { \"story\": 5 } } }"))]),
    .init("overlay {…}|none", "sends or removes remote configuration", as: "update", options: [.init(overlay, "an example")]),
  ]

  static let records: [PlayVerb] = [
    .init("complete ITEM", "records a finished item", as: "record", [.required("completion", .item)]),
    .init("coins +20|-5 [REASON]", "records earned or spent coins", as: "record", in: "coins"),
    .init(
      "cap FEATURE AMOUNT|none", "sets a parent's limit: 2, 30min, off, a level; none lifts it", as: "record", in: "cap",
      [.required("feature", .feature), .required("amount", .amount)]),
    .init(
      "give ENTITLEMENT…|+3 FEATURE", "gives a gift: entitlements, or credits", as: "record", in: "grant",
      options: [
        .init("until 2027-01-01", "the end of entitlements; default never"),
        .init("id ID", "its id; default the entitlements' names, for credits a new one"),
      ]),
    .init("revoke ENTITLEMENT…|+3 FEATURE [id ID]", "revokes a gift", as: "record", in: "grant"),
  ]

  static let customer: [PlayVerb] = [
    .init("approve [PRODUCT]", "accepts a pending request, purchase or price increase", [.required("product", .product { $0.isPending })]),
    .init("decline [PRODUCT]", "declines it", [.required("product", .product { $0.isPending })]),
    .init(
      "renewal on|off [PRODUCT]", "turns auto-renew on or off",
      [.required("to", .choice(["on", "off"])), .optional("product", .product())]),
    .init(
      "manage on|off [PRODUCT]", "the same in the store's sheet inside the app",
      [.required("to", .choice(["on", "off"])), .required("product", .product { $0.isOwned && $0.expires != nil })]),
    .init("requestRefund [PRODUCT]", "requests a refund in the app", [.required("product", .product { $0.isOwned })]),
    .init(
      "refund [PRODUCT] [OPTION…]", "refunds a purchase", [.required("product", .product { $0.isOwned || $0.state == .revoked })],
      options: [
        .init("prorated", "only for the remaining time", .word("prorated", "part", "prorated")),
        .init("declined", "requested and not granted", .word("declined", "part", "none")),
        .init("reverse", "reverses a refund", .flag("reverse", "reverse", true)),
        .init("reason REASON", "why", .named("reason", .text("a reason"))),
      ]),
    .init("renew [PRODUCT]", "renews a plan at once", [.required("product", .product { $0.state != .never })]),
    .init("expire [PRODUCT]", "ends a plan at once", [.required("product", .product { $0.state != .never })]),
    .init("extend [PRODUCT] 7d", "extends a plan", [.required("product", .product { $0.isOwned }), .required("by", .period)]),
    .init("deliver [TIMES]", "delivers all transactions again", [.times]),
    .init(
      "forget [PRODUCT [newest]]", "clears the purchase history, or the purchases of a product, or the newest of them",
      [.optional("product", .product()), .flag("newest", "newest", true)]),
    .init("family joins|leaves NAME", "adds or removes a family member"),
  ]

  static let world: [PlayVerb] = [
    .init(
      "wait 7d|1 month|next|renewal|until DATE", "lets time pass; next: until something changes", alias: "advance",
      options: [
        .init("7d, 1 month, P1M", "a length of time: min, h, d, weeks, months, years"),
        .init("next", "until something changes by itself"), .init("renewal", "until a plan renews"),
        .init("until 2026-04-01 12:00", "until a date, in the customer's zone"),
      ]),
    .init("offline", "disconnects the device", as: "set", [.fixed("network", "offline")]),
    .init("online", "connects the device", as: "set", [.fixed("network", "online")]),
    .setting("payment works|fails", "whether charges succeed"),
    .setting("askToBuy on|off", "whether purchases wait for a parent", .isOn),
    .setting("askToBuyLasts 2d", "how long requests wait", .period),
    .init(
      "interrupted on|off [cancelled|pending]",
      "whether purchases are interrupted, by the bank or by new terms; the answer of the call", as: "set",
      [.required("interruptedPurchases", .isOn), .optional("interruptedAnswer", .choice(["cancelled", "pending"]))]),
    .init("grace 3d|16d|28d|none [after 1d]", "the grace period after a failed renewal; after: the delay of a change", as: "set"),
    .setting("graceFor all|paidToPaid", "the renewals with a grace period"),
    .setting("monthEnd keepsAnchor|drifts", "the day of renewals in short months"),
    .setting("months utc|pacific", "the time zone of months and years"),
    .init(
      "price PRODUCT 12.99 [OPTION…]", "changes a price", as: "set", in: "price",
      [.required("product", .product()), .required("amount", .text("an amount, such as 12.99"))],
      options: [
        .init(
          "required|notice|preserved", "the effect on subscribers; default Apple's rule",
          .words("consent", ["required", "notice", "preserved"])),
        .init(
          "in DEU EUR", "only in a storefront",
          .values("in", [("storefront", .code("a storefront, such as DEU")), ("currency", .code("its currency, such as EUR"))])),
        .init(
          "of OFFER", "the price of an offer or code: introductory, or its id",
          .named("of", key: "offer", .text("an offer, such as introductory"))),
      ]),
    .init("sale on|off PRODUCT", "puts a product on sale, or takes it off", as: "set"),
    .init("commitment PRODUCT 12", "a plan with a commitment to so many payments", as: "set"),
    .init("codeFor CODE new|existing|expired…", "the customers who may redeem a code", as: "set"),
    .setting("storefront DEU", "the country of the customer's account", .code("a storefront, such as DEU")),
    .setting(
      "environment sandbox|production", "the store environment of the account", .text("an environment, such as sandbox or production")),
    .init(
      "got 2024-05-01 [1.3]", "the date and version of the first installation", as: "set",
      [.required("originalPurchaseDate", .instant), .optional("originalAppVersion", .text("a version, such as 1.3"))]),
    .init(
      "error API ERROR|none [TIMES]", "makes a call of the store fail", as: "set",
      options: [
        .init("API", StoreAPI.all.map(\.rawValue).joined(separator: ", ")), .init("ERROR", ScenarioPlayer.errors.joined(separator: ", ")),
        .init("TIMES", "the number of failures; default until \"none\""),
      ]),
    .init(
      "quirk NAME on|off", "an occasional behaviour of real stores", as: "set",
      options: [.init("NAME", StoreQuirk.all.map(\.rawValue).joined(separator: ", "))]),
    .setting("clock 2026-01-01|true", "the device's clock; true for the right time", .instant),
    .init(
      "zone Europe/Berlin", "moves the device to a time zone", as: "set",
      [.required("timeZone", .text("a time zone, such as Europe/Berlin"))]),
    .setting("damage corrupt|truncate|delete", "damages the app's state file"),
    .init("set KEY=VALUE…", "any setting of a scenario, such as set monthEnd=drifts"),
  ]

  // MARK: Answered here

  static let people: [PlayVerb] = [
    .init("device [NAME [of CUSTOMER]]", "adds a device, of the same customer or of another"),
    .init("on DEVICE [COMMAND]", "runs the command there, or all commands from now on"),
    .init("as child:max [COMMAND]", "the same for a member: also parent, guest, demo, customer"),
    .init("same [DEVICE DEVICE…]", "compares devices"),
  ]

  static let looking: [PlayVerb] = [
    .init("status", "the date, the customer's products, the next change"),
    .init("show", "all features now"),
    .init("money", "each charge, the refunds, and the total"),
    .init("why FEATURE [ITEM] [OPTION…]", "the answer to a question, and why", options: question),
    .init("expect [FEATURE|PRODUCT] FACT=VALUE…", "checks facts, such as expect story remaining=2"),
    .init("ids", "the ids of the catalog"),
    .init("help [COMMAND]", "this list, or the help of a command", alias: "?"),
  ]

  static let past: [PlayVerb] = [
    .init("history", "the steps so far"),
    .init("undo [COUNT]", "takes steps back"),
    .init(
      "save FILE [over]", "saves the steps as a scenario for `monetize simulate`",
      options: [.init("over", "overwrite an existing file")]),
    .init("quit", "ends the session", alias: "exit"),
  ]
}
