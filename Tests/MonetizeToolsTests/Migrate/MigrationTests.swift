// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

/// Only the tests have a version 2 and a version 3.
@Suite("monetize migrate")
struct MigrationTests {
  private static let steps = [
    CatalogMigration(
      from: 1,
      [
        .rename(["freeTier"], to: "free"), .rename(["products", "*", "onSale"], to: "sold"), .remove(["products", "*", "rank"]),
        .replace(["products", "*", "kind"]) { $0 == "\"nonConsumable\"" ? "\"once\"" : nil },
      ]),
    CatalogMigration(from: 2, [.rename(["free", "grants"], to: "gives")]),
  ]
  private static let old = """
    {
      "schemaVersion": 1,   "$comment": "freeTier stays a word here",
      "freeTier": { "grants": { "a": [ 1, 2 ] } },
      "products": [
        { "kind": "nonConsumable", "onSale": false, "rank": { "of": ["}", 2] } },
        { "rank": 1, "kind": "subscription" }, { "rank": 3 }
      ]
    }

    """

  private func migrated(_ text: String, to version: Int) throws -> MigratedCatalog {
    try MigratedCatalog(Data(text.utf8), steps: Self.steps, to: version)
  }

  @Test("A catalog of the current version has nothing to migrate; another lists its changes") func problems() throws {
    let current = try MigratedCatalog(Data(#"{ "schemaVersion": 1 }"#.utf8))
    #expect(current.problems == ["schema version 1 is the current one; nothing to migrate"])
    let old = try migrated(Self.old, to: 2)
    #expect(old.problems == old.changes && !old.changes.isEmpty)
  }

  @Test("A step edits what it names, and leaves order, layout and comments alone")
  func edits() throws {
    let result = try migrated(Self.old, to: 2)
    #expect(
      result.text == """
        {
          "schemaVersion": 2,   "$comment": "freeTier stays a word here",
          "free": { "grants": { "a": [ 1, 2 ] } },
          "products": [
            { "kind": "once", "sold": false },
            { "kind": "subscription" }, { }
          ]
        }

        """)
    #expect(
      result.changes == [
        "freeTier is now called free", "products[0].kind was \"nonConsumable\" and is now \"once\"",
        "products[0].onSale is now called sold", "products[0].rank is removed", "products[1].rank is removed",
        "products[2].rank is removed",
      ])
  }

  @Test("Steps follow each other, and the result of all is that of one after the other")
  func chain() throws {
    let once = try migrated(Self.old, to: 3)
    let twice = try migrated(migrated(Self.old, to: 2).text, to: 3)
    #expect(once.text == twice.text && once.text.contains("\"free\": { \"gives\": {"))
    #expect(once.from == 1 && once.to == 3 && twice.from == 2)
  }

  @Test("A catalog of the current version is left as it is, byte for byte", arguments: Samples.catalogs)
  func current(_ name: String) throws {
    let data = try Samples.catalogJSON(name)
    let result = try MigratedCatalog(data)
    #expect(Data(result.text.utf8) == data && result.changes == [] && result.to == Catalog.schemaVersion)
  }

  @Test(
    "What cannot be migrated is refused with its place",
    arguments: [
      ("{ \"schemaVersion\": 9 }", "1:20"), ("{ \"schemaVersion\": 0 }", "1:20"), ("{ \"schemaVersion\": \"1\" }", "1:20"), ("{}", "1:1"),
      ("[1]", "1:1"), ("{ \"schemaVersion\": 1", "1:21"), ("{ \"schemaVersion\": 1, \"freeTier\": {}, \"free\": {} }", "1:47"), ("", "1:1"),
    ])
  func refused(_ text: String, _ place: String) {
    let error = #expect(throws: MigrationError.self) { try migrated(text, to: 3) }
    #expect(error?.diagnostic.description.hasPrefix("\(place): error: ") == true, "\(error?.diagnostic.description ?? "none")")
  }

  @Test("Broken text of any kind is an error and never a crash")
  func hostile() throws {
    let bytes = Array(Self.old.utf8)
    for cut in 0..<bytes.count { _ = try? MigratedCatalog(Data(bytes[..<cut]), steps: Self.steps, to: 3) }
    for index in bytes.indices {
      var changed = bytes
      changed[index] = UInt8(ascii: "\"")
      _ = try? MigratedCatalog(Data(changed), steps: Self.steps, to: 3)
    }
  }
}
