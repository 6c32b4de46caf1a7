// SPDX-License-Identifier: Apache-2.0
public import Monetize
import MonetizeSimulator

/// The result of `monetize validate` for some catalogs.
public struct ValidateReport: ToolReport {
  /// The path and the result for each catalog.
  public let files: [(path: String, reading: CatalogReading)]
  /// Whether notes are printed as well.
  public let showsNotes: Bool

  /// Makes a report from the results.
  public init(_ files: [(path: String, reading: CatalogReading)], showsNotes: Bool = false) {
    (self.files, self.showsNotes) = (files, showsNotes)
  }

  /// One line for each valid catalog.
  public var text: String {
    files.compactMap { file in
      file.reading.catalog.map { "\(file.path): valid, \(Self.summary(of: $0))\n" }
    }.joined()
  }
  /// The numbers of products, features, collections and items, such as "1 product, 4 features".
  public static func summary(of catalog: Catalog) -> String {
    let items = catalog.collections.reduce(0) { $0 + $1.items.count }
    let parts = [
      CatalogWords.counted(catalog.products.count, "product"), CatalogWords.counted(catalog.features.count, "feature"),
      "\(CatalogWords.counted(catalog.collections.count, "collection")) of \(CatalogWords.counted(items, "item"))",
    ]
    return parts.prefix(catalog.collections.isEmpty ? 2 : 3).joined(separator: ", ")
  }

  /// Every diagnostic with its position.
  public var problems: [String] {
    files.flatMap { file in
      file.reading.diagnostics.filter { showsNotes || $0.severity != .note }.map { $0.rendered(file: file.path) }
    }
  }
  /// `no` if a catalog has an error.
  public var status: ToolStatus { files.allSatisfy { $0.reading.catalog != nil } ? .fine : .no }
  /// `[{ "file", "valid", "diagnostics" }]`.
  public var json: String {
    ToolJSON.text(
      files.map { path, reading -> ToolObject in
        ["file": path, "valid": reading.catalog != nil, "diagnostics": reading.diagnostics.map(DiagnosticEntry.init)]
      })
  }
}
