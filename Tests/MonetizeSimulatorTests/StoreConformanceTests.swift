// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTesting
import Testing

/// The simulated store does what every store does; a quirk breaks what it is named after and nothing else, and the kit notices.
@Suite("Store conformance", .timeLimit(.minutes(10)))
struct StoreConformanceTests {
  @Test("With every quirk off every behaviour is checked and holds") func wellBehaved() async throws {
    let report = await StoreBackendKit(driver: try SimulatedDriver()).run()
    #expect(report.passed, "\(report)")
    #expect(report.unchecked.isEmpty, "\(report)")
    #expect(report.behaviours.count >= 60)
    #expect(Set(report.behaviours.map(\.id)).count == report.behaviours.count)
    #expect(report.behaviours.allSatisfy { !($0.source ?? "").isEmpty })
    print(report)
  }

  /// What each quirk breaks on purpose.
  static let broken: [StoreQuirk: Set<String>] = [:]

  @Test("With a quirk on the kit notices just that", arguments: StoreQuirk.all) func quirk(_ quirk: StoreQuirk) async throws {
    let report = await StoreBackendKit(driver: try SimulatedDriver(quirks: [quirk])).run()
    #expect(Set(report.failed.map(\.id)) == Self.broken[quirk] ?? [], "\(quirk)")
    #expect(report.unchecked.isEmpty)
  }

  @Test("From outside only a part can be checked, and the rest has not passed") func plain() async throws {
    let report = await StoreBackendKit(nonConsumable: "pack") { Shop.store().device() }.run()
    #expect(report.passed, "\(report)")
    #expect(report.unchecked.count > 30)
    #expect(report.unchecked.map(\.id).contains("news.refund"))
    #expect(report.description.contains("Not checked"))
  }

  @Test("The kit notices a store that cannot be bought from") func emptyStore() async {
    let report = await StoreBackendKit(nonConsumable: "pack") { EmptyStore() }.run()
    #expect(report.failed.map(\.id).contains("store.products"))
    #expect(report.failed.map(\.id).contains("store.purchase"))
  }
}
