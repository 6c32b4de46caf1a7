// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What all verbs share: an app's own vocabulary, and how its catalogs are read.
struct ToolBench: Sendable {
  let kinds: ProductKinds
  let shapes: AllowanceShapes
  let conditions: Conditions
  let facts: FactSorts

  func reading(_ data: Data) -> CatalogReading { Catalog.reading(data, kinds: kinds, shapes: shapes, conditions: conditions) }

  /// The catalog in a file. Mistakes are printed.
  /// - Throws: ``ToolRefusal`` for one that cannot be used, ``ToolProblem`` for a file that cannot be read.
  func catalog(_ path: String) throws -> Catalog {
    let reading = reading(try ToolFiles.read(path))
    for diagnostic in reading.diagnostics where diagnostic.severity != .note { ToolFiles.complain(diagnostic.rendered(file: path)) }
    guard let catalog = reading.catalog else { throw ToolRefusal() }
    return catalog
  }

  /// A `.storekit` file. Mistakes are printed.
  func storeKit(_ path: String) throws -> StoreKitFile {
    let data = try ToolFiles.read(path)
    do throws(StoreKitFileError) { return try StoreKitFile(data) } catch {
      for diagnostic in error.diagnostics { ToolFiles.complain(diagnostic.rendered(file: path)) }
      throw ToolRefusal()
    }
  }
}

/// A report that says only that something was done.
struct DoneReport: ToolReport {
  let text: String
  var problems: [String] = []
  var status = ToolStatus.fine
  var json: String { ToolJSON.text(["message": text.trimmingCharacters(in: .newlines)]) }
}
