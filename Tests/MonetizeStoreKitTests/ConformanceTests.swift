// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator
import MonetizeStoreKit
import MonetizeTesting
import StoreKit
import Testing

/// The adapter over the stand-in, behind which is the simulated App Store: values go through StoreKit's types and back.
@Suite("StoreKit: conformance", .timeLimit(.minutes(30)))
struct ConformanceTests {
  @Test("HEAT-10, DOZZI-07…11: the adapter has the behaviour of every store, and what StoreKit answers from its cache is not checked")
  func kit() async throws {
    let report = await StoreBackendKit(driver: try StandInDriver()).run()
    #expect(report.failed.isEmpty, "\(report)")
    #expect(report.unchecked.map(\.id) == ["list.date", "offline.read", "offline.standing", "offline.unfinished"])
  }

  @Test("From outside only a part can be checked, as with StoreKit itself, and the rest has not passed") func plain() async throws {
    let driver = try StandInDriver()
    let report = await StoreBackendKit(nonConsumable: "pack", answersFromCache: true) { try await driver.newCustomer().store }.run()
    #expect(report.passed, "\(report)")
    #expect(report.unchecked.count > 30 && report.description.contains("Not checked"))
  }
}
