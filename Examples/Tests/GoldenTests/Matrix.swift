// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Stages

/// A customer's access in each state, as a table for a product owner to read and sign.
struct Matrix {
  let catalog: Catalog
  /// The possible states of a customer of the first product; without products, the members who may ask.
  var columns: [(name: String, snapshot: Snapshot)] = []
  /// Other products with the same access in each of these states.
  var equals: [ProductID] = []

  init(_ catalog: Catalog) async throws {
    self.catalog = catalog
    guard let product = catalog.products.first else {
      let stage = Stage(catalog)
      await stage.monetizer.start()
      columns = [Member.parent("mum"), .child("max"), .guest, .demo].map { ($0.role.rawValue, stage.monetizer.as($0).snapshot) }
      return
    }
    columns = try await Self.columns(product.id, catalog)
    let table = columns.map { column in catalog.features.map { cell($0, column.snapshot) } }
    for other in catalog.products.dropFirst() {
      let columns = try await Self.columns(other.id, catalog)
      if columns.map({ column in catalog.features.map { cell($0, column.snapshot) } }) == table { equals.append(other.id) }
    }
  }

  private static func columns(_ product: ProductID, _ catalog: Catalog) async throws -> [(name: String, snapshot: Snapshot)] {
    var columns: [(name: String, snapshot: Snapshot)] = []
    for state in ProductState.allCases {
      guard let stage = try await Stage.at(state, of: product, in: catalog) else { continue }
      columns.append((state.rawValue, stage.monetizer.snapshot))
    }
    return columns
  }

  var text: String {
    let (amounts, features) = (catalog.features.filter(Self.isAmount), catalog.features.filter { !Self.isAmount($0) })
    let rows = [[""] + columns.map(\.name)] + features.map(row) + [[]] + amounts.map(row)
    let words = Set(rows.flatMap { $0 })
    let legend = explained.filter { words.contains($0.word) }.map {
      "  \($0.word.padding(toLength: 13, withPad: " ", startingAt: 0)) \($0.meaning)"
    }
    return ([title] + equals.map { "and, the same in each, of \($0)" } + [""] + legend + [""] + Self.table(rows)).joined(separator: "\n")
      + "\n"
  }

  private var title: String {
    guard let product = catalog.products.first else { return "\(catalog.app.name): what each person has; nothing is for sale" }
    return "\(catalog.app.name): what a customer has in each state of \(product.id)"
  }

  /// The words in the table with their explanations, in order.
  private var explained: [(word: String, meaning: String)] {
    let isPlan = catalog.products.first?.subscription != nil
    return [
      ("yes", "open"), ("–", "closed, and a purchase opens it"), ("…", "not known yet: neither open nor for sale"),
      ("waits", "a purchase waits for approval"), ("no", "closed, and no purchase opens it"),
    ] + Set(catalog.features.compactMap(\.release)).sorted().map { ($0, "comes with this release: neither open nor for sale") } + [
      ("unknown", "before the store's first answer"), ("never", "nothing was ever bought"), ("pending", "a purchase waits for approval"),
      ("trial", "with the free trial that the file plans or has"),
      ("active", isPlan ? "paid, renewing or not, until its end" : "bought, for ever"),
      ("grace", "a renewal failed, and the store gives days to pay"), ("billingRetry", "these days are over; the store still tries"),
      ("expired", "it ended"), ("revoked", "the money was given back"),
      ("demo", "a parent who looks around: decides as on an empty device"),
    ]
  }

  private func row(_ feature: Feature) -> [String] { [feature.id.rawValue] + columns.map { cell(feature, $0.snapshot) } }

  private static func isAmount(_ feature: Feature) -> Bool { feature.part == nil && type(of: feature.shape).name != "access" }

  private func cell(_ feature: Feature, _ snapshot: Snapshot) -> String {
    if type(of: feature.shape).isAboutItems {
      let items = (feature.collections?.compactMap(catalog.collection) ?? catalog.collections).flatMap(\.paths)
      let decisions = items.map { snapshot.decision(for: feature.id, item: $0) }
      if let release = feature.release, decisions.allSatisfy({ $0.reason == .notAvailable && !$0.isAllowed }) { return release }
      return "\(decisions.filter(\.isAllowed).count) of \(items.count)"
    }
    // For a limit on existing things: a customer who has none yet.
    let decision = snapshot.decision(for: AccessRequest(feature.id, held: 0))
    guard decision.isAllowed else {
      switch decision.reason {
      case .unknown, .storeUnreachable: return "…"
      case .pending: return "waits"
      case .notAvailable: return feature.release ?? "no"
      default: return decision.buyingHelps ? "–" : "no"
      }
    }
    if feature.part != nil { return "yes" }
    if let level = decision.level { return level }
    if let remaining = decision.remaining, let limit = decision.limit { return "\(remaining) of \(limit)" }
    if let limit = decision.limit { return "\(limit)" }
    if let cutoff = decision.cutoff { return "\(Int(snapshot.date.timeIntervalSince(cutoff) / 86400)) days" }
    return Self.isAmount(feature) ? "unlimited" : "yes"
  }

  private static func table(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { text, width in text + String(repeating: " ", count: width - text.count) }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
