// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTesting
import Testing

@Suite("Conformance kits", .timeLimit(.minutes(30)))
struct KitTests {
  private static let start = Date(timeIntervalSince1970: 1_772_366_400)

  @Test("Memory and file pass the kit of storages") func storages() throws {
    let memory = MemoryStorage()
    let inMemory = StateStorageKit { memory }.run()
    #expect(inMemory.passed, "\(inMemory)")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let onDisk = StateStorageKit { FileStorage(folder.appendingPathComponent("state")) }.run()
    #expect(onDisk.passed, "\(onDisk)")
  }

  @Test("The kit notices a storage that forgets") func forgetful() {
    let report = StateStorageKit { MemoryStorage() }.run()
    #expect(report.behaviours.filter { $0.failure != nil }.map(\.id).contains("storage.reopen"))
  }

  @Test("CARD-04: the built-in kinds obey the law of kinds") func kinds() throws {
    let times = [-1, 0, 1, 29, 30, 31, 45, 400].map { Self.start + Double($0) * 86400 }
    let bought = (0..<4).map { number in
      StoreTransaction(
        id: TransactionID("\(number)"), originalID: "0", productID: "p", purchaseDate: Self.start + Double(number) * 30 * 86400,
        expirationDate: Self.start + Double(number + 1) * 30 * 86400)
    }
    let grace = RenewalInfo(
      originalID: "0", productID: "p", state: .inGracePeriod, expires: Self.start + 120 * 86400, graceUntil: Self.start + 136 * 86400,
      signed: Self.start + 120 * 86400)
    let terms = #"{ "group": "g", "level": 1, "period": "P1M" }"#
    let subscription = try JSONDecoder().decode(Subscription.self, from: Data(terms.utf8))
    let kinds: [any ProductKind] = [NonConsumable(), FreeTier(), subscription]
    for kind in kinds {
      let report = ProductKindKit(kind, transactions: bought, renewals: ["0": grace], times: times).run()
      #expect(report.passed, "\(report)")
    }
  }

  /// Owned only while the newest purchase is young: another purchase takes access away.
  private struct Fickle: ProductKind {
    static let name = "fickle"
    func ownership(from history: ProductHistory, at now: Date) -> Ownership { history.transactions.count % 2 == 1 ? .forever : .none }
  }

  @Test("The kit notices a kind in which a purchase takes away") func fickle() {
    let bought = (0..<3).map { StoreTransaction(id: TransactionID("\($0)"), productID: "p", purchaseDate: Self.start + Double($0)) }
    let report = ProductKindKit(Fickle(), transactions: bought, times: [Self.start + 10]).run()
    #expect(report.behaviours.filter { $0.failure != nil }.map(\.id) == ["kind.paying"])
  }

  // MARK: Allowances

  /// A limit with one deliberate mistake in its join or judgement.
  private struct Planted: Allowance {
    enum Flaw: CaseIterable {
      case none, addsUp, takesLeast, keepsLeft
      case usesOpen, leavesLess, itemsAlone, fewItemsOnly, heldExactly, levelExactly, shorterWindow, coinsClose, everyUse
    }
    let number: Int
    var flaw = Flaw.none

