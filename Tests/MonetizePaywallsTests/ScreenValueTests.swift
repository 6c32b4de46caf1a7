// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import Testing

@Suite("Values of the screens around a paywall")
struct ScreenValueTests {
  private let utc = TimeZone(secondsFromGMT: 0) ?? .current

  // MARK: The parental gate

  /// Numbers that a seed decides.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  private func answer(_ challenge: inout ParentalChallenge, _ number: Int, _ generator: inout Generator) {
    for digit in "\(number)".compactMap(\.wholeNumberValue) { challenge.type(digit) }
    challenge.confirm(using: &generator)
  }

  @Test("The gate passes for the product and for nothing else; three wrong answers close it, and each is followed by another task")
  func gate() {
    var generator = Generator(state: 7)
    for _ in 0..<200 {
      var challenge = ParentalChallenge(using: &generator)
      let (first, second) = (challenge.first, challenge.second)
      answer(&challenge, first * second, &generator)
      #expect(challenge.state == .passed)
      var wrong = ParentalChallenge(using: &generator)
      for mistake in 1...3 {
        #expect(wrong.state == .asking)
        let before = (wrong.first, wrong.second)
        answer(&wrong, wrong.first * wrong.second + 1, &generator)
        #expect(wrong.mistakes == mistake && (wrong.first, wrong.second) != before && wrong.answer.isEmpty)
      }
      #expect(wrong.state == .failed)
      answer(&wrong, wrong.first * wrong.second, &generator)
      #expect(wrong.state == .failed, "a closed gate stays closed")
    }
  }

  @Test("A gate that was passed stays passed, whatever is deleted and confirmed afterwards; a wrong answer has a remark of its own")
  func afterwards() {
    var generator = Generator(state: 5)
    var challenge = ParentalChallenge(using: &generator)
    let first = challenge.texts(in: .english).message
    answer(&challenge, 1, &generator)
    let second = challenge.texts(in: .english).message
    #expect(first == Language.english.text(.gateMessage) && second == Language.english.text(.gateWrong) && first != second)
    answer(&challenge, challenge.first * challenge.second, &generator)
    challenge.delete()
    challenge.confirm(using: &generator)
    #expect(challenge.state == .passed && challenge.mistakes == 1)
  }

  @Test("The tasks are the 32 that the documentation names, with 26 answers of at most three digits")
  func tasks() {
    var generator = Generator(state: 1)
    var tasks: Set<[Int]> = []
    for _ in 0..<5000 {
      let challenge = ParentalChallenge(using: &generator)
      tasks.insert([challenge.first, challenge.second])
    }
    #expect(tasks.count == 32 && Set(tasks.map { $0[0] * $0[1] }).count == 26 && tasks.allSatisfy { $0[0] * $0[1] < 1000 })
  }

  @Test("An empty answer is no answer; a fourth digit and what is not a digit are ignored; digits can be deleted")
  func typing() {
    var generator = Generator(state: 3)
    var challenge = ParentalChallenge(using: &generator)
    challenge.confirm(using: &generator)
    #expect(challenge.mistakes == 0)
    for digit in [1, 12, -1, 10, 2, 3, 4] { challenge.type(digit) }
    #expect(challenge.answer == "123")
    challenge.delete()
    #expect(challenge.answer == "12")
    for _ in 0..<5 { challenge.delete() }
    #expect(challenge.answer.isEmpty)
  }

  // MARK: Notices

  @Test(
    "What is open has no notice; each reason has words of its own in every language, and none shows the id of a feature",
    arguments: ["en", "de", "ja"])
  func notices(language: String) throws {
    let catalog = try Screens.catalog("magical-stories").localized(by: CatalogStrings(json: Data(#"{ "language": "\#(language)" }"#.utf8)))
    let free = Screens.snapshot(catalog)
    let unknown = Screens.snapshot(catalog, answered: false)
    func notice(_ snapshot: Snapshot, _ request: AccessRequest) -> FeatureNotice? {
      FeatureNotice(for: request, snapshot.access(to: request), in: catalog, zone: utc)
    }
    #expect(notice(free, AccessRequest("story")) == nil)
    let locked = try #require(notice(free, AccessRequest("customThemes")))
    #expect(locked.sort == .locked && locked.button != nil && !locked.accessibilityLabel.contains("customThemes"))
    let checking = try #require(notice(unknown, AccessRequest("customThemes")))
    #expect(checking.sort == .checking && checking.button == nil && checking.message != locked.message)
    let full = try #require(notice(free, AccessRequest("childProfiles", held: 1)))
    #expect(full.sort == .locked)
  }

  @Test("A limit that no purchase lifts shows how much there was and when it starts again")
  func limit() throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "app", "name": "App" },
          "features": { "story": { "title": "Stories", "allowance": "count", "per": "month", "unit": { "one": "story", "other": "stories" } } },
          "freeTier": { "grants": { "story": 2 } }, "products": [] }
        """.utf8))
    let used = (0..<2).map {
      Fact.use(
        Use(key: "\($0)", feature: "story", date: Screens.now - 60, day: Int(Screens.now.timeIntervalSince1970) / 86400, zone: "GMT"))
    }
    let access = Screens.snapshot(catalog, used).access(to: "story")
    let notice = try #require(FeatureNotice(for: AccessRequest("story"), access, in: catalog, zone: utc))
    #expect(
      notice.sort == .closed && notice.message == "All 2 stories are used up. More from April 1, 2026." && notice.button == nil)
  }

  // MARK: Settings

  @Test("MAGIC-64: the settings have the address of the support page, and no link without one", arguments: ["magical-stories", "heatlab"])
  func support(app: String) throws {
    let catalog = try Screens.catalog(app)
    let entitlement: EntitlementID = app == "heatlab" ? "pro" : "premium"
    let summary = try #require(Screens.snapshot(catalog, []).summary(of: entitlement))
    let screen = SubscriptionScreen(summary, in: catalog, zone: utc)
    #expect(screen.supportURL?.absoluteString == catalog.legal?.support && screen.supportURL != nil && !screen.supportLabel.isEmpty)
    let silent = try Screens.catalog(app) {
      $0.replacingOccurrences(of: #""support": "[^"]*","#, with: "", options: .regularExpression)
    }
    #expect(SubscriptionScreen(summary, in: silent, zone: utc).supportURL == nil)
  }

  @Test(
    "A plan that still renews beside a purchase that gives as much for ever has a sentence in the settings",
    arguments: [
      ("en", "Monthly still renews, although you no longer need it. You can cancel it."),
      ("de", "Monthly verlängert sich weiterhin, obwohl du es nicht mehr brauchst. Du kannst es kündigen."),
      ("ja", "Monthlyは必要なくなりましたが、引き続き更新されます。解約できます。"),
    ])
  func redundant(language: String, sentence: String) throws {
    let json = """
      { "schemaVersion": 1, "app": { "id": "app", "name": "App" }, "features": { "a": {} },
        "entitlements": { "pro": { "title": "Pro", "grants": { "a": true } } },
        "products": [
          { "kind": "subscription", "id": "m", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", "entitlements": ["pro"] },
          { "kind": "nonConsumable", "id": "ever", "name": "For ever", "entitlements": ["pro"] } ] }
      """
    let catalog = try Catalog(json: Data(json.utf8)).localized(
      by: CatalogStrings(json: Data(#"{ "language": "\#(language)" }"#.utf8)))
    let plan = StoreTransaction(
      id: "1", productID: "m", purchaseDate: Screens.now - 60, expirationDate: Screens.now + 86400)
    let renewal = RenewalInfo(originalID: "1", productID: "m", state: .subscribed, willRenew: true, signed: Screens.now)
    let ever = StoreTransaction(id: "2", productID: "ever", purchaseDate: Screens.now - 30)
    for (facts, notices) in [
      ([.transaction(plan), .renewal(renewal)], []), ([.transaction(plan), .renewal(renewal), .transaction(ever)], [sentence]),
    ]
      as [([Fact], [String])]
    {
      let summary = try #require(Screens.snapshot(catalog, facts).summary(of: "pro"))
      #expect(SubscriptionScreen(summary, in: catalog, zone: utc).notices == notices)
    }
  }

  // MARK: Outcomes

  @Test("DOZZI-16: outcomes have different words; a cancellation has none", arguments: ["en", "de", "ja"])
  func outcomes(language: String) {
    let language = Language(language)
    let restores: [RestoreOutcome] = [.restored(["a"]), .nothingActive, .nothingToRestore, .failed(StoreError(.network))]
    #expect(Set(restores.compactMap { $0.text(in: language) }).count == 4 && RestoreOutcome.cancelled.text(in: language) == nil)
    #expect(PurchaseOutcome.cancelled.text(in: language) == nil && PurchaseOutcome.pending.text(in: language) == nil)
    let purchases: [PurchaseOutcome] = [.unverified, .failed(StoreError(.network)), .failed(StoreError(.otherAccount))]
    #expect(Set(purchases.compactMap { $0.text(in: language) }).count == purchases.count)
  }

  @Test("MAZE-10, MAZE-25: a story counts on its card with its third level, in any order, and its tile shows each level alone")
  func parts() throws {
    let snapshot = Screens.snapshot(try Screens.catalog("maze-packs"))
    var solved: Set<ItemPath> = []
    func counted() -> [Int] { snapshot.shelf(of: "story.play") { solved.contains($0) }.map(\.completed) }
    for (part, count) in [("hard", 0), ("easy", 0), ("medium", 1)] {
      solved.insert(ItemPath(collection: "denny", item: "1", part: part))
      #expect(counted() == [count], "\(part)")
    }
    func tiles(_ part: String?) -> [Bool] {
      snapshot.cells(of: "story.play", in: "denny", part: part) { solved.contains($0) }.prefix(2).map(\.isCompleted)
    }
    solved.insert("denny/2/easy")
    #expect(tiles("easy") == [true, true] && tiles("hard") == [true, false] && tiles(nil) == [true, false] && counted() == [1])
    // An app may complete a story as a whole.
    solved = ["denny/3"]
    #expect(counted() == [1])
  }

  @Test("A tile is spoken as completed when it is, and as locked when it is not open") func spoken() throws {
    let snapshot = Screens.snapshot(try Screens.catalog("maze-packs"))
    let cells = snapshot.cells(of: "story.play", in: "denny", part: "easy") { $0 == "denny/1/easy" }
    #expect(
      cells[0].accessibilityLabel == "1, completed" && cells[1].accessibilityLabel == "2" && cells[9].accessibilityLabel == "10, locked")
  }

  @Test("A meter is full when more was used than the limit now is, and where nothing is free") func full() throws {
    let catalog = try Screens.catalog("magical-stories") { $0.replacingOccurrences(of: "\"story\": 3", with: "\"story\": 2") }
    let uses = (0..<3).map {
      Fact.use(
        Use(key: "\($0)", feature: "story", date: Screens.now - 60, day: Int(Screens.now.timeIntervalSince1970) / 86400, zone: "GMT"))
    }
    let meter = try #require(Screens.snapshot(catalog, uses).meter(of: "story"))
    #expect(meter.used == 3 && meter.limit == 2 && meter.progress == 1)
    let none = try Screens.catalog("magical-stories") { $0.replacingOccurrences(of: "\"story\": 3", with: "\"story\": 0") }
    let empty = try #require(Screens.snapshot(none).meter(of: "story"))
    #expect(empty.limit == 0 && empty.progress == 1)
  }
}
