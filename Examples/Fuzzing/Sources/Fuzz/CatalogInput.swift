// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls

/// A catalog, and behind a line `---` an overlay or a table of texts.
enum CatalogInput {
  static let start = Date(timeIntervalSince1970: 1_772_366_400)

  static func run(_ input: Data) {
    let parts = input.parts
    guard let catalog = try? Catalog(json: parts[0]) else { return }
    show(catalog)
    guard parts.count > 1 else { return }
    if let overlay = try? Overlay(json: parts[1]), let changed = try? catalog.applying(overlay) { show(changed) }
    if let strings = try? CatalogStrings(json: parts[1]) {
      _ = catalog.textsMissing(in: strings)
      if let localized = try? catalog.localized(by: strings) { show(localized) }
    }
  }

  /// Asks for everything that a catalog can be asked for a new customer and for one who has bought everything.
  private static func show(_ catalog: Catalog) {
    let bought = catalog.products.map { product in
      Fact.transaction(
        StoreTransaction(
          id: TransactionID("t-\(product.id.rawValue)"), productID: product.id, purchaseDate: start,
          expirationDate: product.subscription.map { $0.period.added(to: start, in: .storeCalendar) }))
    }
    let products = catalog.products.map { product in
      let price = product.price ?? Money(amount: 1, currency: "USD")
      return StoreProduct(
        id: product.id, displayName: product.name, displayPrice: "$\(price.amountText)", price: price,
        period: product.subscription?.period, introductoryOffer: product.subscription?.introductoryOffer)
    }
    for state in [CustomerState(), CustomerState(bought)] {
      let snapshot = Snapshot(of: state, catalog: catalog, at: start)
      for feature in catalog.features {
        let decision = snapshot.decision(for: feature.id)
        law(decision.isAllowed == snapshot.allows(feature.id), "allows and decision differ for \(feature.id)")
        _ = (decision.text(for: feature, zone: Calendar.storeCalendar.timeZone), snapshot.description(of: feature.id))
        _ = snapshot.access(to: feature.id)
      }
      for placement in catalog.paywalls.keys {
        guard let paywall = snapshot.paywall(at: placement) else { continue }
        let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(products))
        law(screen.options.count <= products.count, "more options than products")
      }
    }
  }
}

extension Data {
  /// What stands between lines `---`; at least one part.
  var parts: [Data] {
    let line = Data("\n---\n".utf8)
    guard let range = range(of: line) else { return [self] }
    return [Data(self[..<range.lowerBound]), Data(self[range.upperBound...])]
  }

  /// The lines that are not empty.
  var lines: [Data] { split(separator: UInt8(ascii: "\n")).map { Data($0) } }
}
