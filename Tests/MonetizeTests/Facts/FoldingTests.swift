// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// Sums instead of single uses that are long past.
struct FoldingTests {
  private static let start = RandomFacts.start
  private static let day: TimeInterval = 86400

  private static let text = """
    { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
      "features": {
        "ever": { "allowance": "count" },
        "daily": { "allowance": "count", "per": "day", "aliases": ["old.daily"] },
        "monthly": { "allowance": "count", "per": "month" },
        "yearly": { "allowance": "count", "per": "year" },
        "rolling": { "allowance": "count", "per": "P20D" },
        "anchored": { "allowance": "count", "per": { "anchored": "P1M" } },
        "screen": { "allowance": "duration", "per": "week" } },
      "freeTier": { "grants": { "ever": 5000, "daily": 4, "monthly": 60, "yearly": 700, "rolling": 40, "screen": "PT1H" } },
      "products": [
        { "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "anchored": 30 } },
        { "kind": "consumable", "id": "coin", "name": "Coin", "credits": { "daily": 50, "screen": "PT2H" } }] }
    """
  private static let features: [FeatureID] = ["ever", "daily", "old.daily", "monthly", "yearly", "rolling", "anchored", "screen"]

  /// The records of a device: its times and days never go back, as the facade ensures.
  private struct Device {
    let source: SourceID
    var uses: [Use] = []

    init(_ source: SourceID, _ random: inout SplitMix64, count: Int, days: Int) {
      self.source = source
      var latest: [FeatureID: Int] = [:]
      let times = (0..<count).map { _ in TimeInterval(Int.random(in: 0..<days * 86400, using: &random)) }.sorted()
      for (number, time) in times.enumerated() {
        guard let feature = features.randomElement(using: &random) else { continue }
        // Some have the same time.
        let date = start + (number % 7 == 0 ? times[max(0, number - 1)] : time)
        let zone = RandomFacts.zones.randomElement(using: &random) ?? "UTC"
        let day = max(LocalDay.of(date, in: TimeZone(identifier: zone) ?? Calendar.storeCalendar.timeZone), latest[feature] ?? .min)
        latest[feature] = day
        uses.append(
          Use(
            key: "\(source)\(number)", feature: feature, subject: Int.random(in: 0..<4, using: &random) == 0 ? "max" : .customer,
            source: source, amount: Int.random(in: 0...3, using: &random), date: date, day: day, zone: zone,
            counted: Int.random(in: 0..<4, using: &random) > 0, credits: Int.random(in: 0..<6, using: &random) == 0 ? 1 : 0,
            status: Int.random(in: 0..<8, using: &random) == 0 ? .released : .committed,
            environment: Int.random(in: 0..<9, using: &random) == 0 ? .sandbox : nil))
      }
    }
  }

  private func others() -> [Fact] {
    [
      .transaction(TestShop.transaction("1", "pack", at: Self.start + 40 * Self.day)),
      .transaction(TestShop.transaction("2", "coin", at: Self.start + 90 * Self.day)),
      .cap(Cap(feature: "monthly", subject: "max", amount: "{ \"limit\": 9, \"per\": \"P30D\" }", revision: Revision(Self.start))),
    ]
  }

  @Test("Days too old for any period become one stretch, except beside a source's own totals, which are of single months")
  func oldDays() throws {
    let catalog = try Catalog(json: Data(Self.text.utf8))
    let uses = [0, 40].map { days in
      let date = Self.start + Double(days) * Self.day
      return Use(
        key: "\(days)", feature: "ever", source: "phone", date: date, day: Int(date.timeIntervalSince1970) / 86400, zone: "GMT")
    }
    let totals = uses.map { Fact.total(ReportedTotal(feature: "ever", source: "phone", amount: 1, unit: .month, day: $0.day)) }
    let recent = Self.start + 900 * Self.day
    let latest = Use(
      key: "late", feature: "ever", source: "phone", date: recent, day: Int(recent.timeIntervalSince1970) / 86400, zone: "GMT")
    for (totals, count) in [([], 1), (totals, 2)] {
      let state = CustomerState((uses + [latest]).map(Fact.use) + totals)
      let folded = state.folded(by: catalog, of: "phone", at: recent + Self.day)
      let histories = folded.facts.compactMap { if case .history(let history) = $0.sort { history } else { nil } }
      #expect(histories.flatMap(\.stretches).count == count && histories.map(\.used) == [2])
      #expect(difference(state, folded, catalog, at: recent + Self.day) == nil)
    }
  }

