// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeSimulator

/// The cost grows linearly with the events. The benchmark measures times; these tests check only their order of magnitude.
@Suite(.timeLimit(.minutes(30)))
struct ScaleTests {
  @Test func manyCustomersForAYear() throws {
    var world = Shop.world(at: "2026-01-31T00:00:00Z")
    for number in 0..<2000 { _ = try world.purchase(PurchaseRequest("monthly"), by: CustomerID("c\(number)")) }
    var renewals = 0
    world.advance(to: Shop.date("2027-01-31T00:00:00Z")) { event in if event.notification?.type == .didRenew { renewals += 1 } }
    #expect(renewals == 2000 * 12)
  }

  @Test("An app whose facts and time are unchanged is not asked again: questions grow with the steps, not with steps and devices")
  func manyDevices() async throws {
    let names = (0..<40).map { "d\($0)" }
    let devices = names.map { #""\#($0)": "\#($0)""# }.joined(separator: ", ")
    let steps = names.map { #"{ "do": "launch", "on": "\#($0)" }"# }.joined(separator: ", ")
    let json = #"{ "catalog": "c", "start": "2026-03-01T12:00:00Z", "devices": { \#(devices) }, "steps": [\#(steps)] }"#
    let catalog = #"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "story": { "allowance": "count" } } }"#
    let asked = Locked(0)
    var runner = try ScenarioRunner(try Scenario(json: Data(json.utf8)), catalog: Data(catalog.utf8))
    runner.hooks.door = { monetizer, _ in
      asked.withLock { $0 += 1 }
      return FrontDoor(monetizer)
    }
    #expect(await runner.run().passed)
    #expect((40...160).contains(asked.copy))
  }
}
