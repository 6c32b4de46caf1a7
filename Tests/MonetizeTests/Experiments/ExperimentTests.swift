// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import Testing

/// The effect of an experiment on a catalog, and its rules in the file.
@Suite("Experiments", .timeLimit(.minutes(30)))
struct ExperimentTests {
  /// A catalog with a monthly plan, another price of it, and experiments.
  static func file(experiments: String, variant: String = "") -> Data {
    Data(
      """
      { "schemaVersion": 1, "app": { "id": "test.app", "name": "Test" },
        "releases": ["v1", "v2"],
        "features": { "story": { "allowance": "count", "per": "month" }, "extra": {} },
        "freeTier": { "grants": { "story": 3 } },
        "products": [
          { "kind": "subscription", "id": "pro", "name": "Pro", "group": "g", "level": 1, "period": "P1M",
            "grants": { "story": "unlimited", "extra": true } },
          { "kind": "subscription", "id": "pro.b", "name": "Pro", "group": "g", "level": 1, "period": "P1M", "variantOf": "pro"\(variant),
            "grants": { "story": "unlimited", "extra": true } }],
        "paywalls": { "default": { "headline": "Pro", "products": ["pro"], "preselected": "pro", "actions": ["purchase", "restore"] } },
        "experiments": \(experiments) }
      """.utf8)
  }

  private func codes(_ experiments: String, variant: String = "") -> [String] {
    Catalog.reading(Self.file(experiments: experiments, variant: variant)).diagnostics.filter { $0.severity == .error }.map(\.code.rawValue)
  }

