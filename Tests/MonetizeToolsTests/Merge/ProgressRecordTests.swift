// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@Suite("Records of progress", .timeLimit(.minutes(30)))
struct ProgressRecordTests {
  private static let policy = SyncPolicy(merge: [
    "coins": MergeRule(.max), "stars": MergeRule(.max), "best": MergeRule(.min, above: 0), "completed": MergeRule(.or),
    "first": MergeRule(.min),
  ])

  private func record(_ json: String) throws(CatalogError) -> ProgressRecord { try ProgressRecord(Data(json.utf8), policy: Self.policy) }

  @Test("PUZZ-12: the merged record does not depend on the order, nor on how a date is written")
  func order() throws {
    // Of each field its possible values, invalid ones and none included.
    let values = [
      "coins": ["0", "7", "null"], "stars": ["-1", "2", "3"], "best": ["0", "9000", "12000"], "completed": ["true", "false", "null"],
      "first": ["\"2026-01-02\"", "\"2026-01-02T00:00:00Z\"", "\"2026-01-02T01:00:00+01:00\"", "\"2026-01-01T23:59:59Z\""],
    ]
    for _ in 0..<500 {
      let (a, b) = (Self.text(values), Self.text(values))
      let (one, other) = (try record(a), try record(b))
      let (ab, ba) = (try one.merged(with: other).json, try other.merged(with: one).json)
      #expect(ab == ba, "\(a) \(b)")
      #expect(try one.merged(with: one).merged(with: other).json == ab)
    }
    #expect(try record(#"{ "first": "2026-01-02T01:00:00+01:00" }"#).merged(with: record("{}")).json.contains("\"2026-01-02\""))
    #expect(try record(#"{ "completed": true }"#).merged(with: record(#"{ "completed": false }"#)).json.contains("true"))
  }

  private static func text(_ values: [String: [String]]) -> String {
    let members = values.filter { _ in Bool.random() }.map { "\"\($0.key)\": \($0.value.randomElement() ?? "null")" }
    return "{ \(members.joined(separator: ", ")) }"
  }

  @Test(
    "A mistake has its place",
    arguments: [
      (#"{ "completed": 1 }"#, "1:16"), (#"{ "first": true }"#, "1:12"), (#"{ "coins": -5 }"#, "1:12"), (#"{ "stars": 1.5 }"#, "1:12"),
      (#"{ "coins": "2026-01-02" }"#, "1:12"),
      ("{ \"stars\": 1,\n  \"stars\": 2 }", "2:3"), (#"{ "lives": 3 }"#, "1:3"), ("[1]", "1:1"), ("{", "1:2"),
      (#"{ "stars": 99999999999999999999 }"#, "1:12"),
    ])
  func mistakes(json: String, place: String) {
    do throws(CatalogError) {
      _ = try record(json)
      Issue.record("\(json) was read")
    } catch { #expect(error.diagnostics.map { $0.position?.description } == [place], "\(error.diagnostics)") }
  }

  @Test("PUZZ-12, PUZZ-31: dates with fractions of a second, as JavaScript writes them, are read and kept") func fractions() throws {
    let (early, late) = (#"{ "first": "2026-01-02T03:04:05.678Z" }"#, #"{ "first": "2026-01-02T03:04:05.679Z" }"#)
    #expect(try record(late).merged(with: record(early)).json.contains("2026-01-02T03:04:05.678Z"))
    #expect(try record(#"{ "first": "2026-01-02T00:00:00.000Z" }"#).merged(with: record("{}")).json.contains("\"2026-01-02\""))
    #expect(try record(#"{ "first": "2026-01-02T12:30:00Z" }"#).merged(with: record("{}")).json.contains("\"2026-01-02T12:30:00Z\""))
    #expect(try record(#"{ "first": "2026-01-02T00:00:00.5Z" }"#).merged(with: record("{}")).json.contains("2026-01-02T00:00:00.500Z"))
    #expect(try record(#"{ "first": "1969-12-31T23:59:59.25Z" }"#).merged(with: record("{}")).json.contains("1969-12-31T23:59:59.250Z"))
    for wrong in ["05.Z", "05.1234567890Z", "05.5"] {
      let isRead = (try? record(#"{ "first": "2026-01-02T03:04:\#(wrong)" }"#)) != nil
      #expect(isRead == (wrong == "05.5"), "\(wrong)")
    }
  }

  @Test("What is written can be read back: the last moment of the year 9999, and zones beyond it") func lastYear() throws {
    for text in ["9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59-01:00"] {
      let merged = try record(#"{ "first": "\#(text)" }"#).merged(with: record("{}")).json
      #expect(merged.contains("9999-12-31T23:59:59.999Z"))
      #expect(try record(merged).merged(with: record("{}")).json == merged)
    }
  }

  @Test("A field has one type in both records")
  func types() throws {
    let (date, number) = (try record(#"{ "first": "2026-01-02" }"#), try record(#"{ "first": 5 }"#))
    #expect(throws: CatalogError.self) { try date.merged(with: number) }
    #expect(throws: CatalogError.self) { try number.merged(with: date) }
  }
}
