// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@Suite(.timeLimit(.minutes(30)))
struct ClockTests {
  let start = Shop.date("2026-03-01T12:00:00Z")

  @Test func wakesInOrderOfDateThenOfRegistrationAtTheirOwnDates() {
    let clock = ManualClock(start)
    let received = Locked<[String]>([])
    let wakeUps = [("b", 20.0), ("a", 10.0), ("c", 20.0)].map { name, seconds in
      clock.wake(at: start.addingTimeInterval(seconds)) { [start] in
        received.withLock { $0.append("\(name)@\(Int(clock.now.timeIntervalSince(start)))") }
      }
    }
    clock.advance(by: 15)
    #expect(received.withLock { $0 } == ["a@10"])
    #expect(clock.now == start.addingTimeInterval(15))
    clock.advance(by: 100)
    #expect(received.withLock { $0 } == ["a@10", "b@20", "c@20"])
    #expect(wakeUps.count == 3)
  }

  @Test func neverGoesBackAndForgetsWhatWasDropped() {
    let clock = ManualClock(start)
    let count = Locked(0)
    do { _ = clock.wake(at: start.addingTimeInterval(5)) { count.withLock { $0 += 1 } } }
    clock.advance(to: start.addingTimeInterval(-100))
    #expect(clock.now == start)
    clock.advance(by: 10)
    #expect(count.withLock { $0 } == 0)
    #expect(clock.nextWake == nil)
  }

  @Test func aWakeMayRegisterTheNext() {
    let clock = ManualClock(start)
    let beats = Locked<[Date]>([])
    let held = Locked<[WakeUp]>([])
    @Sendable func beat(_ date: Date) {
      let wakeUp = clock.wake(at: date) {
        beats.withLock { $0.append(clock.now) }
        beat(date.addingTimeInterval(60))
      }
      held.withLock { $0.append(wakeUp) }
    }
    beat(start.addingTimeInterval(60))
    clock.advance(by: 600)
    #expect(beats.withLock { $0.count } == 10)
  }

  @Test func aDeviceBelievesItsOwnTime() async throws {
    let store = SimulatedStore(products: [], start: start)
    let phone = store.device()
    let received = Locked<[Date]>([])
    let wakeUp = phone.time.wake(at: start.addingTimeInterval(3600)) { received.withLock { $0.append(store.clock.now) } }
    await store.advance(by: 60)
    #expect(received.withLock { $0.isEmpty })
    // Set ahead by hand: timers due on the device's clock fire immediately, although true time has not moved.
    try await store.setClock(start.addingTimeInterval(7200), device: .device)
    #expect(received.withLock { $0 } == [start.addingTimeInterval(60)])
    #expect(phone.time.now == start.addingTimeInterval(7200))
    await store.advance(by: 60)
    #expect(phone.time.now == start.addingTimeInterval(7260))
    try await store.setClock(nil)
    #expect(phone.time.now == store.clock.now)
    wakeUp.cancel()
  }

  @Test func aClockSetBackWaitsLonger() async throws {
    let store = SimulatedStore(products: [], start: start)
    let phone = store.device()
    let count = Locked(0)
    let wakeUp = phone.time.wake(at: start.addingTimeInterval(60)) { count.withLock { $0 += 1 } }
    try await store.setClock(start.addingTimeInterval(-86400))
    await store.advance(by: 3600)
    #expect(count.withLock { $0 } == 0)
    await store.advance(by: 86400)
    #expect(count.withLock { $0 } == 1)
    wakeUp.cancel()
  }
}
