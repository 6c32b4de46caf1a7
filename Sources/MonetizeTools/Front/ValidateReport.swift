// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What `monetize validate` found in some catalogs.
public struct ValidateReport: ToolReport {
  /// One catalog: its path, and what was read.
  public let files: [(path: String, reading: CatalogReading)]
  /// Whether what informs only is printed as well.
  public let showsNotes: Bool

  /// Makes a report of what was read.
  public init(_ files: [(path: String, reading: CatalogReading)], showsNotes: Bool = false) {
    (self.files, self.showsNotes) = (files, showsNotes)
  }

  /// One line for each valid catalog.
  public var text: String {
    files.compactMap { file in
      file.reading.catalog.map { "\(file.path): valid, \($0.products.count) products, \($0.features.count) features\n" }
    }.joined()
  }
  /// Every diagnostic with its place.
  public var problems: [String] {
    files.flatMap { file in
      file.reading.diagnostics.filter { showsNotes || $0.severity != .note }.map { $0.rendered(file: file.path) }
    }
  }
  /// `no` where a catalog has an error.
  public var status: ToolStatus { files.allSatisfy { $0.reading.catalog != nil } ? .fine : .no }
  /// `[{ "file", "valid", "diagnostics" }]`.
  public var json: String {
    struct Entry: Encodable {
      let file: String
      let valid: Bool
      let diagnostics: [DiagnosticEntry]
    }
    return ToolJSON.text(
      files.map { Entry(file: $0.path, valid: $0.reading.catalog != nil, diagnostics: $0.reading.diagnostics.map(DiagnosticEntry.init)) })
  }
}
