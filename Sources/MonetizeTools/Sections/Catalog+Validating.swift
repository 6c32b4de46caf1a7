// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

extension Catalog {
  /// Reads a catalog as `monetize validate` does: with all mistakes in the sections that only tools read, which apps ignore.
  public static func validating(
    _ json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) -> CatalogReading {
    var reading = reading(json, kinds: kinds, shapes: shapes, conditions: conditions)
    guard let partial = reading.partial, let root = try? JSONDocument(parsing: [UInt8](json)).root else { return reading }
    let reader = JSONReader(root.document)
    let sections = ToolSections(root, reader)
    _ = reader.finish()
    sections.checkTargets(root, reader)
    NamedInForecasts(root, reader, partial, reading.diagnostics).check()
    let known = Set(reading.diagnostics)
    let found = reader.diagnostics.filter { !known.contains($0) }
    if found.isEmpty { return reading }
    if found.contains(where: { $0.severity == .error }) { reading.catalog = nil }
    reading.diagnostics = (reading.diagnostics + found).enumerated().sorted {
      ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
    }.map(\.element)
    return reading
  }

  /// The assumptions of revenue forecasts, in the file's order, without wrong ones. O(length of the file).
  public var forecasts: [(name: String, assumptions: ForecastAssumptions)] { toolSections?.forecasts ?? [] }

  /// The target values for the figures of `monetize funnel`, in the file's order, without wrong ones. O(length of the file).
  public var targets: [(name: String, target: Target)] { toolSections?.targets ?? [] }

  private var toolSections: ToolSections? {
    guard let document = try? JSONDocument(parsing: text) else { return nil }
    return ToolSections(document.root, JSONReader(document))
  }
}

extension CatalogReading {
  /// The catalog.
  /// - Throws: ``CatalogError`` with every diagnostic when one is an error.
  package func get() throws(CatalogError) -> Catalog {
    guard let catalog else { throw CatalogError(diagnostics: diagnostics) }
    return catalog
  }
}

extension Diagnostic {
  /// The position for sorting. A diagnostic about the whole file comes first.
  var place: SourcePosition { position ?? SourcePosition(line: 1, column: 1) }
}

extension ToolSections {
  /// Some figure must be able to meet a target.
  fileprivate func checkTargets(_ root: JSONValue, _ reader: JSONReader) {
    for (name, target) in targets {
      guard let low = target.low, let high = target.high, target.isStrict ? low >= high : low > high else { continue }
      reader.report(
        "impossible-target", at: root.at("targets", name),
        "No figure is at least \(low) and at most \(high). Write a lower bound that is below the upper one.")
    }
  }
}

/// Forecasts may name only declared features and products. A product that is not sold, or has no price, is in no forecast, so that what is
/// assumed of it has no effect.
private struct NamedInForecasts {
  private let root: JSONValue
  private let reader: JSONReader
  private let catalog: Catalog
  /// The paths of products with a mistake.
  private let broken: Set<String>

  init(_ root: JSONValue, _ reader: JSONReader, _ catalog: Catalog, _ diagnostics: [Diagnostic]) {
    (self.root, self.reader, self.catalog) = (root, reader, catalog)
    let errors = diagnostics.filter { $0.severity == .error && $0.path.hasPrefix("products[") }
    broken = Set(errors.map { String($0.path.prefix { $0 != "]" }) })
  }

  func check() {
    let features = root.declared("features")?.union(catalog.features.flatMap { $0.aliases.map(\.rawValue) })
    let products = root.declared("products")
    let reasons = reasons
    for scenario in root["forecast"]?.members ?? [] {
      func entries(_ keys: [String]) -> [JSONMember] {
        keys.flatMap { scenario.value[$0]?.members ?? [] }.filter { $0.key != "$comment" }
      }
      for entry in entries(["costPerUse", "uses", "limit"]) { isDeclared(entry, "feature", among: features) }
      for entry in entries(["mix", "retention", "price"]) where isDeclared(entry, "product", among: products) {
        guard let reason = reasons[entry.key] else { continue }
        reader.report(
          .warning, "forecast-not-sold", at: entry.value,
          "\"\(entry.key)\" \(reason), so the forecast leaves it out and this has no effect. Remove it here, or change the product.")
      }
      for entry in entries(["retention"]) where reasons[entry.key] == nil {
        guard let product = catalog.product(ProductID(entry.key)), product.subscription == nil, !product.storeType.isSoldAgain else {
          continue
        }
        reader.report(
          .warning, "forecast-bought-once", at: entry.value,
          "\"\(entry.key)\" is bought once, so its retention has no effect. Remove it.")
      }
    }
  }

  /// Why a product is in no forecast, by its id. None for a product that is in one, and for one with a mistake.
  private var reasons: [String: String] {
    var reasons: [String: String] = [:]
    for (index, source) in (root["products"]?.elements ?? []).enumerated() where !broken.contains("products[\(index)") {
      guard let id = source["id"]?.string, let product = catalog.product(ProductID(id)) else { continue }
      if !product.isOnSale {
        reasons[id] = "is not on sale"
      } else if (product.price?.amount ?? 0) <= 0 {
        reasons[id] = "has no price"
      }
    }
    return reasons
  }

  @discardableResult
  private func isDeclared(_ entry: JSONMember, _ what: String, among known: Set<String>?) -> Bool {
    guard let known, !known.contains(entry.key) else { return true }
    reader.reportUnknown(what, entry.key, among: known.sorted(), at: entry.value)
    return false
  }
}
