// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// A record of uses has one text, whichever way it is written.
struct UseRecordTests {
  private static let texts = [
    "", "generated1.feature", "\"quoted\" \\ / back", "tab\t line\n return\r bell\u{7} back\u{8} feed\u{C} end\u{1F}\u{7F}",
    "é 🧩 \u{2028} e\u{301}",
  ]
  private static let seconds: [TimeInterval] = [
    0, -0.0, 1, -1, 817_366_993.523_371_6, 817_366_993, 0.1, 1e-7, .leastNonzeroMagnitude, 1e15, 1e16, 1.5e16, 123_456_789_012_345_680,
    1e21, -1e300,
    .greatestFiniteMagnitude,
  ]

  private func use(_ random: inout SplitMix64) -> Use {
    func text() -> String { Self.texts.randomElement(using: &random) ?? "" }
    let number = [0, 1, 7, Int(Int32.max)].randomElement(using: &random) ?? 0
    var use = Use(
      key: text(), feature: FeatureID(text()), subject: SubjectID(text()), source: SourceID(text()), amount: number,
      date: Date(timeIntervalSinceReferenceDate: Self.seconds.randomElement(using: &random) ?? 0), day: -number, zone: text(),
      counted: .random(using: &random), credits: number / 2,
      status: [.released, .reserved, .committed].randomElement(using: &random) ?? .released,
      environment: [nil, .sandbox, .xcode].randomElement(using: &random) ?? nil, run: text(), attempt: number)
    if Bool.random(using: &random) { use = use.refused }
    return use
  }

  @Test("has the text that JSONEncoder writes, with every optional key and every kind of text and date") func sameText() throws {
    try expectHolds(Seed.run(2000)) { seed in
      var random = SplitMix64(seed: seed)
      let uses = (0..<Int.random(in: 0...3, using: &random)).map { _ in Fact.use(use(&random)) }
      let times = Self.seconds.shuffled(using: &random).prefix(2).map { seconds in
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        return Fact.time(TimeSeen(correction: seconds < 1 ? 0 : 3, latest: date, corrected: Bool.random(using: &random) ? date : nil))
      }
      let facts = uses + times
      let (written, expected) = (UseRecord.of(facts) ?? Data(), try JSONEncoder.canonical.encode(facts))
      if written != expected {
        return Violation("\(String(decoding: written, as: UTF8.self))\n\(String(decoding: expected, as: UTF8.self))")
      }
      return Journal.read([written]).facts == facts ? nil : Violation("\(facts) are read as others.")
    }
  }

  @Test("Packed uses have the text that JSONEncoder writes") func packed() throws {
    try expectHolds(Seed.run(1000)) { seed in
      var random = SplitMix64(seed: seed)
      let first = use(&random)
      let uses = (0..<Int.random(in: 1...6, using: &random)).map { index in
        var use = Bool.random(using: &random) ? first : use(&random)
        use.key += "\(index)"
        use.date = Date(timeIntervalSinceReferenceDate: Self.seconds.randomElement(using: &random) ?? 0)
        return use
      }
      let written = try Journal.packed(uses.map(Fact.use))
      let expected = try JSONEncoder.canonical.encode(PackedUses.packing(uses.map(Shared.init)).map { ["uses": $0] })
      if written != [expected] {
        return Violation("\(written.map { String(decoding: $0, as: UTF8.self) })\n\(String(decoding: expected, as: UTF8.self))")
      }
      return Set(Journal.read(written).facts) == Set(uses.map(Fact.use)) ? nil : Violation("\(uses) are read as others.")
    }
    let never = Date(timeIntervalSinceReferenceDate: .infinity)
    let endless = Fact.use(Use(key: "a", feature: "f", date: never, day: 1, zone: "UTC"))
    #expect(throws: StorageError.self) { try Journal.packed([endless]) }
  }

  @Test("is left to JSONEncoder for a fact of another sort and for an infinite date, which cannot be written")
  func others() {
    let never = Date(timeIntervalSinceReferenceDate: .infinity)
    #expect(UseRecord.of([.wallet(WalletEntry(id: "a", earned: 1))]) == nil)
    #expect(UseRecord.of([.use(Use(key: "a", feature: "f", date: never, day: 1, zone: "UTC"))]) == nil)
    #expect(UseRecord.of([.time(TimeSeen(latest: RandomFacts.start, corrected: never))]) == nil)
    #expect(throws: StorageError.self) { try Journal.record([.time(TimeSeen(latest: never))]) }
  }

  @Test("Of packed uses whose columns have different lengths, none counts and all are kept", arguments: ["keys", "dates", "days"])
  func columns(short: String) throws {
    let uses = (0..<3).map { Use(key: "\($0)", feature: "story", date: RandomFacts.start + TimeInterval($0), day: 20_513, zone: "UTC") }
    let record = try #require(try Journal.packed(uses.map(Fact.use)).first)
    #expect(Journal.read([record]).facts.count == 3)
    var packed = try #require(try JSONSerialization.jsonObject(with: record) as? [[String: [String: Any]]])
    var columns = try #require(packed[0]["uses"])
    columns[short] = try Array(#require(columns[short] as? [Any]).dropLast())
    packed[0]["uses"] = columns
    let read = Journal.read([try JSONSerialization.data(withJSONObject: packed)])
    #expect(read.facts.isEmpty && read.foreign.count == 1)
  }
}
