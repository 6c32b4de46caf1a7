// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeSimulator

extension CatalogDocument {
  /// Notes for App Review: the products, the way to each paywall, how to buy and to restore.
  public static func reviewNotes(of catalog: Catalog) -> CatalogDocument {
    let name = catalog.app.name
    guard !catalog.products.isEmpty else {
      return CatalogDocument("Review notes for \(name)", [.text("\(name) sells nothing. All features are free.")])
    }
    return CatalogDocument(
      "Review notes for \(name)",
      [
        .text(model(catalog)), .heading("In-app purchases"), .table(head: ["Id", "Name", "Type", "Price"], rows: purchases(catalog)),
        .heading("How to reach the paywall"), .steps(ReviewPath(catalog).steps), .heading("How to restore"), .text(restoring(catalog)),
        catalog.parentalGate == nil
          ? nil : .text("A parental gate protects every \(doors(catalog)): it asks a question that a child cannot answer."),
        .heading("Texts and addresses"), .list(legal(catalog), isChecked: false),
      ])
  }

  private static func model(_ catalog: Catalog) -> String {
    let plans = catalog.products.filter { type(of: $0.kind).renews }.count
    let once = catalog.products.count - plans
    let sold = [
      once == 0 ? nil : CatalogWords.counted(once, "one-time purchase"),
      plans == 0 ? nil : CatalogWords.counted(plans, "auto-renewable subscription"),
    ].compactMap { $0 }.joined(separator: " and ")
    let never = plans == 0 ? " There is no subscription, and nothing renews: purchases are permanent." : ""
    return "\(catalog.app.name) is free to use with limits, and sells \(sold).\(never)"
  }

  private static func purchases(_ catalog: Catalog) -> [[String]] {
    let words = CatalogWords(catalog)
    return catalog.products.map { product in
      let type =
        switch product.storeType {
        case .autoRenewable: "subscription"
        case .consumable: "consumable"
        case .nonRenewing: "one-time, for a period"
        default: "one-time"
        }
      return [product.id.rawValue, product.name, type, words.terms(product)]
    }
  }

  private static func doors(_ catalog: Catalog) -> String {
    let names = ParentalGatePolicy.Action.allCases.filter { catalog.parentalGate?.covers($0) == true }.map { action in
      switch action {
      case .purchase: "purchase"
      case .restore: "restoring"
      case .links: "link out of the app"
      }
    }
    return enumeration(names)
  }

  private static func restoring(_ catalog: Catalog) -> String {
    let places = catalog.paywalls.keys.sorted().filter { catalog.paywall($0)?.actions?.contains(.restore) == true }
    guard let first = places.first else { return "The catalog has no place for it." }
    let label = catalog.paywall(first)?.labels?[PaywallAction.restore.rawValue] ?? "Restore Purchases"
    let names = places.map { $0 == .default ? "on the paywall" : $0 == .settings ? "in the settings" : "on the paywall “\($0)”" }
    return "Tap “\(label)” \(enumeration(names)). It asks the store for all purchases of the account."
  }

  /// A text of the paywall without a product: its price and period are different for each.
  private static func filled(_ text: String) -> String {
    text.replacingOccurrences(of: "{price}", with: "the price shown").replacingOccurrences(of: "{period}", with: "period")
  }

  private static func legal(_ catalog: Catalog) -> [String] {
    let legal = catalog.legal
    return [
      legal?.terms.map { "Terms of use: \($0)" }, legal?.privacy.map { "Privacy policy: \($0)" }, legal?.support.map { "Support: \($0)" },
      legal?.renewal.map { "Renewal: \(filled($0))" }, legal?.cancellation.map { "Cancellation: \($0)" },
    ].compactMap { $0 }
  }
}

/// The way of a new customer to the first paywall, found by questions to the engine.
struct ReviewPath {
  let catalog: Catalog
  private let snapshot: Snapshot

  init(_ catalog: Catalog) {
    self.catalog = catalog
    snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: CatalogDocument.date)
  }

  var steps: [String] {
    guard let (way, paywall) = catalog.features.lazy.compactMap(way).first else { return ["No feature leads to a paywall."] }
    let words = CatalogWords(catalog)
    let headline = [paywall.definition.title, paywall.definition.headline].compactMap { $0 }.first
    let sells = enumeration(paywall.products.map(words.product))
    // The gate stands before the paywall.
    let gate = catalog.parentalGate?.covers(.purchase) == true ? ["The parental gate appears. Pass it as an adult."] : []
    return ["Install the app and open it. This needs no purchase and no account."] + way + gate
      + ["The paywall “\(headline ?? paywall.placement.rawValue)” appears and offers \(sells)."]
      + ["Buy with the sandbox account. The locked feature opens at once."]
  }

  private func way(_ feature: Feature) -> (steps: [String], paywall: Paywall)? {
    if type(of: feature.shape).isAboutItems {
      let items = (feature.collections?.compactMap(catalog.collection) ?? catalog.collections).lazy.flatMap { collection in
        collection.paths.enumerated().lazy.map { (collection, $0 + 1, $1) }
      }
      for (collection, number, path) in items {
        guard let paywall = paywall(AccessRequest(feature.id, item: path)) else { continue }
        return (
          ["Open “\(feature.title)” and tap story or item \(number) of “\(collection.title)” (\(path)), the first locked one."], paywall
        )
      }
      return nil
    }
    if let paywall = paywall(AccessRequest(feature.id, held: 0)) { return (["Open “\(feature.title)”."], paywall) }
    guard let limit = snapshot.decision(for: AccessRequest(feature.id, held: 0)).limit, feature.part == nil,
      let paywall = paywall(AccessRequest(feature.id, held: limit, count: limit + 1))
    else { return nil }
    return (["Use “\(feature.title)” up to its limit, \(feature.words(for: limit)), and then once more."], paywall)
  }

  private func paywall(_ request: AccessRequest) -> Paywall? { snapshot.paywall(for: snapshot.decision(for: request), request: request) }
}
