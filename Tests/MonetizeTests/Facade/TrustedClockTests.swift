// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Law 7: the time that is believed, and the calls that are ordered by it.
@Suite("The believed time", .timeLimit(.minutes(30)))
struct TrustedClockTests {
  private let start = RandomFacts.start
  private let day = 86400.0

  @Test("A clock that is more than two days ahead of a signed time is corrected by the difference, until it is set") func ahead() {
    for (days, isCorrected) in [(2.0, false), (2.1, true)] {
      let time = TestTime(start + days * day)
      let clock = TrustedClock(time, seen: nil)
      #expect(clock.now == time.now, "believed until the store signs a time")
      #expect((clock.synchronize(with: start).correction != nil) == isCorrected)
      #expect(clock.now == (isCorrected ? start : time.now))
      time.advance(day)
      #expect(clock.now == (isCorrected ? start + day : time.now))
      time.set(start + 2 * day)
      #expect(clock.now == (isCorrected ? start + 2 * day : start + 3 * day), "a clock that was set right is believed")
    }
  }

  @Test("A clock that runs back by up to an hour was not set: it stays corrected", arguments: [1800, 3600, 3601.0])
  func drift(seconds: Double) {
    let time = TestTime(start + 10 * day)
    let clock = TrustedClock(time, seen: nil)
    _ = clock.synchronize(with: start)
    time.set(start + 10 * day - seconds)
    let isSet = seconds > 3600
    #expect(clock.now == (isSet ? time.now : start))
    time.advance(7200)
    #expect(clock.now == (isSet ? time.now : start + 7200 - seconds))
  }

  @Test("A wrong future gives way to no time before the signed one, although the device's clock was set back behind it") func behind() {
    let time = TestTime(start + 30 * day)
    let clock = TrustedClock(time, seen: nil)
    #expect(clock.now == start + 30 * day)
    time.set(start - 10 * day)
    let found = clock.synchronize(with: start).correction
    #expect(found?.latest == start && clock.now == start)
    time.set(start + day)
    #expect(clock.now == start + day)
  }

  @Test("A wrong future of an earlier run, or of another process, is corrected before this one reads its clock", arguments: [true, false])
  func earlierFuture(isStored: Bool) {
    let wrong = TimeSeen(correction: 3, latest: start + 30 * day)
    let clock = TrustedClock(TestTime(start), seen: isStored ? wrong : nil)
    if !isStored { clock.remember(wrong) }
    #expect(clock.synchronize(with: start).correction == TimeSeen(correction: 4, latest: start, corrected: start))
    #expect(clock.now == start)
  }

  @Test("A renewal status without its transaction is signed as well: it moves the believed time, and the answer is remembered")
  func renewalAlone() async throws {
    let (time, storage) = (TestTime(start), MemoryStorage())
    let renewal = RenewalInfo(originalID: "1", productID: "month", state: .expired, willRenew: false, signed: start + 3600)
    let store = ScriptedStore { $0.read = StoreAnswer(transactions: [], renewals: [renewal]) }
    let monetizer = try TestShop.monetizer(store, storage: storage, time: time)
    await monetizer.start()
    #expect(monetizer.parts.clock.now == start + 3600)
    #expect(monetizer.state.answer[0] != nil, "a purchase can have ended since")
  }

  @Test("An answer of the store with an infinite date has no date", arguments: [Double.nan, .infinity, -.infinity])
  func infinite(seconds: Double) async throws {
    let storage = MemoryStorage()
    let store = ScriptedStore { $0.read = StoreAnswer(transactions: [], date: Date(timeIntervalSinceReferenceDate: seconds)) }
    let monetizer = try TestShop.monetizer(store, storage: storage, time: TestTime(start))
    await monetizer.start()
    #expect(monetizer.now == start && monetizer.snapshot.situation.store.asOf == start)
    try await monetizer.spend("trial")
    #expect(try TestShop.monetizer(storage: storage).decision(for: "trial").used == 1)
  }

