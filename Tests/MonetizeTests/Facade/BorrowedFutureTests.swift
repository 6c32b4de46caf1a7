// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// The possible gain from a clock that is set ahead offline (law 7, defect H13).
@Suite(.timeLimit(.minutes(30)))
struct BorrowedFutureTests {
  private static let limit = 3

  /// Spends until the limit denies, and returns the number of uses that were granted.
  private func useUp(_ monetizer: Monetizer) async throws -> Int {
    for granted in 0...Self.limit {
      do { try await monetizer.spend("story") } catch { return granted }
    }
    return Self.limit + 1
  }

  private func date(_ text: String) throws -> Date { try #require(ISODate.parse(text, in: Calendar.storeCalendar.timeZone)) }

  private func month(_ date: Date) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = Calendar.storeCalendar.timeZone
    let parts = calendar.dateComponents([.year, .month], from: date)
    return (parts.year ?? 0) * 12 + (parts.month ?? 0)
  }

  @Test("H13: each month gives its limit once, for any clock that reaches it; a signed time leaves nothing in the true month")
  func boundIsTheMonthsThatWereNamed() async throws {
    for seed in Seed.base..<Seed.base + 40 {
      var random = SplitMix64(seed: seed)
      let truth = try date("2026-03-10T12:00:00Z")
      let time = TestTime(truth)
      let store = ScriptedStore { $0.read = nil }
      let storage = MemoryStorage()
      var monetizer = try TestShop.monetizer(store, storage: storage, time: time)
      var granted: [Int: Int] = [:]
      var latest = truth
      for _ in 0..<Int.random(in: 1...24, using: &random) {
        time.set(truth + TimeInterval(Int.random(in: -400...800, using: &random) * 86400))
        if Bool.random(using: &random) { monetizer = try TestShop.monetizer(store, storage: storage, time: time) }
        latest = max(latest, monetizer.now)
        granted[month(monetizer.now), default: 0] += try await useUp(monetizer)
      }
      #expect(granted.values.allSatisfy { $0 <= Self.limit }, "seed \(seed): \(granted)")

      // The store signs the true time, months earlier: the borrowed uses are missing now, and again in their own months.
      time.set(truth)
      store.change { $0.read = StoreAnswer(transactions: [], date: truth) }
      await monetizer.refresh()
      let isForgiven = latest > truth + 2 * 86400
      let borrowed = granted.filter { $0.key > month(truth) }.values.reduce(0, +)
      let left = try await useUp(monetizer)
      if isForgiven, borrowed >= Self.limit { #expect(left == 0, "seed \(seed): \(left) left after \(borrowed) were borrowed") }
      for (number, uses) in granted where number > month(truth) && uses == Self.limit {
        // The middle of that month: after every corrected date, so the uses count in the month of their dates.
        let middle = try date("\((number - 1) / 12)-\(String(format: "%02d", (number - 1) % 12 + 1))-15T12:00:00Z")
        time.set(middle)
        store.change { $0.read = StoreAnswer(transactions: [], date: middle) }
        await monetizer.refresh()
        #expect(try await useUp(monetizer) == 0, "seed \(seed): month \(number) gave its limit twice")
        break
      }
    }
  }
}
