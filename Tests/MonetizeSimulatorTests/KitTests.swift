// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTesting
import Testing

@Suite("Conformance kits", .timeLimit(.minutes(10)))
struct KitTests {
  private static let start = Date(timeIntervalSince1970: 1_772_366_400)

  @Test("Memory and file keep what every storage has to keep") func storages() throws {
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

  @Test("CARD-04: the built-in kinds keep the law of kinds") func kinds() throws {
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

  /// Owned only while the newest purchase is young: one more purchase takes away.
  private struct Fickle: ProductKind {
    static let name = "fickle"
    func ownership(from history: ProductHistory, at now: Date) -> Ownership { history.transactions.count % 2 == 1 ? .forever : .none }
  }

  @Test("The kit notices a kind in which a purchase takes away") func fickle() {
    let bought = (0..<3).map { StoreTransaction(id: TransactionID("\($0)"), productID: "p", purchaseDate: Self.start + Double($0)) }
    let report = ProductKindKit(Fickle(), transactions: bought, times: [Self.start + 10]).run()
    #expect(report.behaviours.filter { $0.failure != nil }.map(\.id) == ["kind.paying"])
  }

  private struct Sum: Allowance {
    let number: Int
    func joined(with other: Sum) -> Sum { Sum(number: number + other.number) }
    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      number >= request.count ? .allowed : .denied(.limitReached)
    }
  }
  private struct Most: Allowance {
    let number: Int
    func joined(with other: Most) -> Most { Most(number: max(number, other.number)) }
    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      number >= request.count ? .allowed : .denied(.limitReached)
    }
  }

  @Test("The kit accepts a join that takes the most, and notices one that adds up") func allowances() {
    let requests = [1, 2, 5].map { AccessRequest("f", count: $0) }
    let most = AllowanceKit(grants: [0, 1, 3].map(Most.init), requests: requests, at: Self.start).run()
    #expect(most.passed, "\(most)")
    let sum = AllowanceKit(grants: [0, 1, 3].map(Sum.init), requests: requests, at: Self.start).run()
    #expect(sum.behaviours.filter { $0.failure != nil }.map(\.id) == ["allowance.idempotent"])
  }
}
