// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import monetize

@Suite("monetize merge", .timeLimit(.minutes(30)))
struct MergeTests {
  private static let a = #"{ "coins": 10, "stars": 2, "bestTimeMs": 9000, "completed": false, "firstCompletedAt": null, "attempts": 4 }"#
  private static let b =
    #"{ "coins": 7, "stars": 3, "bestTimeMs": 12000, "completed": true, "firstCompletedAt": "2026-01-02", "attempts": 9 }"#

  private func merge(_ a: String, _ b: String, catalog: String = "Products/maxs-puzzles.json") async throws -> Command.Result {
    let scratch = try Scratch()
    return try await Command.run("merge", catalog, scratch.write(a, as: "a.json"), scratch.write(b, as: "b.json"))
  }

  @Test("PUZZ-12: the document's example, in both orders") func table() async throws {
    for (first, second) in [(Self.a, Self.b), (Self.b, Self.a)] {
      let result = try await merge(first, second)
      #expect(result.status == 0)
      let merged = try JSONDecoder().decode([String: String].self, from: Data(quoted(result.output).utf8))
      #expect(
        merged == [
          "coins": "10", "stars": "3", "bestTimeMs": "9000", "completed": "true", "firstCompletedAt": "2026-01-02", "attempts": "9",
        ])
    }
    let best = try await merge(#"{ "bestTimeMs": 0, "stars": null }"#, #"{ "bestTimeMs": 12000 }"#)
    #expect(quoted(best.output).contains("\"12000\"") && !best.output.contains("stars"))
  }

  /// Quotes every value, so that one type decodes them all.
  private func quoted(_ json: String) -> String {
    json.replacingOccurrences(of: ": (true|false|[0-9]+)", with: ": \"$1\"", options: .regularExpression)
  }

  @Test(
    "an invalid record is reported, with the file, the field and the fix",
    arguments: [
      (#"{ "lives": 3 }"#, "lives"), (#"{ "stars": "many" }"#, "stars"), (#"{ "stars": 1.5 }"#, "stars"), ("[1]", "JSON object"),
      ("{", "Add the missing"), (#"{ "completed": 1 }"#, "true or false"), (#"{ "stars": 1, "stars": 2 }"#, "twice"),
    ])
  func mistakes(record: String, words: String) async throws {
    let result = try await merge(record, Self.b)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.transcript.contains("a.json") && result.transcript.contains(words), "\(result.transcript)")
  }

  @Test("a catalog without rules is a mistake in a file, a file that is not there a problem") func missing() async throws {
    let without = try await merge(Self.a, Self.b, catalog: "Products/heatlab.json")
    #expect(without.status == 1 && without.errors.hasPrefix("Products/heatlab.json: error: The catalog has no rules"), "\(without.errors)")
    #expect(try await Command.run("merge", "Products/maxs-puzzles.json", "none-a.json", "none-b.json").status == 2)
  }
}
