// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// All answers for one member at one moment: a value computed from facts, a catalog and a time.
///
/// The answers of one snapshot are consistent. Reading writes nothing. A question about a feature is O(1); one about an entitlement is
/// O(products).
public struct Snapshot: Sendable {
  /// The moment of the answers.
  public let date: Date
  /// When an answer can next change by itself; `nil` when no such time is known.
  public var nextChange: Date? { content.nextChange }
  /// The catalog of the answers.
  public var catalog: Catalog { content.judge.catalog }
  /// The member, the device and the state of the store.
  public var situation: Situation { content.judge.situation }
  /// The status of each product, in catalog order.
  public var products: [ProductStatus] { content.products }
  var rows: [FeatureRow] { content.rows }
  var judge: Judge { content.judge }
  var hasWindow: Bool { rows.contains { $0.decision.slidingWindow != nil } }
  var sourcesChangeAt: Date? { content.sourcesChangeAt }
  /// The entitlements given without a purchase now, with their end; `.distantFuture` when they never end.
  var gifts: [EntitlementID: Date] { content.gifts }

  /// A class, so that reading copies one reference out of the lock.
  final class Content: Sendable {
    let nextChange: Date?
    let products: [ProductStatus]
    let rows: [FeatureRow]
    let answers: [Answer]
    let judge: Judge
    /// The catalog's table. Kept here, to avoid retaining the judge's shared catalog for each question.
    let features: FeatureTable
    let sourcesChangeAt: Date?
    let gifts: [EntitlementID: Date]

    init(
      products: [ProductStatus], rows: [FeatureRow], judge: Judge, sourcesChangeAt: Date?, gifts: [EntitlementID: Date]
    ) {
      let next = rows.reduce(sourcesChangeAt ?? .distantFuture) { min($0, $1.changesAt) }
      nextChange = next == .distantFuture ? nil : next
      (self.products, self.rows, self.judge) = (products, rows, judge)
      features = judge.catalog.index.features
      (self.sourcesChangeAt, self.gifts) = (sourcesChangeAt, gifts)
      answers = rows.map { Answer(isAllowed: $0.decision.isAllowed, changesAt: $0.changesAt) }
    }
  }
  let content: Content

  /// The answer to a request without parameters. Holds no reference, because `allows` reads it inside the lock.
  struct Answer: Sendable {
    let isAllowed: Bool
    let changesAt: Date
  }

  init(_ content: Content, at date: Date) { (self.content, self.date) = (content, date) }

  /// The same answers at a later moment before ``nextChange``: only the cutoffs of windows move until then.
  func dated(_ now: Date) -> Snapshot { Snapshot(content, at: now) }

  /// Whether the member may use a feature. Reads a table.
  public func allows(_ feature: FeatureID) -> Bool {
    content.features[feature].map { content.answers[$0].isAllowed } ?? false
  }

  /// The decision for a feature. Reads a table.
  public func decision(for feature: FeatureID) -> Decision { decision(for: AccessRequest(feature)) }

  /// The decision for an item.
  public func decision(for feature: FeatureID, item: ItemPath) -> Decision { decision(for: AccessRequest(feature, item: item)) }

  /// The decision for a request.
  public func decision(for request: AccessRequest) -> Decision { decision(for: request, at: date) }

  func decision(for request: AccessRequest, at now: Date) -> Decision {
    guard let index = content.features[request.feature] else { return .denied(.unknownFeature) }
    let row = content.rows[index]
    if request.isPlain {
      // The cutoff of a sliding window moves with time; everything else is constant until `changesAt`.
      guard let window = row.decision.slidingWindow else { return row.decision }
      return row.decision.changed { $0.cutoff = now - window }
    }
    return content.judge.decide(request, content.judge.catalog.index.sharedFeatures[index], row.sources, row.background, at: now)
  }

  /// The status of a product; `nil` for a product that is not in the catalog. O(1).
  public func status(of product: ProductID) -> ProductStatus? { catalog.index.products[product].map { products[$0] } }

  /// Whether a product or a complimentary grant gives an entitlement. For views that show only whether this person is a subscriber.
  public func isEntitled(to entitlement: EntitlementID) -> Bool {
    guard catalog.entitlement(entitlement) != nil else { return false }
    return gifts[entitlement] != nil
      || products.contains { $0.isOwned && (catalog.product($0.product)?.entitlements.contains(entitlement) ?? false) }
  }

  /// Whether credits of a product are left, which makes a restore successful.
  func hasCredits(of product: ProductID) -> Bool {
    guard let definition = catalog.product(product), let status = status(of: product), status.quantity > 0 else { return false }
    return definition.credits.keys.contains { feature in
      catalog.index.features[feature].map { rows[$0].sources.credits.left > 0 } ?? false
    }
  }

  /// The features, and their items, that are allowed here and were not in `earlier`. For capacity features, assumes that nothing exists
  /// yet. O(features and items).
  public func newlyAllowed(since earlier: Snapshot) -> [AccessRequest] {
    if isIdentical(to: earlier) { return [] }
    return catalog.features.flatMap { feature -> [AccessRequest] in
      guard type(of: feature.shape).isAboutItems else {
        let first = AccessRequest(feature.id, held: 0)
        return allows(first) && !earlier.allows(first) ? [AccessRequest(feature.id)] : []
      }
      let collections = catalog.collections(of: feature)
      return collections.flatMap(\.paths).map { AccessRequest(feature.id, item: $0) }.filter {
        allows($0) && !earlier.allows($0)
      }
    }
  }

