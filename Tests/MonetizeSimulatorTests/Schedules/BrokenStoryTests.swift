// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize
@testable import MonetizeSimulator

/// The laws detect deliberate defects within a few steps.
@Suite("Broken on purpose", .timeLimit(.minutes(30)))
struct BrokenStoryTests {
  private func shortest(
    breaking law: String, _ breaking: @escaping (ScenarioHooks) -> ScenarioHooks, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (Story, Violation)? {
    try await Self.shortest(breaking: law, among: 1...600, of: Story.Shelf(), breaking, sourceLocation: sourceLocation)
  }

  /// Finds a story that breaks the law, and its shortest form.
  /// - Parameter about: A text that one of its steps must contain.
  static func shortest(
    breaking law: String, among seeds: ClosedRange<UInt64>, about: String = "", of shelf: Story.Shelf,
    _ breaking: @escaping (ScenarioHooks) -> ScenarioHooks, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (Story, Violation)? {
    for seed in seeds {
      let story = StoryTeller.story(seed: seed)
      guard about.isEmpty || story.steps.contains(where: { $0.text.contains(about) }),
        try await StoryRun.play(story, shelf, breaking: breaking).violation?.what.law == law
      else { continue }
      var shrinker = StoryShrinker(law: law, shelf: shelf, breaking: breaking)
      let short = await shrinker.shrink(story)
      guard let what = try await StoryRun.play(short, shelf, breaking: breaking).violation?.what else { return nil }
      try await expectRuns(short, what, breaking: breaking, sourceLocation: sourceLocation)
      return (short, what)
    }
    return nil
  }

  /// The printed story is a scenario: with the same defect it shows the failure, and without a defect it holds.
  private static func expectRuns(
    _ story: Story, _ violation: Violation, breaking: (ScenarioHooks) -> ScenarioHooks, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let file = Data(story.file(of: violation).utf8)
    let scenario = try Scenario(json: file)
    #expect(scenario.title.hasPrefix("\(violation.law): "), sourceLocation: sourceLocation)
    let folder = Story.root.appendingPathComponent("Examples/Scenarios/regressions")
    let catalog = try Data(contentsOf: folder.appendingPathComponent(scenario.catalogPath))
    var runner = try ScenarioRunner(scenario, catalog: catalog)
    let whole = await runner.run()
    #expect(whole.passed && whole.entries.count >= story.steps.count, sourceLocation: sourceLocation)
    runner.hooks = breaking(ScenarioHooks())
    let broken = await runner.run()
    #expect(broken.failures.isEmpty == (violation.expectation == nil), sourceLocation: sourceLocation)
  }

  @Test("A store that lists nothing and knows no transaction") func listsNothing() async throws {
    let found = try await shortest(breaking: "all-that-is-paid") { hooks in
      var broken = hooks
      broken.store = { store, session in hooks.store(BrokenStore(store: store, flaw: .knowsNothing), session) }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 4, "\(story.file(of: violation))")
    #expect(violation.expectation != nil)
  }

  @Test("A storage that drops purchases") func dropsRecords() async throws {
    let found = try await shortest(breaking: "durable-before-finish") { hooks in
      var broken = hooks
      broken.storage = { storage, _ in ForgetfulStorage(storage: storage) }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 3, "\(story.file(of: violation))")
  }

  @Test("A backend that finishes a purchase itself") func finishesEarly() async throws {
    let found = try await shortest(breaking: "durable-before-finish") { hooks in
      var broken = hooks
      broken.store = { store, session in BrokenStore(store: hooks.store(store, session), flaw: .finishesEarly) }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 3, "\(story.file(of: violation))")
  }

  @Test("A store that revokes everything it is asked about") func takesBack() async throws {
    let found = try await shortest(breaking: "all-that-is-paid") { hooks in
      var broken = hooks
      broken.store = { store, session in hooks.store(BrokenStore(store: store, flaw: .refundsOnRead), session) }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 4, "\(story.file(of: violation))")
  }

  @Test("A generous store gives unpaid products") func givesAway() async throws {
    let found = try await shortest(breaking: "nothing-more") { hooks in
      var broken = hooks
      broken.store = { store, session in hooks.store(BrokenStore(store: store, flaw: .givesAway), session) }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 2, "\(story.file(of: violation))")
  }

  @Test("A store that reports no refunds of credits") func keepsCredits() async throws {
    let found = try await shortest(breaking: "credits-come") { hooks in
      var broken = hooks
      broken.store = { store, session in hooks.store(BrokenStore(store: store, flaw: .hidesRefunds), session) }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(violation.expectation == nil)
    #expect(story.steps.count <= 4, "\(story.file(of: violation))")
  }

  @Test("A store that grants two for the price of one") func sellsTwo() async throws {
    let found = try await shortest(breaking: "credits-are-paid") { hooks in
      var broken = hooks
      broken.store = { store, session in hooks.store(BrokenStore(store: store, flaw: .doubles), session) }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 3, "\(story.file(of: violation))")
  }

  @Test("A pass that ends a minute late") func latePass() async throws {
    let found = try await shortest(breaking: "a-pass-ends-exactly") { hooks in
      var broken = hooks
      broken.store = { store, session in hooks.store(BrokenStore(store: store, flaw: .datesLate), session) }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 3, "\(story.file(of: violation))")
  }

  @Test("A facade that answers from before the last change", arguments: [false, true]) func staleFacade(onlyInEvents: Bool) async throws {
    let found = try await shortest(breaking: "one-answer") { hooks in
      var broken = hooks
      let before = Locked<[String: Snapshot]>([:])
      broken.door = { monetizer, session in
        var door = FrontDoor(monetizer)
        guard let old = before.withLock({ $0[session.name] }), session.isAsking || !onlyInEvents else { return door }
        door.allows = { old.allows($0) }
        door.decision = { old.decision(for: $0) }
        return door
      }
      broken.after = { world, _ in
        for session in world.sessions { before.withLock { $0[session.name] = session.monetizer?.snapshot } }
      }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 3, "\(story.file(of: violation))")
  }

  @Test("A story is the same each time, and a scenario") func stories() throws {
    for seed in UInt64(1)...50 {
      let story = StoryTeller.story(seed: seed)
      #expect(story == StoryTeller.story(seed: seed))
      #expect(try story.scenario().stepCount == story.steps.count)
    }
    #expect(StoryTeller.story(seed: 1) != StoryTeller.story(seed: 2))
  }
}

private struct BrokenStore: StoreBackend {
  enum Flaw: Sendable { case knowsNothing, finishesEarly, refundsOnRead, givesAway, hidesRefunds, doubles, datesLate }
  let store: any StoreBackend
  let flaw: Flaw

  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] { try await store.products(for: ids) }
  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult {
    let result = try await store.purchase(request)
    guard case .success(let signed) = result else { return result }
    if flaw == .finishesEarly { try await store.finish(signed.transaction.id) }
    return .success(changed(signed))
  }
  func read() async throws(StoreError) -> StoreAnswer {
    var answer = try await store.read()
    answer.transactions = answer.transactions.map(changed)
    if flaw == .knowsNothing { answer.transactions = [] }
    if flaw == .refundsOnRead {
      for index in answer.transactions.indices {
        answer.transactions[index].transaction.revocation = .init(date: answer.transactions[index].transaction.purchaseDate)
      }
    }
    if flaw == .givesAway {
      var gift = StoreTransaction(id: "gift", productID: "pack", purchaseDate: answer.date ?? .distantPast)
      gift.revision = Revision(.distantPast)
      answer.transactions.append(SignedTransaction(gift))
    }
    return answer
  }
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding {
    flaw == .knowsNothing ? .gone : try await store.standing(of: transaction)
  }
  func unfinished() async throws(StoreError) -> [SignedTransaction] {
    flaw == .knowsNothing ? [] : try await store.unfinished().filter { !isHidden($0) }.map(changed)
  }
  func finish(_ transaction: TransactionID) async throws(StoreError) { try await store.finish(transaction) }
  func synchronize() async throws(StoreError) { try await store.synchronize() }
  func appTransaction() async throws(StoreError) -> AppTransactionRecord { try await store.appTransaction() }
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening {
    store.listen { update in
      guard case .transaction(let signed) = update else { return await deliver(update) }
      if !isHidden(signed) { await deliver(.transaction(changed(signed))) }
    }
  }

  private func isHidden(_ signed: SignedTransaction) -> Bool {
    flaw == .hidesRefunds && signed.transaction.productID == "jar" && signed.transaction.revocation != nil
  }

  private func changed(_ signed: SignedTransaction) -> SignedTransaction {
    var transaction = signed.transaction
    if flaw == .doubles { transaction.quantity *= 2 }
    if flaw == .datesLate, transaction.productID == "season" { transaction.purchaseDate += 60 }
    return SignedTransaction(transaction, isVerified: signed.isVerified)
  }
}

/// Confirms a write that it did not make.
private struct ForgetfulStorage: StateStorage {
  let storage: any StateStorage
  func load() throws(StorageError) -> StoredRecords { try storage.load() }
  func append(_ record: Data) throws(StorageError) {
    if record.range(of: Data("purchaseDate".utf8)) == nil { try storage.append(record) }
  }
  func replace(with records: [Data]) throws(StorageError) { try storage.replace(with: records) }
}
