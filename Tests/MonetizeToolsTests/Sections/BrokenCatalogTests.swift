// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import MonetizeTools
import Testing

/// The decoder agrees with `Products/schema/catalog.schema.json` on structure: one list of variants of the shipped catalogs tests both.
/// `.ci/check-schema.py` checks the schema.
@Suite(.timeLimit(.minutes(30)))
struct BrokenCatalogTests {
  struct Variant: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let patch: JSONValue
    /// The code of the diagnostic; `nil` for an odd but valid variant.
    let code: String?

    var testDescription: String { name }
  }

  static let variants: [Variant] = {
    let url = ToolFixtures.tests.appendingPathComponent("Fixtures/broken-catalogs.json")
    guard let text = try? String(contentsOf: url, encoding: .utf8), let list = try? JSONDocument(parsing: text) else { return [] }
    return list.root.elements.compactMap { entry in
      guard let name = entry["name"]?.string, let file = entry["file"]?.string, let patch = entry["patch"] else { return nil }
      return Variant(name: name, file: file, patch: patch, code: entry["code"]?.string)
    }
  }()

  private func diagnostics(_ variant: Variant) throws -> [Diagnostic] {
    let original = try JSONDocument(parsing: ToolFixtures.shipped(variant.file))
    let text = original.root.applying(mergePatch: variant.patch)
    return Catalog.validating(Data(text.utf8)).diagnostics.filter { $0.severity == .error }
  }

  @Test("PUZZ-31: the list exists") func theListIsThere() {
    #expect(Self.variants.filter { $0.code != nil }.count >= 40 && Self.variants.filter { $0.code == nil }.count >= 15)
    #expect(Set(Self.variants.map(\.name)).count == Self.variants.count)
  }

  @Test(arguments: variants.filter { $0.code != nil }) func refused(variant: Variant) throws {
    let found = try diagnostics(variant)
    #expect(found.contains { $0.code.rawValue == variant.code }, "\(found)")
  }

  @Test(arguments: variants.filter { $0.code == nil }) func accepted(variant: Variant) throws {
    #expect(try diagnostics(variant) == [])
  }
}
