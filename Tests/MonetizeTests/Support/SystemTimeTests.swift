// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

@Suite("The system's clock", .timeLimit(.minutes(30)))
struct SystemTimeTests {
  @Test("A call for a moment that has passed is made at once, a later one not before its moment, and a cancelled one never")
  func wakes() async {
    let made = Locked<[(name: String, date: Date)]>([])
    let moment = Date() + 0.05
    func wake(_ name: String, at date: Date) -> WakeUp { SystemTime().wake(at: date) { made.withLock { $0.append((name, Date())) } } }
    let (cancelled, past, later) = (wake("cancelled", at: moment), wake("past", at: moment - 3600), wake("later", at: moment))
    cancelled.cancel()
    while made.copy.count < 2 { await Task.yield() }
    #expect(made.copy.map(\.name) == ["past", "later"] && made.copy[1].date >= moment)
    withExtendedLifetime((past, later)) {}
  }
}
