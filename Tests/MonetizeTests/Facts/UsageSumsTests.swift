// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// The sums of a feature's uses, kept while uses arrive and change.
@Suite(.timeLimit(.minutes(30)))
struct UsageSumsTests {
  /// Few keys, times and zones, so that uses change, share an instant and replace the first use of a day.
  private static func use(_ random: inout SplitMix64) -> Use {
    let hour = Int.random(in: 0..<60, using: &random)
    return Use(
      key: "\(Int.random(in: 0..<12, using: &random))", feature: "story", amount: .random(in: 0...2, using: &random),
      date: RandomFacts.start + TimeInterval(hour) * 3600, day: 20_513 + hour / 24,
      zone: RandomFacts.zones.randomElement(using: &random) ?? "UTC", counted: Bool.random(using: &random),
      status: [.released, .reserved, .committed].randomElement(using: &random) ?? .committed, attempt: .random(in: 0...1, using: &random))
  }

  private static func totals(_ uses: [Use]) -> (UsageTotals, UsageLedger) {
    var ledger = UsageLedger()
    for use in uses { ledger.insert(use) }
    let end = RandomFacts.start + 100 * 86400
    return (ledger.totals(of: "story", by: .customer, since: .distantPast, at: end, in: nil), ledger)
  }

  @Test("Uses that are reserved and then committed count once each, at one instant and at many") func committed() {
    func ledger(every seconds: TimeInterval) -> UsageLedger {
      var ledger = UsageLedger()
      for number in 0..<20_000 {
        var use = Use(
          key: "\(number)", feature: "story", date: RandomFacts.start + TimeInterval(number) * seconds, day: 20_513, zone: "UTC",
          status: .reserved)
        ledger.insert(use)
        use.status = .committed
        ledger.insert(use)
      }
      return ledger
    }
    for seconds in [0, 1] as [TimeInterval] {
      let ledger = ledger(every: seconds)
      #expect(ledger.uses.allSatisfy { $0.status == .committed })
      #expect(ledger.totals(of: "story", by: .customer, since: .distantPast, at: RandomFacts.start + 86400, in: nil).all == 20_000)
    }
  }

  @Test("A use that was reserved, committed and then refused by the disk leaves no moment in a limit that looks back to it")
  func refused() {
    func use(_ key: String, _ status: Use.Status) -> Use {
      Use(key: key, feature: "story", date: RandomFacts.start, day: 20_513, zone: "UTC", status: status)
    }
    let other = use("b", .committed)
    let (totals, _) = Self.totals([other, use("a", .reserved), use("a", .committed), use("a", .committed).refused])
    #expect(totals.all == 1 && totals == Self.totals([other]).0)
  }

  @Test("A stretch ends with the end of the longer one that it is extended by") func longStretch() {
    func stretch(_ hours: [TimeInterval]) -> UsageHistory.Stretch {
      let uses = hours.map {
        UsageHistory.Stretch(
          Use(key: "\($0)", feature: "story", date: RandomFacts.start + $0 * 3600, day: 20_513, zone: "UTC"))
      }
      return uses.dropFirst().reduce(into: uses[0]) { $0.extend(with: $1) }
    }
    var whole = stretch([1, 2])
    whole.extend(with: stretch([3, 5]))
    #expect(whole == stretch([1, 2, 3, 5]) && whole.last == RandomFacts.start + 5 * 3600)
  }

  @Test("A use of the production environment is in the same sums as one without an environment") func production() {
    func key(_ environment: StoreEnvironment?) -> UsageHistory.Key {
      var use = Use(key: "a", feature: "story", date: RandomFacts.start, day: 20_513, zone: "UTC")
      use.environment = environment
      return UsageHistory(like: use, []).key
    }
    #expect(key(.production) == key(nil) && key(.sandbox) != key(nil))
  }

  @Test("A total without days is kept when uses with days are added") func daylessTotal() throws {
    func totals(_ uses: [Use]) -> UsageTotals { Self.totals(uses).0 }
    let use = Use(key: "a", feature: "story", date: RandomFacts.start, day: 20_513, zone: "UTC")
    var sum = UsageTotals()
    (sum.counted, sum.all) = (2, 2)
    sum.add(totals([use]))
    #expect(sum.counted == 3 && sum.all == 3 && sum.days.map(\.all) == [1])
  }