  @Test("A day that was folded before its last use becomes one stretch with it, and old days become one with earlier stretches")
  func foldedTwice() throws {
    let catalog = try Catalog(json: Data(Self.text.utf8))
    func used(_ days: Double) -> Fact {
      let date = Self.start + days * Self.day
      return .use(
        Use(key: "\(days)", feature: "ever", source: "phone", date: date, day: Int(date.timeIntervalSince1970) / 86400, zone: "GMT"))
    }
    func fold(_ state: CustomerState, after days: Double) -> (state: CustomerState, stretches: [UsageHistory.Stretch]) {
      let folded = state.folded(by: catalog, of: "phone", at: Self.start + days * Self.day)
      return (folded, folded.facts.flatMap { if case .history(let history) = $0.sort { return history.stretches } else { return [] } })
    }
    let first = fold(CustomerState([used(0), used(40), used(60)]), after: 61)
    #expect(first.stretches.count == 2)
    let second = fold(CustomerState(first.state.facts + [used(899)]), after: 900)
    #expect(second.stretches.map(\.all) == [3])
  }

  @Test("Sums of uses survive a reinstallation as the uses do: those of a lasting feature, and those that took credits")
  func policy() {
    func policies(_ feature: FeatureID, credits: Int) -> (sum: FactPolicy, use: FactPolicy) {
      let use = Use(key: "k", feature: feature, source: "phone", date: Self.start, day: 20_513, zone: "UTC", credits: credits)
      let scope = FactScope(lastingFeatures: ["lasting"])
      return (Fact.history(UsageHistory(like: use, [.init(use)])).policy(in: scope), Fact.use(use).policy(in: scope))
    }
    for (feature, credits, survives) in [("lasting", 0, true), ("other", 1, true), ("lasting", 1, true), ("other", 0, false)] {
      let (sum, use) = policies(FeatureID(feature), credits: credits)
      #expect(sum.survivesReinstall == survives && sum.survivesReinstall == use.survivesReinstall && sum.stays == use.stays)
    }
  }