    func joined(with other: Planted) -> Planted {
      switch flaw {
      case .addsUp: Planted(number: number + other.number, flaw: flaw)
      case .takesLeast: Planted(number: min(number, other.number), flaw: flaw)
      case .keepsLeft: self
      default: Planted(number: max(number, other.number), flaw: flaw)
      }
    }

    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      let left = number - context.used
      var verdict: Verdict = left >= request.count ? .allowed : .denied(.limitReached)
      let denied = Verdict.denied(.limitReached)
      switch flaw {
      case .none, .addsUp, .takesLeast, .keepsLeft: verdict.remaining = max(0, left)
      // A larger grant opens less; each mistake is seen only by a specific question.
      case .usesOpen: if context.used > 0 { verdict = context.used >= number ? .allowed : denied }
      case .leavesLess: if context.used > 2 { verdict.remaining = max(0, 100 - number) }
      case .itemsAlone: if let item = context.item { verdict = item.ordinal == number ? .allowed : denied }
      case .fewItemsOnly: if let item = context.item { verdict = item.ordinal + number < 12 ? .allowed : denied }
      case .heldExactly: if let held = request.held { verdict = held == number - 1 ? .allowed : denied }
      case .levelExactly: if let level = request.level { verdict = level == "\(number)" ? .allowed : denied }
      case .shorterWindow:
        if let date = request.date { verdict = date > context.now - Double(10 - number) * 86400 ? .allowed : denied }
      case .coinsClose: if context.balance > 0, number > 1 { verdict = denied }
      case .everyUse: if context.countsEveryUse, context.used > 0, number > 25 { verdict = denied }
      }
      return verdict
    }
  }

  private func report(_ flaw: Planted.Flaw) -> KitReport {
    let requests = [AccessRequest("f"), AccessRequest("f", level: "1"), AccessRequest("f", level: "3")]
    return AllowanceKit(grants: [0, 1, 3, 20, 30].map { Planted(number: $0, flaw: flaw) }, requests: requests, at: Self.start).run()
  }

  @Test("The kit accepts a join that takes the most") func allowances() {
    let most = report(.none)
    #expect(most.passed && most.unchecked.isEmpty, "\(most)")
  }

  @Test(
    "The kit notices a join that adds, takes the least or depends on the order",
    arguments: [("addsUp", "allowance.idempotent"), ("takesLeast", "allowance.permissive"), ("keepsLeft", "allowance.commutative")])
  func joins(name: String, behaviour: String) throws {
    let flaw = try #require(Planted.Flaw.allCases.first { "\($0)" == name })
    #expect(report(flaw).failed.map(\.id).contains(behaviour))
  }

  @Test("G: the kit notices every judge that allows less for more, and reports the question", arguments: 4..<Planted.Flaw.allCases.count)
  func moreOpensLess(index: Int) {
    let report = report(Planted.Flaw.allCases[index])
    #expect(report.failed.map(\.id) == ["allowance.permissive"], "\(Planted.Flaw.allCases[index])")
    #expect(report.failed.first?.failure?.contains("f, ") == true)
  }

  private struct Moody: Allowance {
    private static let asked = Locked(0)
    func joined(with other: Moody) -> Moody { self }
    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      Self.asked.withLock { asked in
        asked += 1
        return asked.isMultiple(of: 7) ? .denied(.limitReached) : .allowed
      }
    }
  }

  @Test("The kit notices a judge that answers differently each time") func moody() {
    let report = AllowanceKit(grants: [Moody()], requests: [AccessRequest("f")], at: Self.start).run()
    #expect(report.failed.map(\.id) == ["allowance.pure"])
  }

  // MARK: Unchecked behaviours do not pass

  @Test("A kit without any check has not passed, and gives the reason") func nothing() {
    let none = AllowanceKit<Planted>(grants: [], requests: [AccessRequest("f")], at: Self.start).run()
    #expect(!none.passed && none.failed.isEmpty && none.unchecked.count == none.behaviours.count, "\(none)")
    let unasked = AllowanceKit(grants: [Planted(number: 1), Planted(number: 2)], requests: [], at: Self.start).run()
    #expect(unasked.unchecked.map(\.id) == ["allowance.permissive", "allowance.pure"])
    let shut = AllowanceKit(grants: [Planted(number: 0), Planted(number: -1)], requests: [AccessRequest("f")], at: Self.start).run()
    #expect(shut.unchecked.map(\.id) == ["allowance.permissive"], "a grant that opens nothing shows nothing")
    #expect("\(shut)".contains("no grant allows any of the questions"))
    #expect(!ProductKindKit(NonConsumable(), transactions: [], times: [Self.start]).run().passed)
    #expect(
      !ProductKindKit(NonConsumable(), transactions: [StoreTransaction(id: "1", productID: "p", purchaseDate: Self.start)], times: []).run()
        .passed)
  }

  // MARK: Kinds and storages

  /// A kind with one mistake.
  private struct OddKind: ProductKind {
    enum Flaw: Sendable { case moody, early }
    private static let asked = Locked(0)
    static let name = "odd"
    var flaw = Flaw.moody
    init(flaw: Flaw) { self.flaw = flaw }
    init(from decoder: any Decoder) throws {}
    func ownership(from history: ProductHistory, at now: Date) -> Ownership {
      switch flaw {
      case .moody:
        Self.asked.withLock { asked in
          asked += 1
          return asked.isMultiple(of: 2) ? .forever : .none
        }
      case .early: now < KitTests.start + 86400 ? .until(KitTests.start + 10 * 86400) : .none
      }
    }
  }

  @Test("The kit notices a kind that answers differently each time, and one with a wrong end") func oddKinds() {
    let bought = (0..<3).map { StoreTransaction(id: TransactionID("\($0)"), productID: "p", purchaseDate: Self.start + Double($0) * 3600) }
    func failed(_ flaw: OddKind.Flaw) -> [String] {
      ProductKindKit(OddKind(flaw: flaw), transactions: bought, times: [Self.start + 8000]).run().failed.map(\.id)
    }
    #expect(failed(.moody).contains("kind.pure"))
    #expect(failed(.early) == ["kind.until"])
  }

  /// A storage with one mistake, around a correct one.
  private final class OddStorage: StateStorage {
    enum Flaw: Sendable, CaseIterable { case reverses, keepsOnReplace, cutsLarge, keepsOnDelete, startsFull }
    let right: MemoryStorage
    let flaw: Flaw
    init(_ flaw: Flaw, over right: MemoryStorage) { (self.flaw, self.right) = (flaw, right) }

    func load() throws(StorageError) -> StoredRecords {
      var stored = right.load()
      if flaw == .reverses { stored.records.reverse() }
      if flaw == .cutsLarge { stored.records = stored.records.map { $0.prefix(1_000_000) } }
      if flaw == .startsFull, stored.records.isEmpty { stored.records = [Data("{}".utf8)] }
      return stored
    }
    func append(_ record: Data) throws(StorageError) { right.append(record) }
    func replace(with records: [Data]) throws(StorageError) {
      if flaw == .keepsOnReplace {
        for record in records { right.append(record) }
      } else if flaw != .keepsOnDelete || !records.isEmpty {
        right.replace(with: records)
      }
    }
  }

  @Test("The kit notices each storage with one defect", arguments: OddStorage.Flaw.allCases) private func oddStorages(
    flaw: OddStorage.Flaw
  ) {
    let disk = MemoryStorage()
    let report = StateStorageKit { OddStorage(flaw, over: disk) }.run()
    let expected =
      switch flaw {
      case .reverses: "storage.order"
      case .keepsOnReplace: "storage.replace"
      case .cutsLarge: "storage.large"
      case .keepsOnDelete: "storage.nothing"
      case .startsFull: "storage.empty"
      }
    #expect(report.failed.map(\.id).contains(expected), "\(report)")
  }
}
