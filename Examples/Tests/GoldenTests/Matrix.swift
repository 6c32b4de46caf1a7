// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Stages

/// What a customer has in each state, as a table that a product owner can read and sign.
struct Matrix {
  let catalog: Catalog
  var columns: [(state: ProductState, snapshot: Snapshot)] = []

  init(_ catalog: Catalog) async throws {
    self.catalog = catalog
    let product = catalog.products.first?.id
    for state in ProductState.allCases {
      guard let stage = try await Stage.at(state, of: product, in: catalog) else { continue }
      columns.append((state, stage.monetizer.snapshot))
    }
  }

  var text: String {
    let (amounts, features) = (catalog.features.filter(Self.isAmount), catalog.features.filter { !Self.isAmount($0) })
    let product = catalog.products.first
    let trial = product?.subscription?.introductoryOffer == nil ? [] : ["  trial    with the free trial that the file plans or has"]
    let header =
      ["\(catalog.app.name): what a customer has in each state of \(product?.id.rawValue ?? "the app, which sells nothing")", ""]
      + [
        "  yes      open", "  –        closed, and a purchase opens it", "  …        not known yet: neither open nor for sale",
        "  waits    a purchase waits for approval", "  no       closed, and no purchase opens it",
      ] + trial + ["  active   paid, renewing or not, until its end", ""]
    let table = Self.table([[""] + columns.map(\.state.rawValue)] + features.map(row) + [[]] + amounts.map(row))
    return (header + table).joined(separator: "\n") + "\n"
  }

  private func row(_ feature: Feature) -> [String] { [feature.id.rawValue] + columns.map { cell(feature, $0.snapshot) } }

  private static func isAmount(_ feature: Feature) -> Bool { feature.part == nil && type(of: feature.shape).name != "access" }

  private func cell(_ feature: Feature, _ snapshot: Snapshot) -> String {
    if type(of: feature.shape).isAboutItems {
      let items = (feature.collections?.compactMap(catalog.collection) ?? catalog.collections).flatMap(\.paths)
      return "\(items.filter { snapshot.decision(for: feature.id, item: $0).isAllowed }.count) of \(items.count)"
    }
    let decision = snapshot.decision(for: feature.id)
    guard decision.isAllowed else {
      switch decision.reason {
      case .unknown, .storeUnreachable: return "…"
      case .pending: return "waits"
      default: return decision.buyingHelps ? "–" : "no"
      }
    }
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