  /// Whether a request is allowed, without the products that would help: one judgement, however many products there are.
  package func allows(_ request: AccessRequest) -> Bool {
    guard let index = content.features[request.feature] else { return false }
    let row = content.rows[index]
    return content.judge.decide(
      request, catalog.index.sharedFeatures[index], row.sources, row.background, at: date, explains: false
    ).isAllowed
  }

  /// Whether a subscription that may have renewed would allow more uses of a feature than are left.
  package func mayGiveMore(than decision: Decision, for feature: FeatureID) -> Bool {
    guard let index = content.features[feature], let left = decision.remaining else { return false }
    return catalog.index.grants[index].products.contains { products[$0.index].isInDoubt }
      && self.decision(for: AccessRequest(feature, count: left + 1)).reason == situation.store.reasonForDoubt
  }

  /// Whether both are the same instance, which makes a comparison unnecessary. O(1).
  package func isIdentical(to other: Snapshot) -> Bool { content === other.content }

  /// The features, and their items, that were allowed in `earlier` and are not here. O(features and items).
  public func noLongerAllowed(since earlier: Snapshot) -> [AccessRequest] { earlier.newlyAllowed(since: self) }

  /// The features whose limit was reached in an earlier snapshot, and that a new period allows again. Excludes features that were bought or
  /// given meanwhile: they have no limit, or their period has not ended. Excludes parts too, because a part has the limit of its whole.
  /// O(features).
  func resets(since before: Snapshot) -> [FeatureID] {
    zip(before.rows, rows).enumerated().compactMap { index, rows in
      let (before, now) = (rows.0.decision, rows.1.decision)
      guard before.reason == .limitReached, let end = before.resetsAt, end <= date, now.isAllowed, now.limit != nil else { return nil }
      return catalog.features[index].id
    }
  }
}

extension Snapshot: Equatable {
  /// Equal when both give the same answers until the same time. Their dates, and the date of the store's last answer, may differ.
  public static func == (a: Snapshot, b: Snapshot) -> Bool {
    if a.isIdentical(to: b) { return true }
    var (one, other) = (a.situation, b.situation)
    (one.store.asOf, other.store.asOf) = (nil, nil)
    return a.nextChange == b.nextChange && one == other && a.products == b.products && a.gifts == b.gifts
      && a.rows.elementsEqual(b.rows) { $0.answersLike($1) }
  }
}

/// The additional data that a use records.
package struct Metering {
  /// The local day that the use counts on, and the zone of that day.
  package let day: Int
  package let zone: TimeZone
  /// Whether it counts against a grant. `false` under an unlimited grant.
  package let isCounted: Bool
  /// The amount covered by credits.
  package let credits: Int
}

extension Snapshot {
  /// The data to record for an allowed use of a whole feature; `nil` for a feature that is neither metered nor
  /// counted for a milestone.
  package func metering(_ request: AccessRequest, at now: Date) -> Metering? {
    catalog.index.features[request.feature].flatMap { judge.metering(request, catalog.index.sharedFeatures[$0], rows[$0], at: now) }
  }

  /// The use of an amount at the snapshot's date, as if it had been allowed; a use of a part is one of its whole. `nil` for a feature that
  /// is not in the catalog, and for one that neither a limit nor a milestone counts.
  package func use(of id: FeatureID, amount: Int, key: String) -> Use? {
    guard let asked = catalog.feature(id), let feature = catalog.feature(asked.part?.whole ?? asked.id),
      let metering = metering(AccessRequest(feature.id, count: amount), at: date)
    else { return nil }
    return Use(
      key: key, feature: feature.id, subject: situation.member.subject, amount: amount, date: date, day: metering.day,
      zone: metering.zone.identifier, counted: metering.isCounted, credits: metering.credits)
  }

  /// Whether a purchase pays for a use: bought credits, or a product whose grant has no limit. `false` where the free tier, a gift or
  /// `monetization` gives as much, and for credits if all of them were given.
  func isPaid(_ use: Use) -> Bool {
    guard let index = catalog.index.features[use.feature] else { return use.credits > 0 }
    let credits = rows[index].sources.credits
    if use.counted { return use.credits > 0 && (credits.bought > 0 || credits.given == 0) }
    let sources = rows[index].sources
    guard case .product? = sources.grantors.first(where: { $0.granted == sources.granted })?.source else { return false }
    return true
  }
}

extension Judge {
  /// The data to record for an allowed use of a whole feature, by the feature's row.
  func metering(_ request: AccessRequest, _ feature: Shared<Feature>, _ row: FeatureRow, at now: Date) -> Metering? {
    let isMetered = type(of: feature.value.shape).isMetered
    guard isMetered || catalog.milestones.contains(where: { $0.feature == feature.value.id }) else { return nil }
    let (day, zone) = feature.value.shape.day(in: AllowanceContext(now: now, background: row.background))
    return Metering(
      day: day, zone: zone, isCounted: isMetered && row.sources.granted != .unlimited,
      credits: creditsNeeded(request, feature, row, at: now))
  }

  /// The amount of a use that credits cover because the grants do not. 0 under an unlimited grant.
  private func creditsNeeded(_ request: AccessRequest, _ feature: Shared<Feature>, _ row: FeatureRow, at now: Date) -> Int {
    let credits = row.sources.credits
    if credits.left == 0 || row.sources.granted == .unlimited { return 0 }
    let question = Question(
      request: request, item: request.item.flatMap(catalog.item), feature: feature, background: row.background, now: now)
    let verdict = row.sources.granted.map { self.verdict($0, question) }
    if verdict?.isAllowed == true { return 0 }
    return min(max(0, request.count - (verdict?.remaining ?? 0)), credits.left)
  }
}
