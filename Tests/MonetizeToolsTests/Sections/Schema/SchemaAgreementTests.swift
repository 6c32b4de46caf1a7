// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import MonetizeSimulator
import MonetizeTools
import Testing

/// `monetize schema` prints `Products/schema/catalog.schema.json`. What it refuses the decoder refuses as well, and the reverse, as far as
/// structure goes: types, keys, required keys, enums and the forms of texts. What references what, and what it means, is the decoder's alone.
@Suite("The schema and the decoder agree on structure", .timeLimit(.minutes(30)))
struct SchemaAgreementTests {
  private static func schema() throws -> JSONSchema {
    let url = ToolFixtures.products.appendingPathComponent("schema/catalog.schema.json")
    return try JSONSchema(JSONDocument(parsing: [UInt8](Data(contentsOf: url))).root)
  }

  private static func catalogs() throws -> EditedCatalogs {
    let shipped = try ToolFixtures.shipped.map { try JSONDocument(parsing: ToolFixtures.shipped($0)).root }
    let odd = try BrokenCatalogTests.variants.filter { $0.code == nil }.map { variant in
      let original = try JSONDocument(parsing: ToolFixtures.shipped(variant.file))
      return try JSONDocument(parsing: original.root.applying(mergePatch: variant.patch)).root
    }
    return EditedCatalogs(shipped + odd)
  }

  private static let structure: Set<Diagnostic.Code> = ["type-mismatch", "missing-key", "unknown-key", "bad-value"]

  /// Mistakes of structure, without those in an amount: its form is that of the feature it names, which a schema cannot look up.
  private static func mistakes(in diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.filter { diagnostic in
      let steps = diagnostic.path.split { ".[]".contains($0) }
      // A schema cannot compare two numbers.
      let isOrder = diagnostic.message.hasPrefix("A range needs two shares")
      return structure.contains(diagnostic.code) && !isOrder && !steps.contains { ["grants", "credits", "atLeast"].contains($0) }
    }
  }

  @Test("Random catalogs, valid and broken at random places", arguments: LawSeeds.run(10))
  func agree(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let (schema, catalogs) = (try Self.schema(), try Self.catalogs())
    var accepted = 0
    for number in 0..<100 {
      let text = catalogs.next(&random)
      let refused = schema.mistakes(in: try JSONDocument(parsing: text).root)
      let errors = Catalog.validating(Data(text.utf8)).diagnostics.filter { $0.severity == .error }
      accepted += refused.isEmpty ? 1 : 0
      let comment = "seed \(seed), catalog \(number)\nschema: \(refused.prefix(3))\ndecoder: \(errors.prefix(3))"
      #expect(refused.isEmpty || !errors.isEmpty, "The schema refuses what the decoder reads: \(comment)")
      #expect(!refused.isEmpty || Self.mistakes(in: errors).isEmpty, "The schema accepts what the decoder refuses: \(comment)")
    }
    #expect((20...80).contains(accepted), "seed \(seed): \(accepted) of 100 are accepted, so that one side is hardly tried")
  }
}