  @Test("Single uses are kept for the longest rolling limit of their feature, also while a product grants a shorter one")
  func longestLookBack() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": { "allowance": "count" } },
          "freeTier": { "grants": { "f": { "limit": 3, "per": "P30D" } } },
          "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "f": { "limit": 9, "per": "P10D" } } }] }
        """#.utf8))
    let uses = (0..<3).map { number in
      Use(key: "\(number)", feature: "f", source: "phone", date: Self.start + Double(number) * Self.day, day: 20_513 + number, zone: "UTC")
    }
    let state = CustomerState(uses.map(Fact.use))
    let folded = state.folded(by: catalog, of: "phone", at: Self.start + 20 * Self.day)
    #expect(folded.usage.uses.count == 3)
    for days in [20.0, 30.5, 31.5, 33] { #expect(difference(state, folded, catalog, at: Self.start + days * Self.day) == nil) }
  }

  @Test("What closes a feature of which a part was lost is never folded") func unknownAmount() throws {
    let use = Use(key: "k", feature: "ever", source: "phone", amount: Use.unknownAmount, date: Self.start, day: 20_513, zone: "GMT")
    let state = CustomerState([.use(use)])
    #expect(state.folded(by: try Catalog(json: Data(Self.text.utf8)), of: "phone", at: Self.start + 900 * Self.day) == state)
  }

  /// The first difference between the answers of two states.
  private func difference(_ state: CustomerState, _ other: CustomerState, _ catalog: Catalog, at now: Date) -> String? {
    for member in [Member.customer, .child("max")] {
      for zone in ["UTC", "Pacific/Kiritimati"] {
        for environment in [nil, StoreEnvironment.production, .sandbox] {
          let situation = Situation(
            member: member, zone: TimeZone(identifier: zone) ?? Calendar.storeCalendar.timeZone, store: .answered, environment: environment)
          let (one, two) = [state, other].map { Snapshot(of: $0, catalog: catalog, situation: situation, at: now) }.pair
          for feature in catalog.features {
            let (a, b) = (one.decision(for: AccessRequest(feature.id)), two.decision(for: AccessRequest(feature.id)))
            if a != b { return "\(member.subject) \(feature.id): \(b) and not \(a)" }
          }
        }
      }
    }
    return nil
  }

  @Test("Every answer is the same before and after folding, now and later, also after writing and reading the folded state")
  func sameAnswers() throws {
    let catalog = try Catalog(json: Data(Self.text.utf8))
    try expectHolds(Seed.run(25)) { seed in
      var random = SplitMix64(seed: seed)
      let days = [30, 200, 900][Int(seed % 3)]
      let devices = [SourceID("phone"), "tablet"].map { Device($0, &random, count: 600, days: days) }
      let state = CustomerState(others() + devices.flatMap(\.uses).map(Fact.use))
      let now = Self.start + Double(days) * Self.day + Double.random(in: 0..<Self.day, using: &random)
      let folded = state.folded(by: catalog, of: "phone", at: now)
      let left = folded.usage.uses.filter { $0.source == "phone" && !["rolling", "anchored"].contains($0.feature) }
      if days > 100, left.count > 150 { return Violation("\(left.count) uses of 600 are left") }
      for later in [0, 0.5, 3, 12, 33, 400] {
        if let found = difference(state, folded, catalog, at: now + later * Self.day) { return Violation("after \(later) days: \(found)") }
      }
      let read = try JSONDecoder().decode([Fact].self, from: Journal.record(folded.facts))
      if CustomerState(read) != folded { return Violation("read as something else") }
      let again = folded.folded(by: catalog, of: "phone", at: now)
      return again == folded ? nil : Violation("folding again gives something else")
    }
  }

  @Test("Copies of one history that were folded at different times, in any partition and order, count each use once") func merging() throws
  {
    let catalog = try Catalog(json: Data(Self.text.utf8))
    expectHolds(Seed.run(25)) { seed in
      var random = SplitMix64(seed: seed)
      let days = [40, 200, 700][Int(seed % 3)]
      let devices = [SourceID("phone"), "tablet"].map { Device($0, &random, count: 400, days: days) }
      let now = Self.start + Double(days) * Self.day
      let whole = CustomerState(others() + devices.flatMap(\.uses).map(Fact.use))
      // Each device's records at some moments of its life, folded at different times, and parts of it that were lost on the way.
      var copies: [[Fact]] = []
      for device in devices {
        var (state, at) = (CustomerState(others()), Self.start)
        var rest = device.uses[...]
        while at < now {
          at = min(now, at + Double(Int.random(in: 3...120, using: &random)) * Self.day)
          while let use = rest.first, use.date < at { state.insert(.use(rest.removeFirst())); _ = use }
          if Bool.random(using: &random) { state = state.folded(by: catalog, of: device.source, at: at) }
          copies.append(state.facts.filter { _ in at == now || Int.random(in: 0..<5, using: &random) > 0 })
        }
        copies.append(device.uses.map(Fact.use).filter { _ in Bool.random(using: &random) })
        copies.append(state.facts)
      }
      var parts: [CustomerState] = [CustomerState(), CustomerState()]
      for fact in copies.joined().shuffled(using: &random) {
        parts[Int.random(in: 0..<2, using: &random)].insert(fact)
      }
      let (one, two) = parts.pair
      var merged = one
      merged.merge(two)
      var reversed = two
      reversed.merge(one)
      if merged != reversed || CustomerState(copies.joined()) != merged { return Violation("the order matters") }
      return difference(whole, merged, catalog, at: now).map { Violation($0) }
    }
  }

  @Test("The partition test notices a stretch that forgets its uses") func mergingIsSensitive() throws {
    let uses = (0..<20).map { number in
      Use(key: "\(number)", feature: "ever", source: "phone", date: Self.start + Double(number) * Self.day, day: number, zone: "UTC")
    }
    let catalog = try Catalog(json: Data(Self.text.utf8))
    let state = CustomerState(uses.map(Fact.use))
    let folded = state.folded(by: catalog, of: "phone", at: Self.start + 40 * Self.day)
    #expect(folded.usage.uses.isEmpty)
    // The sums of its days with another source's name, beside the uses: as if the stretches contained none.
    let strange = folded.facts.compactMap { fact -> Fact? in
      guard case .history(let history) = fact.sort, let first = uses.first else { return nil }
      var like = first
      like.source = "tablet"
      return .history(UsageHistory(like: like, history.stretches))
    }
    #expect(difference(state, CustomerState(state.facts + strange), catalog, at: Self.start + 40 * Self.day) != nil)
    #expect(difference(state, CustomerState(state.facts + folded.facts), catalog, at: Self.start + 40 * Self.day) == nil)
  }

  @Test("Of two histories, stretches that overlap in part both stay, and one within another is included in it") func overlaps() {
    func use(_ day: Int) -> Use {
      Use(key: "\(day)", feature: "ever", source: "phone", date: Self.start + Double(day) * Self.day, day: day, zone: "UTC")
    }
    func history(_ days: ClosedRange<Int>) -> UsageHistory {
      var stretch = UsageHistory.Stretch(use(days.lowerBound))
      for day in days.dropFirst() { stretch.extend(with: UsageHistory.Stretch(use(day))) }
      return UsageHistory(like: use(1), [stretch])
    }
    let (early, late, within) = (history(1...5), history(3...8), history(2...4))
    for histories in [[early, late, within], [within, late, early], [late, within, early], [early, within, late]] {
      let merged = histories.dropFirst().reduce(histories[0]) { $0.merged(with: $1) }
      #expect(merged.stretches.map(\.all) == [5, 6])
      #expect(UsageHistory.joined(histories) == [merged])
    }
  }

  @Test("A use of the last seven days keeps its key, and so does a day with running work; older ones are sums") func keys() throws {
    let catalog = try Catalog(json: Data(Self.text.utf8))
    let now = Self.start + 30 * Self.day
    func use(_ key: String, _ days: Double, _ status: Use.Status = .committed) -> Fact {
      .use(
        Use(
          key: key, feature: "ever", source: "phone", date: now - days * Self.day, day: Int(-days.rounded(.up)), zone: "UTC", status: status
        ))
    }
    let state = CustomerState([use("new", 6.9), use("old", 7.1), use("older", 9), use("busy", 12, .reserved), use("with it", 12)])
    let folded = state.folded(by: catalog, of: "phone", at: now)
    #expect(Set(folded.usage.uses.map(\.key)) == ["new", "busy", "with it"])
    #expect(state.folded(by: catalog, of: "tablet", at: now) == state)
    // A retry of an old key is another use, unless it has its old date.
    #expect(folded.news(in: [use("old", 0)]).count == 1)
    #expect(folded.news(in: [use("old", 7.1)]).isEmpty)
    // A record in the future, from a clock that was days ahead, hides nothing.
    let wrong = CustomerState([use("a", -20), use("b", -20.4)]).folded(by: catalog, of: "phone", at: now + 60 * Self.day)
    #expect(wrong.usage.uses.isEmpty)
    guard let fresh = use("fresh", -20.2).use else { return }
    #expect(wrong.news(in: [.use(wrong.usage.placed(fresh))]).count == 1)
  }

  @Test("A stretch that a wrong clock left in the future, on an earlier day, does not take a recent use with it") func future() throws {
    let catalog = try Catalog(json: Data(Self.text.utf8))
    let now = Self.start + 30 * Self.day
    func use(_ key: String, _ days: Double, _ day: Int) -> Use {
      Use(key: key, feature: "ever", source: "phone", date: now - days * Self.day, day: day, zone: "UTC")
    }
    let future = use("future", -3, 1)
    let history = UsageHistory(like: future, [UsageHistory.Stretch(future)])
    let state = CustomerState([.use(use("old", 12, 1)), .use(use("recent", 1, 30)), .history(history)])
    let folded = state.folded(by: catalog, of: "phone", at: now)
    #expect(folded.usage.uses.map(\.key) == ["recent"])
    #expect(folded.usage.allHistories.map(\.used) == [2])
  }

  @Test("Uses that credits covered become sums as well, apart from the others") func credits() throws {
    let catalog = try Catalog(json: Data(Self.text.utf8))
    let now = Self.start + 30 * Self.day
    let uses = (0..<4).map { number in
      Use(
        key: "\(number)", feature: "ever", source: "phone", date: now - 20 * Self.day + Double(number), day: 10, zone: "UTC",
        counted: number % 2 == 0, credits: number % 2)
    }
    let folded = CustomerState(uses.map(Fact.use)).folded(by: catalog, of: "phone", at: now)
    #expect(folded.usage.uses.isEmpty)
    let sums = folded.facts.compactMap { if case .history(let history) = $0.sort { history } else { nil } }
    #expect(Set(sums.map(\.isCredit)) == [false, true] && sums.allSatisfy { $0.stretches.map(\.all) == [2] })
  }

  @Test("Sums of credits come after the others of the same feature, subject and source") func creditsLast() {
    func key(_ credits: Int) -> UsageHistory.Key {
      UsageHistory(like: Use(key: "a", feature: "ever", date: Self.start, day: 1, zone: "UTC", credits: credits), []).key
    }
    #expect(key(0) < key(1) && !(key(1) < key(0)) && !(key(0) < key(0)) && !(key(1) < key(1)))
  }

  @Test("A use stays single as long as the limit of any source looks back at it: of the free tier, a product or an entitlement")
  func sources() throws {
    let sources = [
      #""freeTier": { "grants": { "rolling": 40 } }"#,
      #""products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "rolling": 40 } }]"#,
      #""entitlements": { "vip": { "title": "VIP", "grants": { "rolling": 40 } } }"#,
    ]
    let day = LocalDay.of(Self.start, in: Calendar.storeCalendar.timeZone)
    let state = CustomerState([.use(Use(key: "k", feature: "rolling", source: "phone", date: Self.start, day: day, zone: "GMT"))])
    for source in sources {
      let text = """
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
          "features": { "rolling": { "allowance": "count", "per": "P20D" } }, \(source) }
        """
      let catalog = try Catalog(json: Data(text.utf8))
      #expect(state.folded(by: catalog, of: "phone", at: Self.start + 15 * Self.day) == state, "\(source)")
      #expect(state.folded(by: catalog, of: "phone", at: Self.start + 25 * Self.day) != state, "\(source)")
    }
  }
}

extension Array {
  fileprivate var pair: (Element, Element) { (self[0], self[1]) }
}
