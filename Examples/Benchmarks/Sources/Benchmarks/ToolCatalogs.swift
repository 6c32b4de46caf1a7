// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A generated catalog with one part that is large, and an edit of it. A shape shows what is slower than linear in that part.
enum ToolShape: String, CaseIterable {
  /// Plans of groups of their own, with ten features.
  case plans = "plans with ten features"
  /// Packs with a feature each.
  case features = "packs with a feature each"
  /// Packs with a collection each.
  case collections = "packs with a collection each"
  /// Ten plans that share all offers.
  case offers = "an offer each in ten plans"
  /// A placement of a paywall for each feature, which offers and describes.
  case paywalls = "packs with a feature and a paywall each"

  /// The edit of each product, or of each part that is large.
  enum Edit: String, CaseIterable {
    case none = "equal", prices, ids, titles, grants
  }

  func json(_ count: Int, _ edit: Edit = .none) -> Data {
    let parts = (0..<count).map { part($0, edit) }
    func list(_ key: KeyPath<Part, String?>) -> String { parts.compactMap { $0[keyPath: key] }.joined(separator: ",\n    ") }
    return Data(
      """
      { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "Example" },
        "collections": { \(list(\.collection)) },
        "features": { \(shared.isEmpty ? list(\.feature) : shared) },
        "freeTier": { "grants": { \(list(\.free)) } },
        "products": [ \(self == .offers ? plans(parts.compactMap(\.offer), edit) : list(\.product)) ],
        "paywalls": { "default": { "headline": "More", "actions": ["purchase", "restore", "dismiss"] }\(self == .paywalls ? ",\n" : "")\(list(\.paywall)) },
        "legal": { "terms": "https://example.com/t", "privacy": "https://example.com/p", "renewal": "Renews at {price} per {period}.",
          "cancellation": "Cancel at any time." } }
      """.utf8)
  }

  private struct Part {
    var collection, feature, free, product, offer, paywall: String?
  }

  /// The features that all products share; empty for a shape with one for each.
  private var shared: String {
    switch self {
    case .plans, .offers:
      (0..<10).map { #""feature\#($0)": { "title": "Feature \#($0)", "allowance": "count", "per": "month" }"# }.joined(separator: ", ")
    case .collections: #""story": { "title": "Stories", "allowance": "items" }"#
    case .features, .paywalls: ""
    }
  }

  private func part(_ number: Int, _ edit: Edit) -> Part {
    let id = edit == .ids ? "new\(number)" : "product\(number)"
    let title = edit == .titles ? "Other \(number)" : "Title \(number)"
    let head = """
      "id": "com.example.\(id)", "name": "\(title)", "price": { "amount": "\(edit == .prices ? 5 : 4).99", "currency": "USD" }
      """
    let amount = edit == .grants ? 5 : 10
    switch self {
    case .plans:
      return Part(
        product: """
          { "kind": "subscription", \(head), "group": "g\(number)", "level": 1, "period": "P1M",
            "grants": { "feature\(number % 10)": \(amount + number), "feature\((number + 7) % 10)": "unlimited" } }
          """)
    case .features, .paywalls:
      let placement = self == .paywalls ? ", \"placement\": \"place\(number)\"" : ""
      return Part(
        feature: """
          "feature\(number)": { "title": "\(title)", "description": "{limit} a {period}", "allowance": "count", "per": "month"\(placement) }
          """,
        free: "\"feature\(number)\": \(edit == .grants ? 2 : 3)",
        product: """
          { "kind": "nonConsumable", \(head), "grants": { "feature\(number)": \(amount) } }
          """,
        paywall: self == .features
          ? nil
          : """
          "place\(number)": { "headline": "\(title)", "products": ["com.example.\(id)"], "preselected": "com.example.\(id)",
            "benefits": [{ "title": "\(title) {limit}", "features": ["feature\(number)"] }], "actions": ["purchase", "restore"] }
          """)
    case .collections:
      return Part(
        collection: "\"c\(number)\": { \"title\": \"\(title)\", \"items\": 5 }", free: nil,
        product: """
          { "kind": "nonConsumable", \(head), "grants": { "story": { "c\(number)": \(edit == .grants ? 3 : 4) } } }
          """)
    case .offers:
      return Part(
        offer: """
          { "type": "promotional", "mode": "payUpFront", "id": "\(id)", "period": "P1M", "price": { "amount": "\(edit == .prices ? 2 : 1).99",
            "currency": "USD" } }
          """)
    }
  }

  private func plans(_ offers: [String], _ edit: Edit) -> String {
    (0..<10).map { plan in
      let own = stride(from: plan, to: offers.count, by: 10).map { offers[$0] }
      return """
        { "kind": "subscription", "id": "com.example.plan\(plan)", "name": "\(edit == .titles ? "Other" : "Plan") \(plan)", "group": "g\(plan)",
          "level": 1, "period": "P1M", "price": { "amount": "4.99", "currency": "USD" },
          "grants": { "feature\(plan)": \(edit == .grants ? 5 : 10) }, "offers": [\(own.joined(separator: ",\n      "))] }
        """
    }.joined(separator: ",\n    ")
  }
}