  @Test(
    "A mistake in an experiment has its code",
    arguments: [
      (#"{ "x": {} }"#, "missing-key"), (#"{ "x": { "arms": [] } }"#, "experiment-arms"),
      (#"{ "x": { "arms": [{ "id": "a", "weight": 0.5 }] } }"#, "experiment-weights"),
      (#"{ "x": { "arms": [{ "id": "a", "weight": 1.5 }] } }"#, "bad-value"),
      (#"{ "x": { "coverage": 1.5, "arms": [{ "id": "a", "weight": 1 }] } }"#, "bad-value"),
      (#"{ "x": { "namespace": ["n", 0.5, 0.2], "arms": [{ "id": "a", "weight": 1 }] } }"#, "bad-value"),
      (#"{ "x": { "namespace": ["n", 0.5, 1.1], "arms": [{ "id": "a", "weight": 1 }] } }"#, "bad-value"),
      (#"{ "x": { "namespace": ["n", -0.1, 0.5], "arms": [{ "id": "a", "weight": 1 }] } }"#, "bad-value"),
      (#"{ "x": { "arms": [{ "id": "a", "weight": 0.5 }, { "id": "a", "weight": 0.5 }] } }"#, "repeated-id"),
      (#"{ "x": { "stopped": "c", "arms": [{ "id": "a", "weight": 1 }] } }"#, "unknown-arm"),
      (#"{ "x": { "unit": "device", "arms": [{ "id": "a", "weight": 1 }] } }"#, "bad-value"),
      (#"{ "x": { "arms": [{ "id": "a", "weight": 1, "set": { "products": [] } }] } }"#, "overlay-key"),
      (#"{ "x": { "arms": [{ "id": "a", "weight": 1, "set": { "freeTier": { "grants": { "stroy": 5 } } } }] } }"#, "experiment-arm"),
      (#"{ "x": { "arms": [{ "id": "a", "weight": 1, "set": { "releases": ["v1"] } }] } }"#, "experiment-arm"),
      (#"{ "x": { "arms": [{ "id": "a", "weight": 1, "products": ["pro"] }] } }"#, "arm-product"),
      (#"{ "x": { "arms": [{ "id": "a", "weight": 1, "products": ["prob"] }] } }"#, "unknown-product"),
      (#"{ "x": { "arms": [{ "id": "a", "weight": 1, "colour": "red" }] } }"#, "unknown-key"),
    ])
  func mistakes(experiments: String, code: String) {
    #expect(codes(experiments) == [code])
  }

  @Test(
    "A mistake of an arm is reported at its place in the arm, or at the arm with its path in the catalog",
    arguments: [
      (#""set": { "freeTier": { "grants": { "stroy": 5 } } }"#, "experiments.x.arms[0].set.freeTier.grants.stroy", ": There is no feature"),
      (#""texts": { "de": { "freeTier": { "titel": "x" } } }"#, "experiments.x.arms[0].texts.de.freeTier.titel", ": The catalog has"),
      (#""set": { "releases": ["v1"] }"#, "experiments.x.arms[0].set.releases", ""),
    ])
  func places(change: String, path: String, message: String) throws {
    let reading = Catalog.reading(Self.file(experiments: #"{ "x": { "arms": [{ "id": "a", "weight": 1, \#(change) }] } }"#))
    let mistake = try #require(reading.diagnostics.first { $0.severity == .error })
    #expect(mistake.code == "experiment-arm" && mistake.path == path && mistake.position != nil)
    #expect(mistake.message.hasPrefix("The arm \"a\" makes a catalog that breaks a rule\(message)"), "\(mistake.message)")
  }

  @Test("The sum of weights may differ by the rounding of a third") func thirds() {
    #expect(
      codes(#"{ "x": { "arms": [{ "id": "a", "weight": 0.333 }, { "id": "b", "weight": 0.333 }, { "id": "c", "weight": 0.333 }] } }"#) == []
    )
  }

  @Test("A variant of a product that does not exist, and one product in the running arms of two experiments, are mistakes")
  func variants() {
    let arm = #"{ "arms": [{ "id": "a", "weight": 1, "products": ["pro.b"] }] }"#
    #expect(codes(#"{ "x": \#(arm) }"#) == [])
    #expect(codes(#"{ "x": \#(arm), "y": \#(arm) }"#) == ["experiment-path"])
    let unknown = String(decoding: Self.file(experiments: "{}"), as: UTF8.self)
      .replacing("\"variantOf\": \"pro\"", with: "\"variantOf\": \"po\"")
    let found = Catalog.reading(Data(unknown.utf8)).diagnostics.map { "\($0.code) \($0.path)" }
    #expect(found.contains("unknown-product products[1].variantOf"), "\(found)")
  }

  @Test("Two running arms that one customer can have must not set the same path, or one within the other") func paths() {
    func file(_ x: String, _ y: String, _ more: (String, String) = ("", "")) -> String {
      #"{ "x": { \#(more.0) "arms": [{ "id": "a", "weight": 1, "set": \#(x) }] }, "y": { \#(more.1) "arms": [{ "id": "a", "weight": 1, "set": \#(y) }] } }"#
    }
    let (free, title) = (#"{ "freeTier": { "grants": { "story": 5 } } }"#, #"{ "paywalls": { "default": { "headline": "Go" } } }"#)
    #expect(codes(file(free, title)) == [])
    #expect(codes(file(free, free)) == ["experiment-path"])
    #expect(codes(file(title, #"{ "paywalls": { "default": { "headline": "No", "subtitle": "a" } } }"#)) == ["experiment-path"])
    #expect(
      codes(file(#"{ "paywalls": { "settings": null } }"#, #"{ "paywalls": { "settings": { "headline": "A" } } }"#)) == ["experiment-path"])
    #expect(codes(file(free, free, ("", #""stopped": "a","#))) == ["experiment-path"], "an arm that everyone has meets all others")
    #expect(codes(file(free, free, (#""namespace": ["n", 0, 0.5],"#, #""namespace": ["n", 0.5, 1],"#))) == [])
    let (half, rest) = (#""namespace": ["n", 0, 0.5],"#, #""namespace": ["n", 0.5, 1],"#)
    #expect(codes(file(free, free, (half, rest + #""stopped": "a","#))) == ["experiment-path"], "nor do parts keep customers apart then")
    #expect(codes(file(free, free, (half + #""stopped": "a","#, rest))) == ["experiment-path"])
    #expect(codes(file(free, free, (#""namespace": ["n", 0, 0.6],"#, #""namespace": ["n", 0.5, 1],"#))) == ["experiment-path"])
    #expect(codes(file(free, free, (#""namespace": ["n", 0, 0.5],"#, #""namespace": ["m", 0.5, 1],"#))) == ["experiment-path"])
    // An account and an installation have different hashes, so one customer can be in both parts.
    #expect(codes(file(free, free, (half, rest + #""unit": "account","#))) == ["experiment-path"])
    #expect(codes(file(free, free, (half + #""unit": "account","#, rest + #""unit": "account","#))) == [])
    #expect(codes(file(free, title, (#""namespace": null,"#, ""))) == [], "as if it were absent")
  }

  @Test("A variant grants the same as its product", arguments: [#", "period": "P1Y""#, #", "level": 2"#, #", "group": "h""#])
  func variants(change: String) throws {
    var text = String(decoding: Self.file(experiments: "{}"), as: UTF8.self)
    #expect(Catalog.reading(Data(text.utf8)).diagnostics.isEmpty)
    let key = change.split(separator: "\"")[1]
    let place = try #require(text.range(of: #""id": "pro.b""#))
    let old = try #require(text.range(of: "\"\(key)\": [^,]*", options: .regularExpression, range: place.upperBound..<text.endIndex))
    text.replaceSubrange(old, with: change.dropFirst(2))
    let found = Catalog.reading(Data(text.utf8)).diagnostics.map(\.code.rawValue)
    #expect(found.contains("variant-differs"), "\(found)")
  }

  @Test("Of several terms in which a variant differs, the first by name is reported") func twoTerms() throws {
    let product = #"{ "kind": "subscription", "name": "Pro", "period": "P1M", "grants": { "f": true }, "#
    let text = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} }, "products": [
        \(product) "id": "a", "group": "g", "level": 1 }, \(product) "id": "b", "variantOf": "a", "group": "h", "level": 2 }] }
      """
    let found = Catalog.reading(Data(text.utf8)).diagnostics.filter { $0.code == "variant-differs" }
    #expect(found.count == 1 && found[0].message.contains(#"has another "group"."#), "\(found)")
  }

  @Test("DOZZI-40: a price arm sells its variant instead of the product, and no other arm sells it; owning either grants all")
  func priceArms() async throws {
    let catalog = try Catalog(
      json: Self.file(
        experiments: #"{ "price": { "arms": [{ "id": "a", "weight": 0 }, { "id": "b", "weight": 1, "products": ["pro.b"] }] } }"#))
    #expect(catalog.product("pro")?.isOffered == true && catalog.product("pro.b")?.isOffered == false)
    let store = ScriptedStore { $0.read = StoreAnswer(transactions: []) }
    let monetizer = Monetizer(catalog: catalog) {
      ($0.store, $0.startsByItself) = (store, false)
      $0.time = TestTime()
    }
    await monetizer.start()
    #expect(monetizer.arms == ["price": "b"])
    #expect(monetizer.decision(for: "extra").unlockedBy == ["pro.b"])
    let paywall = try #require(monetizer.snapshot.paywall(at: .default))
    #expect(paywall.products == ["pro.b"] && paywall.definition.preselected == "pro.b")
    for id in ["pro", "pro.b"] as [ProductID] {
      let state = CustomerState([
        .transaction(StoreTransaction(id: "1", productID: id, purchaseDate: RandomFacts.start, expirationDate: RandomFacts.start + 86400))
      ])
      let snapshot = Snapshot(of: state, catalog: monetizer.catalog, at: RandomFacts.start + 60)
      #expect(snapshot.allows("extra"), "\(id)")
    }
  }

  /// Each kind of product at two prices: the arm b sells the second ones.
  private static func prices(_ arm: String) throws -> Catalog {
    func both(_ id: String, _ fields: String) -> String {
      ["", ".b"].map { #"{ "id": "\#(id)\#($0)", \#($0.isEmpty ? "" : "\"variantOf\": \"\(id)\",") "name": "P", \#(fields) }"# }
        .joined(separator: ", ")
    }
    let products = [
      both("pack", #""kind": "nonConsumable", "grants": { "extra": true, "story": 3 }"#),
      both("month", #""kind": "subscription", "group": "g", "level": 2, "period": "P1M", "grants": { "extra": true }"#),
      #"{ "kind": "subscription", "id": "year", "name": "Y", "group": "g", "level": 1, "period": "P1Y", "grants": { "extra": true, "yearly": true } }"#,
      both("pass", #""kind": "nonRenewing", "period": "P7D", "grants": { "weekly": true }"#),
      both("coins", #""kind": "consumable", "credits": { "story": 10 }"#),
    ]
    return try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "features": { "story": { "allowance": "count", "per": { "anchored": "P1M" } }, "extra": {}, "yearly": {}, "weekly": {} },
          "products": [\(products.joined(separator: ", "))], "paywalls": { "default": { "headline": "Pro" } },
          "experiments": { "price": { "stopped": "\(arm)", "arms": [
            { "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5, "products": ["pack.b", "month.b", "pass.b", "coins.b"] }] } } }
        """.utf8))
  }

  @Test(
    "An owner of a product at one price is not sold it at another, and can change the plan, buy credits, and buy a pass that has ended",
    arguments: [("b", "", ".b"), ("a", ".b", "")])
  func ownersOfPrices(arm: String, owned: String, sold: String) async throws {
    let start = RandomFacts.start
    let bought = ["pack", "month", "pass", "coins"].enumerated().map { index, id in
      StoreTransaction(
        id: TransactionID("\(index)"), productID: ProductID(id + owned), purchaseDate: start,
        expirationDate: id == "month" ? start + 30 * 86400 : nil)
    }
    let renewal = RenewalInfo(originalID: "1", productID: ProductID("month" + owned), state: .subscribed, signed: start)
    let store = ScriptedStore { script in
      script.unfinished = bought.map { SignedTransaction($0) }
      script.read = StoreAnswer(transactions: bought.map { SignedTransaction($0) }, renewals: [renewal])
    }
    let time = TestTime()
    let monetizer = try TestShop.monetizer(store, time: time, catalog: Self.prices(arm))
    await monetizer.start()
    try await monetizer.spend("story", count: 13)
    #expect(monetizer.snapshot.paywall(at: .default)?.products == ["year", ProductID("coins" + sold)])
    time.advance(8 * 86400)
    #expect(monetizer.snapshot.paywall(at: .default)?.products == ["year", ProductID("pass" + sold), ProductID("coins" + sold)])
    #expect(monetizer.decision(for: "story").unlockedBy == [ProductID("coins" + sold)])
    #expect(monetizer.decision(for: "yearly").unlockedBy == ["year"])
    for id in ["pack", "month"] { #expect(try await monetizer.purchase(ProductID(id + sold)) == .alreadyOwned, "\(id)") }
    #expect(store.calls("purchase") == 0)
    for id in ["year", "pass" + sold, "coins" + sold] { _ = try await monetizer.purchase(ProductID(id)) }
    #expect(store.calls("purchase") == 3)
  }

  @Test("A product that waits for approval at one price is not sold at another") func pendingPrice() async throws {
    let storage = MemoryStorage()
    let asking = ScriptedStore { $0.purchase = { _ throws(StoreError) in .pending } }
    let first = try TestShop.monetizer(asking, storage: storage, catalog: Self.prices("a"))
    await first.start()
    #expect(try await first.purchase("pack") == .pending)
    let second = try TestShop.monetizer(storage: storage, catalog: Self.prices("b"))
    await second.start()
    #expect(second.decision(for: "extra").reason == .pending)
    #expect(second.snapshot.paywall(at: .default)?.products.contains("pack.b") == false)
  }

  // MARK: In an app

  static let halves =
    #"{ "cta": { "arms": [{ "id": "a", "weight": 0.5, "set": { "freeTier": { "grants": { "story": 1 } } } }, { "id": "b", "weight": 0.5, "set": { "freeTier": { "grants": { "story": 7 } } } }] } }"#

  private func launch(
    _ experiments: String, _ storage: MemoryStorage = MemoryStorage(), account: String? = nil, at now: Date = RandomFacts.start,
    received: Locked<[MonetizeEvent]> = Locked([])
  ) throws -> Monetizer {
    try Monetizer(catalog: Catalog(json: Self.file(experiments: experiments))) { configuration in
      (configuration.storage, configuration.account, configuration.time) = (storage, account, TestTime(now))
      configuration.startsByItself = false
      configuration.onEvent = { event in received.withLock { $0.append(event) } }
    }
  }

  @Test("An arm applies at once, without an answer of the store, and grants what its patch contains") func firstLaunch() throws {
    let arms = try (0..<40).map { _ in
      let monetizer = try launch(Self.halves)
      let arm = try #require(monetizer.arms["cta"])
      #expect(monetizer.decision(for: "story").limit == (arm == "a" ? 1 : 7))
      return arm
    }
    #expect(Set(arms) == ["a", "b"])
  }

  @Test("The first arm is kept at a relaunch, despite changed weights, coverage and arms; it is reported once") func sticky() async throws {
    let (storage, received) = (MemoryStorage(), Locked<[MonetizeEvent]>([]))
    let first = try launch(Self.halves, storage, received: received)
    await first.settled()
    let arm = try #require(first.arms["cta"])
    #expect(received.copy.map(\.name) == [.experimentExposed])
    #expect(received.copy.first?.assignment?.arm == arm)
    let (stays, goes) = arm == "a" ? ("0", "1") : ("1", "0")
    let others = #"{ "cta": { "coverage": 0, "arms": [{ "id": "a", "weight": \#(stays) }, { "id": "b", "weight": \#(goes) }] } }"#
    let second = try launch(others, storage, received: received)
    await second.settled()
    #expect(second.arms == ["cta": arm])
    let gone = try launch(#"{ "cta": { "coverage": 0, "arms": [{ "id": "c", "weight": 1 }] } }"#, storage, received: received)
    await gone.settled()
    #expect(gone.arms == [:], "an arm that is no longer there is none")
    let over = try launch(#"{ "cta": { "stopped": "c", "arms": [{ "id": "c", "weight": 1 }] } }"#, storage, received: received)
    await over.settled()
    #expect(over.arms == ["cta": "c"])
    #expect(received.copy.count == 1)
  }

  @Test("Signing in changes no arm, and an account with an arm keeps it", arguments: HandOverPolicy.allCases)
  func signingIn(policy: HandOverPolicy) async throws {
    let guest = try launch(Self.halves)
    await guest.settled()
    let arm = try #require(guest.arms["cta"])
    let storage = MemoryStorage()
    let heir = try await guest.handOver(to: "ann", policy: policy, storage: storage)
    await heir.settled()
    #expect(heir.arms == ["cta": arm])
    let again = try launch(Self.halves, storage, account: "ann")
    #expect(again.arms == ["cta": arm])
    let other = MemoryStorage()
    let known = arm == "a" ? "b" : "a"
    let only = #"{ "cta": { "arms": [{ "id": "\#(known)", "weight": 1 }] } }"#
    await (try launch(only, other, account: "bob", at: RandomFacts.start - 86400)).settled()
    let bob = try await heir.handOver(to: "bob", policy: policy, storage: other)
    #expect(bob.arms == ["cta": known])
  }

  @Test("Signing in keeps the overlays as well as the arm", arguments: HandOverPolicy.allCases)
  func overlaysAndSigningIn(policy: HandOverPolicy) async throws {
    let guest = try launch(Self.halves)
    await guest.settled()
    try guest.apply([Overlay(json: Data(#"{ "id": "off", "patch": { "monetization": "off" } }"#.utf8))])
    let heir = try await guest.handOver(to: "ann", policy: policy, storage: MemoryStorage())
    #expect(heir.appliedOverlays == ["off"] && !heir.catalog.isMonetized && heir.arms == guest.arms)
    guard case .failed(let error) = try await heir.purchase("pro") else { return #expect(Bool(false), "It is sold.") }
    #expect(error.code == .productUnavailable)
  }

  @Test("With the account as unit, only signed-in customers take part, with one arm on all devices") func accounts() throws {
    let text = Self.halves.replacingOccurrences(of: "\"arms\"", with: "\"unit\": \"account\", \"arms\"")
    #expect(try launch(text).arms == [:])
    let arms = try Set((0..<5).map { _ in try launch(text, account: "ann").arms["cta"] })
    #expect(arms.count == 1 && arms.first != .some(nil))
  }

  @Test("An arm of an account stays with it: neither the next account nor a guest has it", arguments: HandOverPolicy.allCases)
  func nextAccount(policy: HandOverPolicy) async throws {
    func text(_ arms: String) -> String { #"{ "cta": { "unit": "account", "arms": [\#(arms)] } }"# }
    let both = text(#"{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }"#)
    let names = ["ann", "bob", "cem", "dan", "eve", "fay"]
    let expected = try names.map { try launch(both, account: $0).arms }
    #expect(Set(expected).count == 2)
    let received = Locked<[MonetizeEvent]>([])
    var monetizer = try launch(both, received: received)
    var storages: [String: MemoryStorage] = [:]
    for (name, arms) in zip(names + names, expected + expected) {
      let storage = storages[name] ?? MemoryStorage()
      storages[name] = storage
      monetizer = try await monetizer.handOver(to: name, policy: policy, storage: storage)
      await monetizer.settled()
      #expect(monetizer.arms == arms, "\(name)")
      monetizer = try await monetizer.handOver(to: nil, policy: policy, storage: MemoryStorage())
      #expect(monetizer.arms == [:], "after \(name)")
    }
    #expect(received.copy.filter { $0.name == .experimentExposed }.count == names.count)
    // The account keeps its arm when the weights change.
    let (stays, goes) = expected[0] == ["cta": "a"] ? (0, 1) : (1, 0)
    let changed = text(#"{ "id": "a", "weight": \#(stays) }, { "id": "b", "weight": \#(goes) }"#)
    #expect(try launch(changed, storages["ann"] ?? MemoryStorage(), account: "ann").arms == expected[0])
  }

  @Test("Of experiments that share no customer, the earliest assignment counts, on every device that knows both")
  func apart() async throws {
    func text(_ x: String, _ y: String) -> String {
      #"{ "x": { \#(x) "arms": [{ "id": "one", "weight": 1 }] }, "y": { \#(y) "arms": [{ "id": "two", "weight": 1 }] } }"#
    }
    let parts = (#""namespace": ["n", 0, 0.5],"#, #""namespace": ["n", 0.5, 1],"#)
    for (name, arm) in [("x", "one"), ("y", "two")] {
      let first = #"{ "\#(name)": { "arms": [{ "id": "\#(arm)", "weight": 1 }] } }"#
      let kept: [ExperimentID: String] = [ExperimentID(name): arm]
      let storage = MemoryStorage()
      await (try launch(first, storage)).settled()
      await (try launch(text("", ""), storage, at: RandomFacts.start + 60)).settled()
      // Both are known, as after a sync of two devices.
      #expect(try launch(text("", ""), storage).arms.count == 2)
      #expect(try launch(text(parts.0, parts.1), storage).arms == kept)
      #expect(try launch(text(parts.1, parts.0), storage).arms == kept)
      // An experiment that was stopped gives its arm to all.
      #expect(try launch(text(parts.0 + " \"stopped\": \"one\",", parts.1 + " \"stopped\": \"two\","), storage).arms.count == 2)
    }
    // Without an earlier assignment the hash decides.
    #expect(try (0..<20).allSatisfy { _ in try launch(text(parts.0, parts.1)).arms.count == 1 })
  }

  @Test("An overlay and an arm both apply") func overlays() async throws {
    let monetizer = try launch(Self.halves)
    let arm = monetizer.arms["cta"]
    try monetizer.apply([Overlay(json: Data(#"{ "id": "o", "patch": { "paywalls": { "default": { "headline": "Now" } } } }"#.utf8))])
    #expect(monetizer.catalog.paywall(.default)?.headline == "Now")
    #expect(monetizer.decision(for: "story").limit == (arm == "a" ? 1 : 7))
    try monetizer.apply([])
    #expect(monetizer.catalog.paywall(.default)?.headline == "Pro" && monetizer.arms["cta"] == arm)
  }

  @Test("MAGIC-48: an overlay applies over the arms: it ends the selling that an arm began, and replaces an arm's limit")
  func remoteOverArms()
    async throws
  {
    func launch(_ arm: String) throws -> Monetizer {
      let text = String(decoding: Self.file(experiments: #"{ "x": { "arms": [{ "id": "a", "weight": 1, \#(arm) }] } }"#), as: UTF8.self)
      return Monetizer(
        catalog: try Catalog(
          json: Data(text.replacingOccurrences(of: "\"features\"", with: "\"monetization\": \"off\", \"features\"").utf8))
      ) {
        $0.startsByItself = false
      }
    }
    let sold = try launch(#""set": { "monetization": "on" }"#)
    #expect(sold.catalog.isMonetized)
    try sold.apply([Overlay(json: Data(#"{ "id": "rollback", "patch": { "monetization": "off" } }"#.utf8))])
    #expect(sold.decision(for: "extra").reason == .monetizationOff && sold.arms["x"] == "a")
    try sold.apply([])
    #expect(sold.catalog.isMonetized)
    let limited = try launch(#""set": { "monetization": "on", "freeTier": { "grants": { "story": 1 } } }, "products": ["pro.b"]"#)
    try limited.apply([Overlay(json: Data(#"{ "id": "seven", "patch": { "freeTier": { "grants": { "story": 7 } } } }"#.utf8))])
    #expect(limited.decision(for: "story").limit == 7)
    // The arm's products stay on sale.
    #expect(limited.catalog.paywall(.default)?.products == ["pro.b"])
  }

  @Test("Arms that only sell variants leave the experiments in the catalog; arms that set anything remove them") func remaining() throws {
    let catalog = try Catalog(
      json: Self.file(
        experiments: #"""
          { "price": { "arms": [{ "id": "b", "weight": 1, "products": ["pro.b"] }] },
            "free": { "arms": [{ "id": "c", "weight": 1, "set": { "freeTier": { "title": "Gratis" } } }] } }
          """#))
    let arms = catalog.experiments.flatMap(\.arms)
    #expect(try catalog.applying(arms: [arms[0]]).experiments.count == 2)
    #expect(try catalog.applying(arms: arms).experiments.isEmpty && catalog.applying(arms: arms).freeTierTitle == "Gratis")
  }

  @Test("A variant stays on sale when an overlay or a language follows its arm") func kept() throws {
    let catalog = try Catalog(
      json: Self.file(
        experiments: #"""
          { "price": { "arms": [{ "id": "b", "weight": 1, "products": ["pro.b"] }] },
            "free": { "arms": [{ "id": "c", "weight": 1, "set": { "freeTier": { "title": "Gratis" } } }] } }
          """#))
    let overlay = try Overlay(json: Data(#"{ "id": "o", "patch": { "paywalls": { "default": { "headline": "Now" } } } }"#.utf8))
    let strings = try CatalogStrings(json: Data(#"{ "language": "de", "products": { "pro.b": { "name": "Profi" } } }"#.utf8))
    for arms in [[catalog.experiments[0].arms[0]], catalog.experiments.flatMap(\.arms)] {
      let arm = try catalog.applying(arms: arms)
      for (changed, headline) in [
        (arm, "Pro"), (try arm.applying(overlay), "Now"), (try arm.localized(by: strings), "Pro"),
        (try arm.localized(by: strings).applying(overlay), "Now"),
      ] {
        let paywall = try #require(changed.paywall(.default))
        #expect(paywall.products == ["pro.b"] && paywall.preselected == "pro.b" && paywall.headline == headline)
        #expect(changed.products.map(\.isOffered) == [false, true])
      }
    }
    // The arms of a catalog that has none.
    #expect(try catalog.applying(overlay).products.map(\.isOffered) == [true, false])
  }
}
