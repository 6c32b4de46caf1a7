// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import Testing

/// The catalog's badges of products on paywalls.
@Suite("Badges of a paywall", .timeLimit(.minutes(30)))
struct BadgeTests {
  private static let json = #"""
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} },
      "products": [
        { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true } },
        { "kind": "subscription", "id": "year", "name": "Yearly", "group": "g", "level": 1, "period": "P1Y", "grants": { "f": true } },
        { "kind": "subscription", "id": "year.low", "name": "Yearly", "variantOf": "year", "group": "g", "level": 1, "period": "P1Y",
          "grants": { "f": true } }],
      "experiments": { "price": { "arms": [{ "id": "usual", "weight": 0 }, { "id": "low", "weight": 1, "products": ["year.low"] }] } },
      "paywalls": { "default": { "badges": { "year": "Best value", "month": "Only {price}" } },
                    "onboarding": { "badges": { "month": "Flexible" } } } }
    """#

  private func badges(
    at placement: PlacementID = .default, in catalog: Catalog? = nil, isLoaded: Bool = true
  ) throws -> [ProductID: String] {
    let catalog = try catalog ?? Catalog(json: Data(Self.json.utf8))
    let paywall = try #require(Screens.snapshot(catalog).paywall(at: placement))
    let loading: ProductLoading = isLoaded ? .loaded(Screens.products(catalog)) : .loading
    let screen = PaywallScreen(of: paywall, snapshot: Screens.snapshot(catalog), loading: loading)
    return Dictionary(screen.options.compactMap { option in option.badge.map { (option.id, $0) } }) { first, _ in first }
  }

  @Test("A badge is beside its product; another placement replaces single ones") func placements() throws {
    #expect(try badges() == ["year": "Best value", "month": "Only $1.00"])
    #expect(try badges(at: "onboarding") == ["year": "Best value", "month": "Flexible"])
  }

  @Test("A badge has the price of its own product, and is omitted until the store has given it") func price() throws {
    #expect(try badges(isLoaded: false) == ["year": "Best value"])
    let catalog = try Catalog(json: Data(Self.json.utf8))
    let paywall = try #require(Screens.snapshot(catalog).paywall(at: PlacementID.default))
    let products = Screens.products(catalog) { _ in "" }.map { product in
      StoreProduct(id: product.id, displayName: product.displayName, displayPrice: "\(product.id)!", price: product.price)
    }
    #expect(paywall.priced(by: products, selected: "year").definition.badges?["month"] == "Only month!")
  }

  @Test("A variant at another price has the badge of its product") func variants() throws {
    let catalog = try Catalog(json: Data(Self.json.utf8))
    let arm = try catalog.applying(arms: catalog.experiments[0].arms.filter { $0.id == "low" })
    #expect(try badges(in: arm)["year.low"] == "Best value")
  }

  @Test("It is spoken after the name, and a table translates it") func words() throws {
    let snapshot = Screens.snapshot(try Catalog(json: Data(Self.json.utf8)))
    let paywall = try #require(snapshot.paywall(at: PlacementID.default))
    let spoken = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loading).options.map(\.accessibilityLabel)
    #expect(spoken == ["Monthly", "Yearly, Best value"])
    let table = #"{ "language": "de", "paywalls": { "default": { "badges": { "year": "Günstigster Tarif" } } } }"#
    let catalog = try Catalog(json: Data(Self.json.utf8)).localized(by: CatalogStrings(json: Data(table.utf8)))
    #expect(try badges(in: catalog)["year"] == "Günstigster Tarif")
  }

  @Test("A badge of a product that the catalog does not have is a mistake") func unknown() {
    let json = Self.json.replacingOccurrences(of: #""badges": { "month""#, with: #""badges": { "moth""#)
    let found = Catalog.reading(Data(json.utf8)).diagnostics
    #expect(found.map { "\($0.code) \($0.path)" } == ["unknown-product paywalls.onboarding.badges.moth"])
  }
}
