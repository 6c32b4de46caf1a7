// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The context that all verbs share: an app's own vocabulary, and how to read its catalogs.
struct ToolBench: Sendable {
  let kinds: ProductKinds
  let shapes: AllowanceShapes
  let conditions: Conditions
  let facts: FactSorts

  func reading(_ data: Data) -> CatalogReading { Catalog.validating(data, kinds: kinds, shapes: shapes, conditions: conditions) }

  /// Reads the catalog in a file. Prints its mistakes.
  /// - Throws: ``ToolRefusal`` for an invalid catalog, ``ToolProblem`` for an unreadable file.
  func catalog(_ path: String) throws -> Catalog {
    let reading = reading(try ToolFiles.read(path))
    for diagnostic in reading.diagnostics where diagnostic.severity != .note { ToolFiles.complain(diagnostic.rendered(file: path)) }
    guard let catalog = reading.catalog else { throw ToolRefusal() }
    return catalog
  }

  /// The changes of a catalog by the overlays in a file. Prints their mistakes.
  func difference(of catalog: Catalog, under path: String) throws -> CatalogDiff {
    let data = try ToolFiles.read(path)
    do throws(CatalogError) { return try CatalogDiff(of: catalog, applying: Overlay.list(json: data)) } catch {
      for diagnostic in error.diagnostics { ToolFiles.complain(diagnostic.rendered(file: path)) }
      throw ToolRefusal()
    }
  }

  /// Reads the tables of texts beside a catalog. Prints their mistakes.
  func texts(of catalog: Catalog, at path: String) throws -> [CatalogStrings] {
    try LintFile.tables(besideCatalog: path).map { path in
      let data = try ToolFiles.read(path)
      do throws(CatalogError) { return try CatalogStrings(json: data, of: catalog, file: path) } catch {
        for diagnostic in error.diagnostics { ToolFiles.complain(diagnostic.rendered(file: path)) }
        throw ToolRefusal()
      }
    }
  }

  /// Reads a `.storekit` file. Prints its mistakes.
  func storeKit(_ path: String) throws -> StoreKitFile {
    let data = try ToolFiles.read(path)
    do throws(StoreKitFileError) { return try StoreKitFile(data) } catch {
      for diagnostic in error.diagnostics { ToolFiles.complain(diagnostic.rendered(file: path)) }
      throw ToolRefusal()
    }
  }
}

/// The report of an action without a result.
struct DoneReport: ToolReport {
  let text: String
  var problems: [String] = []
  var status = ToolStatus.fine
  var json: String { ToolJSON.text(["message": text.trimmingCharacters(in: .newlines)]) }
}
