// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a customer may do at one moment, and until when that is so: a value, made from facts, catalog and a time.
///
/// Several questions to one snapshot agree with each other. Asking is O(1) and writes nothing.
public struct Snapshot: Sendable {
  /// The moment it is about.
  public var date: Date { content.value.date }
  /// When it can next change by itself; until then it is constant. `nil` when no such time is known.
  public var nextChange: Date? { content.value.nextChange }
  /// The catalog it was made with.
  public var catalog: Catalog { judge.catalog }
  /// Whose it is.
  public var situation: Situation { judge.situation }
  /// Where the customer stands with each product, in catalog order.
  public var products: [ProductStatus] { content.value.products }
  var rows: [Shared<FeatureRow>] { content.value.rows }
  var judge: Judge { content.value.judge }
  var productsChangeAt: Date? { content.value.productsChangeAt }
  /// What is given without a purchase now.
  var gifts: Set<EntitlementID> { content.value.gifts }

  // Shared, and the rows as well: each question takes a copy of the snapshot out of the lock, and each spend replaces one row.
  private struct Content: Sendable {
    let date: Date
    let nextChange: Date?
    let products: [ProductStatus]
    let rows: [Shared<FeatureRow>]
    let answers: [Answer]
    let decisions: [Decision]
    let judge: Judge
    let productsChangeAt: Date?
    let gifts: Set<EntitlementID>
  }
  private let content: Shared<Content>

  /// A row in 16 bytes without a reference: what `allows` reads inside the lock.
  struct Answer: Sendable {
    let isAllowed: Bool
    let changesAt: Date
  }
  var answers: [Answer] { content.value.answers }
  /// The answers to the question without a parameter, by feature.
  var decisions: [Decision] { content.value.decisions }

  init(
    date: Date, products: [ProductStatus], rows: [Shared<FeatureRow>], judge: Judge, productsChangeAt: Date?, gifts: Set<EntitlementID>
  ) {
    var next = productsChangeAt ?? .distantFuture
    for row in rows { next = min(next, row.value.changesAt) }
    content = Shared(
      Content(
        date: date, nextChange: next == .distantFuture ? nil : next, products: products, rows: rows,
        answers: rows.map { Answer(isAllowed: $0.value.decision.isAllowed, changesAt: $0.value.changesAt) },
        decisions: rows.map(\.value.decision), judge: judge, productsChangeAt: productsChangeAt, gifts: gifts))
  }

  /// Whether the customer may use a feature. A table read.
  public func allows(_ feature: FeatureID) -> Bool {
    content.value.judge.catalog.index.features[feature].map { content.value.answers[$0].isAllowed } ?? false
  }

  /// The whole answer for a feature. A table read.
  public func decision(for feature: FeatureID) -> Decision { decision(for: AccessRequest(feature)) }

  /// The whole answer for an item.
  public func decision(for feature: FeatureID, item: ItemPath) -> Decision { decision(for: AccessRequest(feature, item: item)) }

  /// The whole answer to a question.
  public func decision(for request: AccessRequest) -> Decision { decision(for: request, at: date) }

  func decision(for request: AccessRequest, at now: Date) -> Decision {
    // Read in place: a copy of the catalog or of a row counts dozens of references.
    guard let place = content.value.judge.catalog.index.features[request.feature] else { return .denied(.unknownFeature) }
    let row = content.value.rows[place]
    if request.isPlain {
      // A window's cutoff moves with the moment of asking; everything else stays until `changesAt`.
      guard let window = row.value.decision.window else { return row.value.decision }
      return row.value.decision.changed { $0.cutoff = now - window }
    }
    return content.value.judge.decide(request, content.value.judge.catalog.features[place], row.value, at: now)
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
    return definition.credits.keys.contains { feature in
      catalog.index.features[feature].map { rows[$0].value.credits?.left ?? 0 > 0 } ?? false
    }
  }

  /// What is allowed here and was not in `earlier`: features, and the items of those that are opened item by item. O(features and items).
  public func newlyAllowed(since earlier: Snapshot) -> [AccessRequest] {
    if isIdentical(to: earlier) { return [] }
    return catalog.features.flatMap { feature -> [AccessRequest] in
      guard type(of: feature.shape).isAboutItems else {
        return allows(feature.id) && !earlier.allows(feature.id) ? [AccessRequest(feature.id)] : []
      }
      let collections = feature.collections?.compactMap(catalog.collection) ?? catalog.collections
      return collections.flatMap(\.paths).map { AccessRequest(feature.id, item: $0) }.filter {
        decision(for: $0).isAllowed && !earlier.decision(for: $0).isAllowed
      }
    }
  }

  /// Whether it is the very same snapshot, so that there is nothing to compare. O(1).
  package func isIdentical(to other: Snapshot) -> Bool { content === other.content }

  /// What was allowed in `earlier` and is not here. O(features and items).
  public func noLongerAllowed(since earlier: Snapshot) -> [AccessRequest] { earlier.newlyAllowed(since: self) }
}

extension Snapshot: Equatable {
  /// Equal when they answer every question alike and for equally long; the moment itself may differ.
  public static func == (a: Snapshot, b: Snapshot) -> Bool {
    a.nextChange == b.nextChange && a.situation == b.situation && a.products == b.products && a.gifts == b.gifts
      && a.rows.elementsEqual(b.rows) { $0 === $1 || $0.value.saysTheSame(as: $1.value) }
  }
}
