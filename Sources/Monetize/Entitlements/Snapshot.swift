// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a customer may do at one moment, and until when that is so: a value, made from facts, catalog and a time.
///
/// Several questions to one snapshot agree with each other. Asking is O(1) and writes nothing.
public struct Snapshot: Sendable {
  /// The moment it is about.
  public let date: Date
  /// When it can next change by itself; until then it is constant. `nil` when no such time is known.
  public let nextChange: Date?
  /// The catalog it was made with.
  public let catalog: Catalog
  /// Whose it is.
  public var situation: Situation { judge.situation }
  /// Where the customer stands with each product, in catalog order.
  public let products: [ProductStatus]
  let rows: [FeatureRow]
  let judge: Judge

  init(
    date: Date, catalog: Catalog, products: [ProductStatus], rows: [FeatureRow], judge: Judge, productsChangeAt: Date?,
    gifts: Set<EntitlementID>
  ) {
    self.date = date
    self.catalog = catalog
    self.products = products
    self.rows = rows
    self.judge = judge
    self.productsChangeAt = productsChangeAt
    self.gifts = gifts
    var next = productsChangeAt ?? .distantFuture
    for row in rows { next = min(next, row.changesAt) }
    nextChange = next == .distantFuture ? nil : next
  }

  let productsChangeAt: Date?
  /// What is given without a purchase now.
  let gifts: Set<EntitlementID>

  /// Whether the customer may use a feature. A table read.
  public func allows(_ feature: FeatureID) -> Bool { catalog.index.features[feature].map { rows[$0].decision.isAllowed } ?? false }

  /// The whole answer for a feature. A table read.
  public func decision(for feature: FeatureID) -> Decision { decision(for: AccessRequest(feature)) }

  /// The whole answer for an item.
  public func decision(for feature: FeatureID, item: ItemPath) -> Decision { decision(for: AccessRequest(feature, item: item)) }

  /// The whole answer to a question.
  public func decision(for request: AccessRequest) -> Decision { decision(for: request, at: date) }

  func decision(for request: AccessRequest, at now: Date) -> Decision {
    guard let place = catalog.index.features[request.feature] else { return .denied(.unknownFeature) }
    let row = rows[place]
    if request.isPlain {
      // A window's cutoff moves with the moment of asking; everything else stays until `changesAt`.
      guard let window = row.decision.verdict.window else { return row.decision }
      var decision = row.decision
      decision.cutoff = now - window
      return decision
    }
    return judge.decide(request, catalog.features[place], row, at: now)
  }

  /// Where the customer stands with a product; `nil` for one that the catalog does not have. O(1).
  public func status(of product: ProductID) -> ProductStatus? { catalog.index.products[product].map { products[$0] } }

  /// Whether the customer has an entitlement through a product or as a gift: an answer for views that ask "is this person a subscriber?".
  public func isEntitled(to entitlement: EntitlementID) -> Bool {
    guard catalog.entitlement(entitlement) != nil else { return false }
    return gifts.contains(entitlement)
      || products.contains { $0.isOwned && (catalog.product($0.product)?.entitlements.contains(entitlement) ?? false) }
  }

  /// Whether credits of a consumable are left: something that a restore brings back.
  func hasCredits(of product: ProductID) -> Bool {
    guard let definition = catalog.product(product), let status = status(of: product), status.quantity > 0 else { return false }
    return definition.credits.keys.contains { feature in catalog.index.features[feature].map { rows[$0].credits?.left ?? 0 > 0 } ?? false }
  }

  /// What is allowed here and was not in `earlier`: features, and the items of those that are opened item by item. O(features and items).
  public func newlyAllowed(since earlier: Snapshot) -> [AccessRequest] {
    everyRequest.filter { decision(for: $0).isAllowed && !earlier.decision(for: $0).isAllowed }
  }

  /// What was allowed in `earlier` and is not here. O(features and items).
  public func noLongerAllowed(since earlier: Snapshot) -> [AccessRequest] { earlier.newlyAllowed(since: self) }

  /// Every question that the catalog knows: features with items by item, all others as they are.
  private var everyRequest: [AccessRequest] {
    catalog.features.flatMap { feature -> [AccessRequest] in
      guard type(of: feature.shape).isAboutItems else { return [AccessRequest(feature.id)] }
      let collections = feature.collections?.compactMap(catalog.collection) ?? catalog.collections
      return collections.flatMap(\.paths).map { AccessRequest(feature.id, item: $0) }
    }
  }
}

extension Snapshot: Equatable {
  /// Equal when they answer every question alike and for equally long; the moment itself may differ.
  public static func == (a: Snapshot, b: Snapshot) -> Bool {
    a.nextChange == b.nextChange && a.situation == b.situation && a.products == b.products && a.gifts == b.gifts
      && a.rows.elementsEqual(b.rows) {
        $0.decision == $1.decision && $0.granted == $1.granted && $0.grantors == $1.grantors && $0.offers == $1.offers && $0.cap == $1.cap
          && $0.usage == $1.usage && $0.credits == $1.credits && $0.creditsUsed == $1.creditsUsed
      }
  }
}
