// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeTools

@Suite("monetize check: an app's own properties")
struct OwnPropertyTests {
  private static func codes(_ expression: String) throws -> [String] {
    try codes(ofFile: "{ \"properties\": [{ \"id\": \"x\", \"always\": \(expression) }] }")
  }

  private static func codes(ofFile text: String) throws -> [String] {
    let catalog = try Samples.catalog("magical-stories")
    do throws(CatalogError) {
      _ = try OwnProperty.read(Data(text.utf8), for: catalog)
      return []
    } catch { return error.diagnostics.map(\.code.rawValue) }
  }

  @Test(
    "Valid expressions, and the messages for invalid ones",
    arguments: [
      (#"{ "allowed": "story" }"#, []), (#"{ "entitled": "premium" }"#, []),
      (#"{ "not": { "owned": "com.magicalstories.premium.yearly" } }"#, []),
      (#"{ "all": [{ "any": [{ "allowed": "story" }] }, { "remaining": "story", "atMost": 3 }] }"#, []),
      (#"{ "if": { "allowed": "story" }, "then": { "allowed": "storyLibrary" } }"#, []),
      (#"{ "allowed": "storry" }"#, ["unknown-feature"]), (#"{ "owned": "x" }"#, ["unknown-product"]),
      (#"{ "allwed": "story" }"#, ["unknown-key"]), (#"{ "x": 1 }"#, ["bad-value"]), (#"{ "any": [] }"#, ["bad-value"]),
      (#"{ "allowed": "parentalControls", "level": "ful" }"#, ["unknown-level"]), (#"{ "remaining": "story" }"#, ["bad-value"]),
      (#"{ "remaining": "storyLibrary", "atLeast": 1 }"#, ["bad-value"]),
      (#"{ "if": { "allowed": "story" } }"#, ["missing-key"]), (#"{ "allowed": "story", "levl": "x" }"#, ["unknown-key"]),
      ("1", ["type-mismatch"]),
      (#"{ "remaining": "story", "atLeast": 3, "atMost": 1 }"#, ["bad-value"]), (#"{ "remaining": "story", "atLeast": 0 }"#, ["bad-value"]),
      (#"{ "any": "off" }"#, ["type-mismatch"]), (#"{ "all": {} }"#, ["type-mismatch"]), (#"{ "all": [] }"#, ["bad-value"]),
      (#"{ "allowed": "story", "level": "x" }"#, ["bad-value"]), (#"{ "allowed": "story", "item": "oz/1" }"#, ["bad-value"]),
    ] as [(String, [String])])
  func reading(expression: String, codes: [String]) throws {
    #expect(try Self.codes(expression) == codes)
  }

  @Test(
    "A file without properties, and names that are empty, used twice or built in",
    arguments: [
      ("{}", ["missing-key"]), (#"{ "propertys": [] }"#, ["unknown-key"]), (#"{ "properties": {} }"#, ["type-mismatch"]),
      (#"{ "properties": [{ "id": "", "always": { "allowed": "story" } }] }"#, ["bad-value"]),
      (#"{ "properties": [{ "id": "cap-lifted", "always": { "allowed": "story" } }] }"#, ["repeated-id"]),
      (#"{ "properties": [] }"#, []), (#"{ "properties": [{ "id": "x" }] }"#, ["missing-key"]),
      (
        #"{ "properties": [{ "rule": "R", "always": { "allowed": "story" } }, { "id": "i", "rule": 1, "always": {} }] }"#,
        ["missing-key", "type-mismatch", "bad-value"]
      ),
    ] as [(String, [String])])
  func files(text: String, codes: [String]) throws {
    #expect(try Self.codes(ofFile: text) == codes)
  }

  @Test("A property that holds gives no counterexample; another gives the shortest, which fails in simulate")
  func found() async throws {
    let json = try Samples.catalogJSON("magical-stories")
    let catalog = try Catalog(json: json)
    let text = #"""
      { "properties": [
        { "id": "holds", "always": { "if": { "allowed": "offlineReading" }, "then": { "entitled": "premium" } } },
        { "id": "three-left", "always": { "remaining": "story", "atLeast": 3 } },
        { "id": "never-premium", "rule": "Nobody is premium.", "always": { "not": { "entitled": "premium" } } } ] }
      """#
    var options = CatalogCheck.Options()
    (options.depth, options.properties) = (2, try OwnProperty.read(Data(text.utf8), for: catalog))
    let report = await (try CatalogCheck(json, options: options)).run(catalogPath: "x.json")
    #expect(Set(report.counterexamples.map(\.code)) == ["three-left", "never-premium"])
    #expect(report.counterexamples.allSatisfy { $0.isConfirmed == true && $0.steps == 2 }, "\(report.text)")
  }

  private static let books = #"""
    { "schemaVersion": 1, "app": { "id": "p", "name": "P" }, "collections": { "oz": { "title": "Oz", "items": 3, "parts": ["easy"] } },
      "features": { "maze": { "allowance": "items", "in": ["oz"] },
        "story": { "allowance": "count", "survivesReinstall": true }, "off": {} },
      "freeTier": { "grants": { "story": 2 } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "off": true } }, "gift": { "title": "Gift", "grants": { "off": true } } },
      "products": [
        { "kind": "nonConsumable", "id": "old", "name": "Old", "onSale": false, "entitlements": ["pro"] },
        { "kind": "nonConsumable", "id": "new", "name": "New", "entitlements": ["pro"], "grants": { "maze": "unlimited" } }] }
    """#

  @Test(
    "Items are known ones, and an entitlement is one that can be bought",
    arguments: [
      (#"{ "allowed": "maze", "item": "oz/3" }"#, []), (#"{ "allowed": "maze", "item": "oz/3/easy" }"#, []),
      (#"{ "allowed": "maze", "item": "oz/4" }"#, ["unknown-item"]), (#"{ "allowed": "maze", "item": "zo/1" }"#, ["unknown-item"]),
      (#"{ "allowed": "maze", "item": "3" }"#, ["unknown-item"]), (#"{ "allowed": "maze", "item": "oz/3/hard" }"#, ["unknown-item"]),
      (#"{ "entitled": "pro" }"#, []), (#"{ "entitled": "gift" }"#, ["bad-value"]),
    ] as [(String, [String])])
  func names(expression: String, codes: [String]) throws {
    let text = "{ \"properties\": [{ \"id\": \"x\", \"always\": \(expression) }] }"
    let catalog = try Catalog(json: Data(Self.books.utf8))
    var found: [String] = []
    do throws(CatalogError) { _ = try OwnProperty.read(Data(text.utf8), for: catalog) } catch {
      found = error.diagnostics.map(\.code.rawValue)
    }
    #expect(found == codes)
  }

  @Test(
    "A denied property gives an expectation that fails: the owned product, the other side of a range",
    arguments: [
      #"{ "not": { "entitled": "pro" } }"#, #"{ "not": { "remaining": "story", "atMost": 0 } }"#,
      #"{ "not": { "remaining": "story", "atLeast": 2 } }"#, #"{ "not": { "remaining": "story", "atLeast": 1, "atMost": 1 } }"#,
      #"{ "not": { "allowed": "maze", "item": "oz/3" } }"#,
      // A condition that holds of the owner, with a consequence that does not; and one that is denied as a whole.
      #"{ "if": { "owned": "new" }, "then": { "not": { "allowed": "maze", "item": "oz/3" } } }"#,
      #"{ "not": { "all": [{ "owned": "new" }, { "allowed": "off" }] } }"#,
      #"{ "any": [{ "not": { "owned": "new" } }, { "remaining": "story", "atLeast": 9 }] }"#,
    ])
  func denied(expression: String) async throws {
    let catalog = try Catalog(json: Data(Self.books.utf8))
    let text = "{ \"properties\": [{ \"id\": \"x\", \"always\": \(expression) }] }"
    var options = CatalogCheck.Options()
    (options.depth, options.properties) = (3, try OwnProperty.read(Data(text.utf8), for: catalog))
    let report = await (try CatalogCheck(Data(Self.books.utf8), options: options)).run(catalogPath: "x.json")
    #expect(report.counterexamples.first { $0.code == "x" }?.isConfirmed == true, "\(report.text)")
  }
}
