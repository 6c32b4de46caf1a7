// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeTesting
import Testing

@testable import Monetize

/// Which events are sent, to which sinks, and how often.
@Suite("Events", .timeLimit(.minutes(30)))
struct EventTests {
  @Test("A use that one credit paid for is paid, also when its feature is gone; a use of the free tier is not")
  func paidByOneCredit() throws {
    let snapshot = Snapshot(of: CustomerState(), catalog: try TestShop.catalog(), at: RandomFacts.start)
    func use(_ feature: FeatureID, credits: Int) -> Use {
      Use(key: "k", feature: feature, date: RandomFacts.start, day: 20_513, zone: "GMT", credits: credits)
    }
    #expect(snapshot.isPaid(use("story", credits: 1)) && snapshot.isPaid(use("gone", credits: 1)))
    #expect(!snapshot.isPaid(use("story", credits: 0)) && !snapshot.isPaid(use("gone", credits: 0)))
  }

  static func catalog(_ events: String, audience: String = "general") throws -> Catalog {
    try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "test.app", "name": "Test", "audience": "\(audience)" },
          "features": { "story": { "allowance": "count" }, "voices": {} }, "freeTier": { "grants": { "story": 1 } },
          "products": [{ "kind": "nonConsumable", "id": "pro", "name": "Pro", "grants": { "story": "unlimited", "voices": true } }],
          "paywalls": { "default": { "headline": "Pro" } }, "events": \(events) }
        """.utf8))
  }
  static let events = """
    { "sinks": ["local", "firstParty"],
      "custom": { "storyShared": { "properties": { "length": "number", "genre": { "choice": ["funny", "calm"] }, "isNew": "boolean", "title": "text" } } },
      "names": { "storyCreatedFree": { "on": "used", "feature": "story", "paid": false },
                 "storyCreatedPremium": { "on": "used", "feature": "story", "paid": true },
                 "subscriptionPurchased": { "on": "purchaseCompleted", "product": "pro" } } }
    """

  private func launch(
    _ events: String = events, sinks: [EventSink] = [], reported: Locked<[String]> = Locked([]), store: ScriptedStore? = nil
  ) async throws -> Monetizer {
    let catalog = try Self.catalog(events)
    let store = store ?? ScriptedStore { $0.read = StoreAnswer(transactions: [], environment: .sandbox) }
    let monetizer = Monetizer(catalog: catalog) { configuration in
      (configuration.store, configuration.sinks, configuration.startsByItself) = (store, sinks, false)
      configuration.time = TestTime()
      configuration.onUnknownName = { text in reported.withLock { $0.append(text) } }
    }
    await monetizer.start()
    return monetizer
  }

  @Test("A property's value is the same after it was written and read") func values() throws {
    let values: [PropertyValue] = [.number(1.5), .boolean(true), .text("long")]
    #expect(try JSONDecoder().decode([PropertyValue].self, from: JSONEncoder().encode(values)) == values)
  }

  @Test("A journey sends each event once, in order, by the catalog's names as well") func journey() async throws {
    let sink = MemoryEventSink()
    let store = ScriptedStore { $0.read = StoreAnswer(transactions: [], environment: .sandbox) }
    let monetizer = try await launch(sinks: [.local(sink.receive)], store: store)
    try await monetizer.spend("story", key: "1")
    try await monetizer.spend("story", key: "1")
    _ = try? await monetizer.spend("story")
    _ = try? await monetizer.spend("voices")
    let bought = StoreUpdate.transaction(
      SignedTransaction(StoreTransaction(id: "1", productID: "pro", purchaseDate: RandomFacts.start, environment: .sandbox)))
    for _ in 0..<3 { await monetizer.receive(bought) }
    try await monetizer.withSpending("story") {}
    let names = sink.events.map(\.name.rawValue).filter { $0 != "accessChanged" }
    #expect(
      names == [
        "appLaunched", "used", "storyCreatedFree", "usageLimitReached", "featureRestricted", "purchaseCompleted", "subscriptionPurchased",
        "used",
        "storyCreatedPremium",
      ])
    #expect(sink.events.first { $0.name == "featureRestricted" }?.feature == "voices")
    #expect(sink.events.filter { $0.name != "appLaunched" }.allSatisfy { $0.environment == .sandbox && $0.simulated == nil })
  }

  @Test("DOZZI-39, PUZZ-01: a use is paid for by a purchase, and not by a gift, a free unlimited grant or monetization that is off")
  func paid() async throws {
    let paid = Locked<[Bool]>([])
    func shop(_ overlay: String? = nil) async throws -> Monetizer {
      let sink = EventSink.local { event in
        if event.name == .used, let isPaid = event.paid { paid.withLock { $0.append(isPaid) } }
      }
      let monetizer = try await launch(sinks: [sink])
      if let overlay { try monetizer.apply([Overlay(json: Data(overlay.utf8))]) }
      return monetizer
    }
    for overlay in [
      #"{ "id": "o", "patch": { "freeTier": { "grants": { "story": "unlimited" } } } }"#,
      #"{ "id": "o", "patch": { "monetization": "off" } }"#,
    ] {
      let free = try await shop(overlay)
      for _ in 0..<3 { try await free.spend("story") }
    }
    #expect(paid.copy == [false, false, false, false, false, false])
    let bought = try await shop()
    try await bought.spend("story")
    await bought.receive(
      .transaction(SignedTransaction(StoreTransaction(id: "1", productID: "pro", purchaseDate: RandomFacts.start, environment: .sandbox))))
    try await bought.withSpending("story") {}
    await bought.as(.child("Mia")).limit("story", to: .count(1))
    try await bought.as(.child("Mia")).spend("story")
    #expect(paid.copy.suffix(3) == [false, true, true], "a parent's limit that is reached changes nothing")
  }

  @Test("The launch is the first event, before the exposure to an experiment") func launchFirst() async throws {
    let arm = #"{ "id": "a", "weight": 1, "set": { "freeTier": { "grants": { "story": 5 } } } }"#
    let catalog = try Self.catalog(Self.events + #", "experiments": { "x": { "arms": [\#(arm)] } }"#)
    for _ in 0..<200 {
      let sink = MemoryEventSink()
      let monetizer = Monetizer(catalog: catalog) { ($0.sinks, $0.startsByItself, $0.time) = ([.local(sink.receive)], false, TestTime()) }
      await monetizer.settled()
      #expect(sink.events.map(\.name) == [.appLaunched, .experimentExposed])
    }
  }

  @Test("A child's refused use and its paywall have the child; a demo sends nothing") func whose() async throws {
    let sink = MemoryEventSink()
    let monetizer = try await launch(sinks: [.local(sink.receive)])
    let (mia, demo) = (monetizer.as(.child("Mia")), monetizer.as(.demo))
    for member in [mia, demo] {
      for _ in 0..<2 { _ = try? await member.spend("story") }
      _ = try? await member.spend("story", count: 9)
      _ = try? await member.spend("voices")
      guard case .paywall(let paywall, _) = await member.open(AccessRequest("voices")) else { continue }
      monetizer.closePaywall(paywall, by: member.member)
    }
    let sent = sink.events.filter { $0.name != .appLaunched && $0.name != .accessChanged }
    #expect(sent.allSatisfy { $0.child == "Mia" })
    for name: MonetizeEvent.Name in [.usageLimitReached, .featureRestricted, .paywallShown, .paywallDismissed] {
      #expect(sent.contains { $0.name == name }, "\(name)")
    }
  }

  @Test("A refused use under an alias is one of the feature; the number of several refused uses is in the event") func alias() async throws
  {
    let sink = MemoryEventSink()
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "features": { "story": { "allowance": "count", "aliases": ["tale"] } }, "freeTier": { "grants": { "story": 1 } },
          "events": { "sinks": ["local"] } }
        """.utf8))
    let store = ScriptedStore { $0.read = StoreAnswer(transactions: [], environment: .sandbox) }
    let monetizer = Monetizer(catalog: catalog) { ($0.store, $0.sinks, $0.startsByItself) = (store, [.local(sink.receive)], false) }
    await monetizer.start()
    try await monetizer.spend("tale")
    await #expect(throws: AccessDenied.self) { try await monetizer.spend("tale") }
    await #expect(throws: AccessDenied.self) { try await monetizer.spend("tale", count: 3) }
    let events = sink.events.filter { $0.name == .used || $0.name == .usageLimitReached }
    #expect(events.map(\.feature) == ["story", "story", "story"])
    #expect(events.map(\.count) == [1, nil, 3])
  }

  @Test("Work that fails is not a use, and an app without events sends none") func failing() async throws {
    let sink = MemoryEventSink()
    let monetizer = try await launch(sinks: [.local(sink.receive)])
    struct Failed: Error {}
    try? await monetizer.withSpending("story") { throw Failed() }
    #expect(!sink.events.contains { $0.name == .used })
  }

  @Test("XC-09, MAZE-24: what leaves the device has no text, no child and no account; a sink that is not declared is given nothing")
  func sharing() async throws {
    let (own, foreign, local) = (Locked<[SharedEvent]>([]), Locked<[SharedEvent]>([]), MemoryEventSink())
    let monetizer = try await launch(sinks: [
      .sending { event in own.withLock { $0.append(event) } },
      .sending(thirdParty: true) { event in foreign.withLock { $0.append(event) } },
      .local(local.receive),
    ])
    monetizer.track("storyShared", ["length": 3, "genre": "calm", "isNew": true, "title": "Mia and the moon"], by: .child("Mia"))
    let shared = try #require(own.copy.last)
    #expect(shared.properties == ["length": .number(3), "genre": .choice("calm"), "isNew": .boolean(true)])
    #expect(!"\(shared)".contains("Mia") && !"\(Mirror(reflecting: shared).children.map(\.value))".contains("Mia"))
    #expect(local.events.last?.child == "Mia" && local.events.last?.properties?["title"] == "Mia and the moon")
    #expect(foreign.copy.isEmpty)
    monetizer.track("storyShared", ["length": 3], by: Member(role: .demo, subject: "x"))
    #expect(local.events.filter { $0.name == "storyShared" }.count == 1, "a demo sends nothing")
  }

  @Test("A placement leaves the device if the catalog declares it, if an overlay adds it, or if decisions lead to it by themselves")
  func placements() async throws {
    let shared = Locked<[SharedEvent]>([])
    let monetizer = try await launch(sinks: [.sending { event in shared.withLock { $0.append(event) } }])
    try monetizer.apply([Overlay(json: Data(#"{ "id": "o", "patch": { "paywalls": { "spring": { "headline": "Now" } } } }"#.utf8))])
    _ = await monetizer.open(AccessRequest("voices"))
    for placement in ["default", "spring", "12 High Street"] as [PlacementID] { _ = await monetizer.openPaywall(at: placement) }
    let placements = shared.copy.filter { $0.name == .paywallShown }.map(\.placement)
    #expect(placements == [.featureRestricted, .default, "spring", nil])
  }

  @Test("Another name of an event shares the properties of that event") func namedProperties() async throws {
    let shared = Locked<[SharedEvent]>([])
    let events = """
      { "sinks": ["firstParty"], "custom": { "storyShared": { "properties": { "length": "number", "title": "text" } } },
        "names": { "shared": { "on": "storyShared" }, "begun": { "on": "onboardingStep" } } }
      """
    let monetizer = try await launch(events, sinks: [.sending { event in shared.withLock { $0.append(event) } }])
    monetizer.track("storyShared", ["length": 3, "title": "Mia and the moon"])
    var step = MonetizeEvent(.onboardingStep, at: RandomFacts.start)
    step.properties = ["step": "hello"]
    monetizer.send([step])
    for (name, other) in [("storyShared", "shared"), ("onboardingStep", "begun")] as [(MonetizeEvent.Name, MonetizeEvent.Name)] {
      let (first, second) = (shared.copy.first { $0.name == name }, shared.copy.first { $0.name == other })
      #expect(first?.properties.count == 1 && first?.properties == second?.properties, "\(name)")
    }
  }

  @Test("The types of what is shared hold no text but ids, codes and listed words") func types() throws {
    let catalog = try Shipped.catalog("maze-packs")
    let fields = Mirror(reflecting: SharedEvent(MonetizeEvent("x", at: RandomFacts.start), catalog)).children.compactMap(\.label)
    #expect(
      Set(fields) == [
        "date", "name", "environment", "isSimulated", "product", "feature", "placement", "error", "assignment", "isTrial", "isPaid",
        "properties",
      ])
    var event = MonetizeEvent("x", at: RandomFacts.start, product: "Mia Smith", feature: "mia@example.com")
    event.placement = "12 High Street"
    let shared = SharedEvent(event, catalog)
    #expect(shared.product == nil && shared.feature == nil && shared.placement == nil, "what is no id of the catalog stays")
  }

  @Test(
    "An own event that is not as declared is not sent, and the reason is reported",
    arguments: [
      ("storyShard", [:] as [String: PropertyValue]), ("storyShared", ["size": 3]), ("storyShared", ["length": "long"]),
      ("storyShared", ["genre": "sad"]), ("storyShared", ["isNew": 1]), ("storyShared", ["length": .number(.nan)]),
    ])
  func undeclared(name: String, properties: [String: PropertyValue]) async throws {
    let (sink, reported) = (MemoryEventSink(), Locked<[String]>([]))
    let monetizer = try await launch(sinks: [.local(sink.receive)], reported: reported)
    monetizer.track(MonetizeEvent.Name(name), properties)
    #expect(!sink.events.contains { $0.name.rawValue == name } && reported.copy.count == 1)
  }

  @Test("A milestone is reached with its last use, by all members together, once and not before") func milestone() async throws {
    let log = EventLog()
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "test.app", "name": "A" }, "features": { "f": { "allowance": "count" } },
          "freeTier": { "grants": { "f": 9 } }, "milestones": { "three": { "feature": "f", "uses": 3, "action": "review" } } }
        """#.utf8))
    let monetizer = try TestShop.monetizer(catalog: catalog, log: log)
    try await monetizer.spend("f")
    try await monetizer.as(.child("max")).spend("f")
    await monetizer.settled()
    #expect(log.count(.milestoneReached) == 0)
    for _ in 0..<3 {
      try await monetizer.spend("f")
      await monetizer.settled()
      #expect(log.count(.milestoneReached) == 1)
    }
  }

  @Test("No milestone is reached while a paywall is open, however long, and for five minutes after it is closed")
  func milestoneOfAPaywall() async throws {
    let (log, time) = (EventLog(), TestTime())
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "test.app", "name": "A" }, "features": { "f": { "allowance": "count" }, "g": {} },
          "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "g": true } }],
          "freeTier": { "grants": { "f": 9 } }, "milestones": { "one": { "feature": "f", "uses": 1, "action": "review" } } }
        """#.utf8))
    let monetizer = try TestShop.monetizer(time: time, catalog: catalog, log: log)
    await monetizer.start()
    guard case .paywall(let paywall, _) = await monetizer.open(AccessRequest("g")) else {
      Issue.record("No paywall opened.")
      return
    }
    for wait in [600.0, 299, 1] {
      #expect(log.count(.milestoneReached) == 0)
      time.advance(wait)
      try await monetizer.spend("f")
      await monetizer.settled()
      if wait == 600 { monetizer.closePaywall(paywall) }
    }
    #expect(log.count(.milestoneReached) == 1)
  }

  @Test("A test's customer may have used what only a milestone counts") func milestoneInATest() async throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "test.app", "name": "A" }, "features": { "f": {} }, "freeTier": { "grants": { "f": true } },
          "milestones": { "three": { "feature": "f", "uses": 3, "action": "review" } } }
        """#.utf8))
    let log = EventLog()
    let monetizer = Monetizer.testing(catalog, used: ["f": 2]) { $0.onEvent = { log.add($0) } }
    try await monetizer.spend("f")
    await monetizer.settled()
    #expect(log.count(.milestoneReached) == 1)
  }

  @Test("What happened less than five minutes ago has just happened") func justHappened() async throws {
    let time = TestTime()
    let monetizer = try TestShop.monetizer(time: time)
    monetizer.send([MonetizeEvent(.milestoneReached, at: time.now)])
    time.advance(299)
    #expect(monetizer.hasJustHappened(.milestoneReached) && !monetizer.hasJustHappened(.paywallShown))
    time.advance(1)
    #expect(!monetizer.hasJustHappened(.milestoneReached))
  }

  @Test("A late reader gets what has happened since the start, the latest 1,000 of it") func late() async throws {
    let monetizer = try await launch()
    for number in 0..<2500 { monetizer.track("storyShared", ["length": .number(Double(number))]) }
    let events = monetizer.events
    monetizer.track("storyShared", ["length": -1])
    var seen: [PropertyValue?] = []
    for await event in events {
      seen.append(event.properties["length"])
      if seen.last == .some(.number(-1)) { break }
    }
    #expect(seen.count == 1000 && seen.first == .some(.number(1501)))
    let early = try await launch()
    for await event in early.events {
      #expect(event.name == .appLaunched)
      break
    }
  }

  @Test("PUZZ-20, PUZZ-21: five minutes without an event end a session, and so does going back to the start") func sessions() {
    func count(_ seconds: [(TimeInterval, MonetizeEvent.Name)]) -> [TimeInterval] {
      ActivitySession.all(seconds.map { (RandomFacts.start + $0.0, $0.1) }).map { $0.end.timeIntervalSince($0.start) }
    }
    #expect(count([(0, .used), (299, .used)]) == [299])
    #expect(count([(0, .used), (300, .used)]) == [0, 0])
    #expect(count([(301, .used), (0, .used)]) == [0, 0], "in any order")
    #expect(count([(0, .used), (10, .sessionEnded), (20, .used)]) == [10, 0])
    #expect(count([(0, .used), (100, .used), (9000, .appLaunched)]) == [100, 0], "what was killed ended with its last event")
    #expect(count([]) == [])
    let sessions = ActivitySession.all([0, 10, 20, 900].map { (RandomFacts.start + $0, .used) })
    #expect(sessions.map(\.events) == [3, 1])
  }

  @Test("PUZZ-21: going back to the start ends the session of this child, and of no other; a demo has none")
  func endedSession() async throws {
    let sink = MemoryEventSink()
    let monetizer = try await launch(sinks: [.local(sink.receive)])
    let story: [String: PropertyValue] = ["length": 1, "isNew": true]
    for child in ["Mia", "Ben"] { monetizer.track("storyShared", story, by: .child(child)) }
    monetizer.endSession(of: .child("Mia"))
    monetizer.endSession(of: .demo)
    for child in ["Mia", "Ben"] { monetizer.track("storyShared", story, by: .child(child)) }
    #expect(sink.events.filter { $0.name == .sessionEnded }.map(\.child) == ["Mia"])
    let sessions = ["Mia", "Ben"].map { child in
      ActivitySession.all(sink.events.filter { $0.child == SubjectID(child) }.map { ($0.at, $0.name) }).count
    }
    #expect(sessions == [2, 1])
  }

  @Test("A name of the catalog for a paywall is that of its placement alone") func placementName() throws {
    let vocabulary = try #require(try Self.catalog(#"{ "names": { "a": { "on": "paywallShown", "placement": "default" } } }"#).events)
    for placement: PlacementID in [.default, .settings] {
      var event = MonetizeEvent(.paywallShown, at: RandomFacts.start)
      event.placement = placement
      #expect(vocabulary.named(event).map(\.name) == (placement == .default ? [.paywallShown, "a"] : [.paywallShown]))
    }
  }

  @Test("A name of the catalog for uses of a feature is not that of another feature's uses") func featureName() throws {
    let vocabulary = try #require(
      try Self.catalog(#"{ "names": { "a": { "on": "used", "feature": "story" }, "b": { "on": "used" } } }"#).events)
    for feature: FeatureID in ["story", "voices"] {
      var event = MonetizeEvent(.used, at: RandomFacts.start)
      event.feature = feature
      #expect(vocabulary.named(event).map(\.name.rawValue).sorted() == (feature == "story" ? ["a", "b", "used"] : ["b", "used"]))
    }
  }

  @Test("The record of a purchase has whether it is a trial", arguments: [true, false]) func trial(isTrial: Bool) {
    var event = MonetizeEvent(.purchaseCompleted, at: RandomFacts.start, product: "pro")
    event.isTrial = isTrial
    #expect(EventRecord(event).trial == (isTrial ? true : nil))
  }

  @Test("A file has a line for each event, which reads back as what was sent") func file() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let sink = MemoryEventSink()
    let monetizer = try await launch(sinks: [.file(url), .local(sink.receive)])
    try await monetizer.spend("story")
    monetizer.track("storyShared", ["length": 2.5, "isNew": false, "title": "A \"quoted\"\nline"])
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    #expect(try lines.map { try decoder.decode(EventRecord.self, from: Data($0.utf8)) } == sink.events)
    #expect(lines.count == 4)
  }

  @Test("A file of events is its owner's alone, keeps what other processes have added, and harms nothing that is in its place")
  func sharedFile() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let event = EventRecord(.appLaunched, at: RandomFacts.start)
    func send(_ count: Int) {
      for _ in 0..<count { if case .local(let receive) = EventSink.file(url) { receive(event) } }
    }
    send(2)
    #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int == 0o600)
    #expect(try String(contentsOf: url, encoding: .utf8) == event.line() + "\n" + event.line() + "\n")
    try FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url.appendingPathComponent("inside"), withIntermediateDirectories: true)
    send(1)
    #expect(FileManager.default.fileExists(atPath: url.appendingPathComponent("inside").path))
  }

  @Test(
    "A mistake in the events of a catalog is said with its code and its place",
    arguments: [
      (#"{ "sinks": ["server"] }"#, "bad-value events.sinks[0]"), (#"{ "custom": { "used": {} } }"#, "repeated-event events.custom.used"),
      (#"{ "custom": { "a": { "properties": { "b": "date" } } } }"#, "bad-value events.custom.a.properties.b"),
      (#"{ "custom": { "a": { "properties": { "b": { "choice": [] } } } } }"#, "bad-value events.custom.a.properties.b"),
      (#"{ "names": { "a": { "on": "usd" } } }"#, "unknown-event events.names.a.on"),
      (#"{ "names": { "a": { "on": "used", "feature": "stroy" } } }"#, "unknown-feature events.names.a.feature"),
      (#"{ "names": { "a": { "on": "purchaseCompleted", "product": "nothing" } } }"#, "unknown-product events.names.a.product"),
      (#"{ "names": { "used": { "on": "used" } } }"#, "repeated-event events.names.used"),
      (#"{ "names": { "a": {} } }"#, "missing-key events.names.a"),
    ])
  func mistakes(events: String, expected: String) {
    let error = #expect(throws: CatalogError.self) { try Self.catalog(events) }
    #expect(error?.diagnostics.map { "\($0.code) \($0.path)" } == [expected])
  }

  @Test("XC-09: a kids' app sends nothing to third parties, whatever its file allows", arguments: [("kids", 0), ("general", 1)])
  func kids(audience: String, count: Int) throws {
    let foreign = Locked<[SharedEvent]>([])
    var configuration = MonetizeConfiguration()
    configuration.sinks = [.sending(thirdParty: true) { event in foreign.withLock { $0.append(event) } }]
    let queue = EventQueue(configuration, try Self.catalog(#"{ "sinks": ["thirdParty"] }"#, audience: audience))
    queue.send([MonetizeEvent(.appLaunched, at: RandomFacts.start)])
    #expect(foreign.copy.count == count)
  }

  @Test("Every name that Monetize sends is one that the catalog knows") func known() {
    let reported: [MonetizeEvent.Name] = [
      .gatePresented, .gatePassed, .gateFailed, .paywallShown, .purchaseStarted, .purchaseCompleted, .purchasePending, .purchaseCancelled,
      .purchaseFailed, .purchaseUnverified, .purchaseRestored, .subscriptionRenewed, .purchaseRevoked, .accessChanged, .usageLimitReached,
      .stateDamaged, .storageFailed, .experimentExposed, .appLaunched, .used, .featureRestricted, .sessionEnded,
    ]
    #expect(reported.allSatisfy { EventVocabulary.known.contains($0.rawValue) })
  }
}
