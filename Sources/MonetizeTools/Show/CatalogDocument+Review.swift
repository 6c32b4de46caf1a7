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
    let texts = legal(catalog)
    return CatalogDocument(
      "Review notes for \(name)",
      [
        .text(model(catalog)), .heading("In-app purchases"), .table(head: ["Id", "Name", "Type", "Price"], rows: purchases(catalog)),
        unsold(catalog),
        .heading("How to reach the paywall"), .steps(ReviewPath(catalog).steps), .heading("How to restore"), .text(restoring(catalog)),
        catalog.parentalGate == nil
          ? nil : .text("A parental gate protects \(doors(catalog)): it asks a question that a child cannot answer."),
        texts.isEmpty ? nil : .heading("Texts and addresses"), texts.isEmpty ? nil : .list(texts, isChecked: false),
      ])
  }

  private static func model(_ catalog: Catalog) -> String {
    let counts = Dictionary(catalog.products.filter(\.isOnSale).map { ($0.storeType, 1) }, uniquingKeysWith: +)
    let order: [StoreProductType] = [.nonConsumable, .consumable, .nonRenewing, .autoRenewable]
    let sold = order.compactMap { type in
      counts[type].map { $0 == 1 ? "one \(type.words)" : CatalogWords.counted($0, type.words) }
    }
    let ends = catalog.products.contains { $0.isOnSale && !$0.isTrial && $0.kind.changesWithTime }
    let isPermanent = Set(counts.keys).isSubset(of: [.nonConsumable]) && !ends
    let never =
      catalog.products.contains { type(of: $0.kind).renews }
      ? "" : isPermanent ? " There is no subscription, and nothing renews: purchases are permanent." : " Nothing renews by itself."
    let trials = catalog.products.filter { $0.isOnSale && $0.isTrial }.map(\.name)
    let trial = trials.isEmpty ? "" : " The free trial \(enumeration(trials)) ends by itself, without a charge."
    return "\(catalog.app.name) is free to use with limits, and sells \(sold.isEmpty ? "nothing now" : enumeration(sold)).\(never)\(trial)"
  }

  private static func purchases(_ catalog: Catalog) -> [[String]] {
    let words = CatalogWords(catalog)
    return catalog.products.filter(\.isOnSale).map {
      let sort = $0.isTrial ? ", free trial" : $0.storeType == .nonConsumable ? ", one-time" : ""
      return [$0.id.rawValue, $0.name, $0.storeType.words + sort, words.terms($0)]
    }
  }

  private static func unsold(_ catalog: Catalog) -> Block? {
    let names = catalog.products.filter { !$0.isOnSale }.map { "\($0.name) (\($0.id))" }
    return names.isEmpty ? nil : .text("No longer sold, but kept by its owners: \(names.joined(separator: ", ")).")
  }

  private static func doors(_ catalog: Catalog) -> String {
    let names = ParentalGatePolicy.Action.allCases.filter { catalog.parentalGate?.covers($0) == true }.map { action in
      switch action {
      case .purchase: "purchases"
      case .restore: "restoring"
      case .links: "links out of the app"
      }
    }
    return enumeration(names)
  }

  private static func restoring(_ catalog: Catalog) -> String {
    let places = catalog.paywalls.keys.sorted().filter { place in
      catalog.paywall(place).map { ($0.actions ?? PaywallDefinition.usualActions).contains(.restore) } ?? false
    }
    if places.isEmpty, !catalog.paywalls.isEmpty { return "The catalog has no place for it." }
    let label = places.first.flatMap { catalog.paywall($0)?.labels?[PaywallAction.restore.rawValue] } ?? "Restore Purchases"
    let last = "It asks the store for all purchases of the account."
    // Without own paywalls, each locked feature leads to the usual one.
    if places.isEmpty { return "Tap “\(label)” on the paywall of a locked feature. \(last)" }
    let paywalls = places.filter { $0 != .settings }
    let isEach = catalog.paywalls.keys.allSatisfy { $0 == .settings || places.contains($0) }
    // A reviewer sees a paywall's text, not its name. One of several is enough.
    let shown = (paywalls.first { $0 == .default } ?? paywalls.first).map { place in
      let text = catalog.paywall(place).flatMap { [$0.title, $0.headline].compactMap { $0 }.first { !$0.contains("{") } }
      return isEach ? (paywalls.count == 1 ? "the paywall" : "each paywall") : "the paywall “\(text ?? place.rawValue)”"
    }
    let spots = (shown.map { ["on \($0)"] } ?? []) + (places.contains(.settings) ? ["in the settings"] : [])
    return "Tap “\(label)” \(enumeration(spots)). \(last)"
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
    let headline = [paywall.definition.title, paywall.definition.headline].compactMap { $0 }.first.map { " “\($0)”" }
    let sells = enumeration(paywall.products.map(words.product))
    // The gate stands before the paywall.
    let gate = catalog.parentalGate?.covers(.purchase) == true ? ["The parental gate appears. Pass it as an adult."] : []
    return ["Install the app and open it. This needs no purchase and no account."] + way + gate
      + ["The paywall\(headline ?? "") appears and offers \(sells)."]
      + ["Buy with the sandbox account. The locked feature opens at once."]
  }

  private func way(_ feature: Feature) -> (steps: [String], paywall: Paywall)? {
    if type(of: feature.shape).isAboutItems {
      let items = catalog.collections(of: feature).lazy.flatMap { collection in
        collection.paths.enumerated().lazy.map { (collection, $0 + 1, $1) }
      }
      for (collection, number, path) in items {
        guard let paywall = paywall(AccessRequest(feature.id, item: path)) else { continue }
        return (
          ["Open “\(feature.title)” and tap item \(number) of “\(collection.title)” (\(path)), the first locked one."], paywall
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

extension StoreProductType {
  /// App Store Connect's word.
  fileprivate var words: String {
    switch self {
    case .consumable: "consumable"
    case .nonConsumable: "non-consumable"
    case .autoRenewable: "auto-renewable subscription"
    case .nonRenewing: "non-renewing subscription"
    case .none: "not sold"
    }
  }
}
