// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what everyone has, and what each product adds.",
    discussion: "Each column is a customer who has just that: nothing, or one product.")

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: "text or json.")
  var format = OutputFormat.text

  private struct Report: Encodable {
    struct Product: Encodable {
      let id: String
      let kind: String
      let name: String
      let referencePrice: Price?
      let period: String?
      let group: String?
      let level: Int?
      let onSale: Bool
    }
    struct Price: Encodable {
      let amount: String
      let currency: String
    }
    struct Collection: Encodable {
      let id: String
      let title: String
      let items: Int
      let parts: [String]
    }
    struct Feature: Encodable {
      let id: String
      let title: String
      let description: String?
      let free: String
      let with: [String: String]
    }
    let app: String
    let kinds: [String]
    let collections: [Collection]
    let products: [Product]
    let features: [Feature]
  }

  func run() throws {
    let catalog = try InputFile(file).catalog()
    let now = Date(timeIntervalSince1970: 1_772_366_400)
    let free = Snapshot(of: CustomerState(), catalog: catalog, at: now)
    let owners = catalog.products.map { product in
      let ends = product.subscription.map { $0.period.added(to: now, in: Instant.utc) }
      let bought = StoreTransaction(id: "1", productID: product.id, purchaseDate: now, expirationDate: ends)
      return (product, Snapshot(of: CustomerState([.transaction(bought)]), catalog: catalog, at: now))
    }
    if format == .json { return print(try Terminal.json(report(catalog, free, owners))) }
    print(Style.output.bold(catalog.app.name) + "  \(catalog.app.id)")
    for collection in catalog.collections {
      let parts = collection.parts.isEmpty ? "" : " × \(collection.parts.joined(separator: ", "))"
      print("  \(collection.id): \(collection.title), \(collection.items.count) items\(parts)")
    }
    if !catalog.products.isEmpty {
      print("\n" + Style.output.bold("Products"))
      print(
        Terminal.table(
          catalog.products.map { product in
            [
              product.id.rawValue, product.kindName, product.price?.description ?? "",
              product.subscription.map { Self.each($0.period) } ?? "once",
              product.isOnSale ? "" : "not on sale",
            ]
          }))
    }
    print("\n" + Style.output.bold("Features"))
    var rows = [["", catalog.freeTierTitle] + Self.short(catalog.products.map(\.id.rawValue)).map { "with " + $0 }]
    for feature in catalog.features {
      rows.append([feature.id.rawValue, Self.cell(feature, free)] + owners.map { Self.cell(feature, $0.1) })
    }
    print(Terminal.table(rows))
  }

  private func report(_ catalog: Catalog, _ free: Snapshot, _ owners: [(CatalogProduct, Snapshot)]) -> Report {
    Report(
      app: catalog.app.id, kinds: Set(catalog.products.map(\.kindName)).sorted(),
      collections: catalog.collections.map { .init(id: $0.id.rawValue, title: $0.title, items: $0.items.count, parts: $0.parts) },
      products: catalog.products.map { product in
        .init(
          id: product.id.rawValue, kind: product.kindName, name: product.name,
          referencePrice: product.price.map { .init(amount: $0.amountText, currency: $0.currency) },
          period: product.subscription?.period.description, group: product.subscription?.group, level: product.subscription?.level,
          onSale: product.isOnSale)
      },
      features: catalog.features.map { feature in
        .init(
          id: feature.id.rawValue, title: feature.title, description: Self.description(feature, free), free: Self.cell(feature, free),
          with: Dictionary(owners.map { ($0.0.id.rawValue, Self.cell(feature, $0.1)) }) { first, _ in first })
      })
  }

  /// Ids without as many of their first parts as they can spare and still be told apart.
  static func short(_ ids: [String]) -> [String] {
    let parts = ids.map { $0.components(separatedBy: ".") }
    return parts.map { own in
      let count = (1..<own.count).first { count in parts.filter { $0.suffix(count) == own.suffix(count) }.count == 1 }
      return own.suffix(count ?? own.count).joined(separator: ".")
    }
  }

  /// How often a plan is paid for.
  private static func each(_ period: Period) -> String {
    switch period {
    case Period(days: 7): "each week"
    case Period(months: 1): "each month"
    case Period(years: 1): "each year"
    default: "each \(period)"
    }
  }

  /// A feature's description with its limit filled in, so that a text never contradicts the catalog.
  private static func description(_ feature: Feature, _ snapshot: Snapshot) -> String? {
    let whole = feature.part?.whole ?? feature.id
    let limit = snapshot.decision(for: whole).limit.map(String.init) ?? "unlimited"
    return feature.description?.replacingOccurrences(of: "{limit}", with: limit)
  }

  /// What one customer gets of a feature, in a few characters.
  static func cell(_ feature: Feature, _ snapshot: Snapshot) -> String {
    // Where only so many may exist at once: for somebody who has none yet.
    let decision = snapshot.decision(for: AccessRequest(feature.id, held: 0))
    if type(of: feature.shape).isAboutItems {
      let collections = feature.collections?.compactMap(snapshot.catalog.collection) ?? snapshot.catalog.collections
      let items = collections.flatMap(\.paths)
      let open = items.filter { snapshot.decision(for: feature.id, item: $0).isAllowed }.count
      return open == 0 ? decision.reason == .notAvailable ? "not out" : "–" : "\(open) of \(items.count)"
    }
    guard decision.isAllowed else { return decision.reason == .notAvailable ? "not out" : "–" }
    if feature.part != nil { return "yes" }
    if let level = decision.level { return level }
    if let cutoff = decision.cutoff { return "\(Int(snapshot.date.timeIntervalSince(cutoff) / 86400)) days" }
    if let limit = decision.limit { return "\(limit)" }
    if feature.part == nil && type(of: feature.shape).name != AccessShape.name { return "unlimited" }
    return "yes"
  }
}
