// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTesting
import Testing

@Suite("The clock of tests", .timeLimit(.minutes(30)))
struct TestClockTests {
  private let start = Date(timeIntervalSince1970: 1_772_366_400)
  private let calls = Locked<[String]>([])

  private func note(_ name: String, _ clock: TestClock) {
    calls.withLock { $0.append("\(name) \(Int(clock.now.timeIntervalSince(start)))") }
  }

  @Test("Calls come earliest first, each at its own time; those of one time in the order in which they were requested")
  func order() {
    let clock = TestClock(start)
    var held: [WakeUp] = []
    for (name, seconds) in [("c", 30), ("a", 10), ("b1", 20), ("b2", 20), ("later", 31)] {
      held.append(clock.wake(at: start + Double(seconds)) { [self] in note(name, clock) })
    }
    clock.advance(by: 9)
    #expect(calls.copy.isEmpty && clock.now == start + 9)
    clock.advance(to: start + 30)
    #expect(calls.copy == ["a 10", "b1 20", "b2 20", "c 30"] && clock.now == start + 30)
    clock.advance(to: start + 5)
    clock.advance(by: -5)
    #expect(clock.now == start + 30, "a clock of tests does not go back")
    clock.advance(by: 1)
    #expect(calls.copy.last == "later 31" && calls.copy.count == 5)
    clock.advance(by: 1000)
    #expect(calls.copy.count == 5, "each call comes once")
    withExtendedLifetime(held) {}
  }

  @Test("A call may request another, which comes within the same step if it is due; a cancelled one does not come")
  func chain() {
    let clock = TestClock(start)
    let held = Locked<[WakeUp]>([])
    let first = clock.wake(at: start + 10) { [self] in
      note("first", clock)
      for (name, seconds) in [("due", 20.0), ("not due", 40.0)] {
        let next = clock.wake(at: start + seconds) { note(name, clock) }
        held.withLock { $0.append(next) }
      }
    }
    var cancelled: WakeUp? = clock.wake(at: start + 15) { [self] in note("cancelled", clock) }
    #expect(cancelled != nil)
    cancelled = nil
    clock.advance(by: 30)
    #expect(calls.copy == ["first 10", "due 20"])
    // A time that is past is due at once, at the present time.
    let past = clock.wake(at: start) { [self] in note("past", clock) }
    clock.advance(by: 0)
    #expect(calls.copy.last == "past 30")
    withExtendedLifetime((first, past)) {}
  }
}
