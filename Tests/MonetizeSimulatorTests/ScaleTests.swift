// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

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
}
