// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeSimulator

/// The result of `monetize storekit check`.
public struct StoreKitCheckReport: ToolReport {
  /// The file's path, for the messages.
  public let path: String
  /// The mistakes in the order of the file.
  public let diagnostics: [Diagnostic]

  /// Checks a file.
  public init(_ data: Data, path: String) {
    (self.path, diagnostics) = (path, StoreKitFile.check(data))
  }

  private func count(_ severity: Diagnostic.Severity) -> Int { diagnostics.filter { $0.severity == severity }.count }
  private var errors: Int { count(.error) }

  /// One line: the effect in Xcode.
  public var summary: String {
    if errors > 0 { return "\(path): Xcode shows an empty list of products, because of \(CatalogWords.counted(errors, "error"))" }
    if diagnostics.contains(where: { $0.code == "no-products" }) { return "\(path): Xcode can open it; it has no products" }
    let warnings = count(.warning)
    return warnings == 0
      ? "\(path): Xcode can open it" : "\(path): Xcode can probably open it, with \(CatalogWords.counted(warnings, "warning"))"
  }
  /// The one line.
  public var text: String { summary + "\n" }
  /// Every diagnostic with its position.
  public var problems: [String] { diagnostics.map { $0.rendered(file: path) } }
  /// `no` if there is an error.
  public var status: ToolStatus { errors > 0 ? .no : .fine }
  /// `{ "file", "opens", "diagnostics": [{ "severity", "code", "path", "line", "column", "message" }] }`.
  public var json: String {
    ToolJSON.object(["file": path, "opens": errors == 0, "diagnostics": diagnostics.map(DiagnosticEntry.init)])
  }
}

/// The result of `monetize storekit import`: a first catalog.
public struct StoreKitImportReport: ToolReport {
  /// The catalog and the notes.
  public let result: StoreKitFile.Import

  /// Makes a report of an import.
  public init(_ result: StoreKitFile.Import) { self.result = result }

  /// The catalog.
  public var text: String { result.json }
  /// The catalog: it is JSON.
  public var json: String { String(result.json.dropLast()) }
  /// The notes for the author.
  public var problems: [String] {
    let languages = result.tables.map(\.language.rawValue).joined(separator: ", ")
    return result.notes
      + (languages.isEmpty ? [] : ["The file has texts in \(languages) as well. With --to, they become tables beside the catalog."])
  }
}

/// The result of `monetize storekit diff` and `monetize storekit export`.
public struct StoreKitDifferenceReport: ToolReport {
  /// The differences, in the catalog's order.
  public let differences: [StoreKitDifference]
  /// What was not compared.
  public let problems: [String]

  /// Compares a catalog with a file.
  public init(_ catalog: Catalog, _ file: StoreKitFile) {
    (differences, problems) = (file.differences(from: catalog), file.notes(on: catalog))
  }

  /// Compares a catalog and its texts in other languages with a file.
  /// - Throws: `CatalogError` when the texts of a table do not fit the catalog.
  public init(_ catalog: Catalog, texts: [CatalogStrings], _ file: StoreKitFile) throws(CatalogError) {
    (differences, problems) = (try file.differences(from: catalog, texts: texts), file.notes(on: catalog))
  }

  /// One difference per line after a heading: code, product, offer or language, the catalog's value, the file's value.
  public var text: String {
    differences.isEmpty ? "no difference\n" : "code product [offer] catalog file\n" + differences.map { "\($0)\n" }.joined()
  }
  /// `no` if there is a difference.
  public var status: ToolStatus { differences.isEmpty ? .fine : .no }
  /// `[{ "code", "product", "offer", "language", "catalog", "file" }]`.
  public var json: String {
    ToolJSON.text(
      differences.map {
        [
          "code": $0.code, "product": $0.product, "offer": $0.offer, "language": $0.language, "catalog": $0.catalog, "file": $0.file,
        ] as ToolObject
      })
  }
}