  @Test("A purchase that the store signs later than the device's time moves the believed time there") func signedPurchase() async throws {
    let store = ScriptedStore()
    let monetizer = try TestShop.monetizer(store, time: TestTime(start))
    await monetizer.start()
    let signed = start + 3 * day
    await store.deliver(.transaction(SignedTransaction(TestShop.transaction(at: signed))))
    #expect(monetizer.now == signed && monetizer.snapshot.date == signed)
  }

  @Test("A damaged file closes a monthly limit in the month that was seen, although the device's clock is behind") func damaged() throws {
    let seen = try Journal.record([.time(TimeSeen(latest: start + 40 * day))])
    let monetizer = try TestShop.monetizer(storage: DamagedStorage([seen]), time: TestTime(start))
    #expect(monetizer.now == start + 40 * day)
    #expect(!monetizer.allows("story") && !monetizer.allows("trial"))
    let open = try TestShop.monetizer(storage: MemoryStorage([seen]), time: TestTime(start))
    #expect(open.now == start + 40 * day && open.allows("story"))
  }

  @Test("A call comes at the believed time, also after the device's clock was set right") func calls() {
    for sets in [false, true] {
      let time = TestTime(start + 10 * day)
      let clock = TrustedClock(time, seen: nil)
      _ = clock.synchronize(with: start)
      let calls = Locked(0)
      clock.wake(at: start + 3600) { calls.withLock { $0 += 1 } }
      if sets { time.set(start) }
      _ = clock.now
      time.advance(3599)
      #expect(calls.copy == 0)
      time.advance(1)
      #expect(calls.copy == 1 && clock.now == start + 3600)
    }
  }

  @Test("A call is made once; ordered again for the same time, again; replaced or cancelled, not at all") func orders() {
    let time = TestTime(start)
    let clock = TrustedClock(time, seen: nil)
    let calls = Locked<[String]>([])
    func order(_ name: String, at date: Date?) { clock.wake(at: date) { calls.withLock { $0.append(name) } } }
    order("first", at: start + 10)
    time.advance(10)
    order("again", at: start + 10)
    time.advance(0)
    #expect(calls.copy == ["first", "again"])
    order("replaced", at: start + 20)
    order("earlier", at: start + 15)
    time.advance(20)
    order("cancelled", at: start + 40)
    order("", at: nil)
    time.advance(20)
    #expect(calls.copy == ["first", "again", "earlier"] && time.pending == 0)
  }

  @Test("A time that was seen before is the earliest; a signed time raises it; neither goes back") func seen() {
    let time = TestTime(start)
    let clock = TrustedClock(time, seen: TimeSeen(latest: start + 60))
    #expect(clock.now == start + 60)
    clock.remember(TimeSeen(latest: start + 90))
    #expect(clock.now == start + 90)
    clock.raise(to: start + 120)
    clock.raise(to: start + 100)
    clock.raise(to: .distantFuture + .infinity)
    #expect(clock.now == start + 120)
    time.set(start - day)
    #expect(clock.now == start + 120)
    time.set(start + 121)
    #expect(clock.now == start + 121)
  }

  @Test("A clock that is behind the signed time follows it, and an earlier signed time changes nothing") func late() {
    let time = TestTime(start)
    let clock = TrustedClock(time, seen: nil)
    #expect(clock.synchronize(with: start + day).correction == nil && clock.now == start + day)
    #expect(clock.synchronize(with: start + 60).correction == nil && clock.now == start + day)
  }

  @Test("Before the first correction, none is counted") func uncorrected() {
    #expect(TrustedClock(TestTime(start), seen: nil).fact() == .time(TimeSeen(correction: 0, latest: start)))
  }

  @Test("A time that was read from the disk is not written again") func written() {
    let time = TestTime(start)
    let clock = TrustedClock(time, seen: TimeSeen(latest: start))
    #expect(clock.written == start && clock.note() == nil)
    time.set(start + 1)
    #expect(clock.note() == .time(TimeSeen(latest: start + 1)) && clock.note() == nil)
  }
}