  @Test("A day has the zone of its first use that counts, among single uses and sums of one use alike") func zones() {
    func use(_ key: String, _ zone: String, hour: Double, _ status: Use.Status = .committed, attempt: Int = 0) -> Use {
      Use(
        key: key, feature: "story", date: RandomFacts.start + hour * 3600, day: hour < -20 ? 20_512 : 20_513, zone: zone, status: status,
        attempt: attempt)
    }
    var stretch = UsageHistory.Stretch(use("a", "Asia/Tokyo", hour: 0, .released))
    stretch.extend(with: .init(use("b", "Europe/Paris", hour: 2)))
    #expect(stretch.zone == "Europe/Paris" && stretch.begins == RandomFacts.start + 2 * 3600)
    var ledger = UsageLedger()
    let before = UsageHistory.Stretch(use("z", "Asia/Tokyo", hour: -30))
    ledger.insert(contentsOf: [UsageHistory(like: use("b", "Europe/Paris", hour: 2), [before, stretch])])
    func zone() -> String? {
      ledger.totals(of: "story", by: .customer, since: nil, at: RandomFacts.start + 86400, in: nil).days.last?.zone
    }
    #expect(zone() == "Europe/Paris")
    // An earlier use is reserved, and then given back.
    ledger.insert(use("c", "America/Lima", hour: -1, .reserved))
    #expect(zone() == "America/Lima")
    ledger.insert(use("c", "America/Lima", hour: -1, .released, attempt: 1))
    #expect(zone() == "Europe/Paris")
  }

  @Test("Sums, days with their zones, and moments depend only on the uses, not on their order and earlier versions") func order() {
    expectHolds(Seed.run(1000)) { seed in
      var random = SplitMix64(seed: seed)
      let uses = (0..<20).map { _ in Self.use(&random) }
      let (totals, ledger) = Self.totals(uses)
      let (shuffled, other) = Self.totals(uses.shuffled(using: &random))
      guard ledger == other else { return Violation("the order decided which uses are known") }
      return totals == shuffled && totals == Self.totals(ledger.uses).0 ? nil : Violation("\(totals) and \(shuffled)")
    }
  }

  @Test("A sum of one use counts in a limit that looks back to it, and a product that counts from the first use sees its last one")
  func sums() {
    func use(_ key: String, _ hours: TimeInterval) -> Use {
      Use(key: key, feature: "story", date: RandomFacts.start + hours * 3600, day: 20_513, zone: "UTC")
    }
    func ledger(_ uses: [Use]) -> UsageLedger {
      var stretch = UsageHistory.Stretch(uses[0])
      for use in uses.dropFirst() { stretch.extend(with: UsageHistory.Stretch(use)) }
      var ledger = UsageLedger()
      ledger.insert(contentsOf: [UsageHistory(like: uses[0], [stretch])])
      return ledger
    }
    let one = ledger([use("a", 1)]).totals(of: "story", by: .customer, since: RandomFacts.start, at: RandomFacts.start + 86400, in: nil)
    #expect(one.moments.map(\.all) == [1])
    var released = ledger([use("a", 1).released])
    released.insert(use("d", 2))
    let totals = released.totals(of: "story", by: .customer, since: RandomFacts.start, at: RandomFacts.start + 86400, in: nil)
    #expect(totals.moments.map(\.all) == [1])
    let dates = ledger([use("a", 1), use("b", 2), use("c", 5)]).dates(of: ["story"], in: nil)
    #expect(Set(dates) == [RandomFacts.start + 3600, RandomFacts.start + 5 * 3600])
    var tested = use("t", 1)
    tested.environment = .sandbox
    #expect(ledger([tested]).dates(of: ["story"], in: nil).first == tested.date, "before the environment is known, all count")
    #expect(ledger([tested]).dates(of: ["story"], in: .production).isEmpty)
  }
}
