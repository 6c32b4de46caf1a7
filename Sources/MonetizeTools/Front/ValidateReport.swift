// SPDX-License-Identifier: Apache-2.0
public import Monetize

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
      file.reading.catalog.map { "\(file.path): valid, \($0.products.count) products, \($0.features.count) features\n" }
    }.joined()
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
