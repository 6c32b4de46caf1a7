// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

extension Snapshot {
  /// Computes all answers from facts at `now`. Pure: equal arguments give equal snapshots, in whatever order the facts arrived. O(purchases
  /// that have not ended + features × products that grant them).
  public init(of state: CustomerState, catalog: Catalog, situation: Situation = Situation(), at now: Date) {
    // A demo has no history.
    let state = situation.member.role == .demo ? CustomerState() : state
    let builder = SnapshotBuilder(catalog: Shared(catalog), state: state, situation: situation, now: now)
    self.init(
      Content(
        products: builder.products, rows: catalog.features.indices.map(builder.row), judge: builder.judge,
        sourcesChangeAt: builder.sourcesChangeAt, gifts: builder.gifts),
      at: now)
  }

  /// Updates the snapshot after uses of one feature. Recomputes only its row and those of its parts, and keeps their sources.
  package func updating(_ feature: Int, _ state: CustomerState, at now: Date) -> Snapshot {
    if catalog.index.looksAtUses { return Snapshot(of: state, catalog: catalog, situation: situation, at: now) }
    let builder = SnapshotBuilder(judge, products, state: state, now: now)
    var rows = rows
    let whole = catalog.index.wholes[feature]
    for index in rows.indices where catalog.index.wholes[index] == whole { rows[index] = builder.row(index, after: rows[index]) }
    return Snapshot(Content(products: products, rows: rows, judge: judge, sourcesChangeAt: sourcesChangeAt, gifts: gifts), at: now)
  }
}

/// Judges uses of single features for one customer, without a snapshot of all features: for simulations of very many customers.
package struct UseJudge: Sendable {
  private let catalog: Shared<Catalog>
  private let situation: Situation
  /// The status of the products, and until when it holds.
  private var known: (products: [ProductStatus], until: Date)?

  package init(_ catalog: Catalog, situation: Situation = Situation()) {
    (self.catalog, self.situation) = (Shared(catalog), situation)
  }

  /// Call when facts about purchases have changed.
  package mutating func forget() { known = nil }

  /// Whether an amount of a feature may be used at `now`, as in a snapshot of these facts, and the resulting use; `nil` for a feature that
  /// is not in the catalog.
  package mutating func judge(
    _ feature: FeatureID, _ state: CustomerState, amount: Int = 1, key: String, at now: Date
  ) -> (isAllowed: Bool, use: Use?)? {
    guard let index = catalog.value.index.features[feature] else { return nil }
    let standing = known.flatMap { now < $0.until ? $0.products : nil }
    let builder = SnapshotBuilder(catalog: catalog, state: state, situation: situation, now: now, products: standing)
    if standing == nil { known = (builder.products, builder.sourcesChangeAt ?? .distantFuture) }
    let features = catalog.value.index.sharedFeatures
    func request(_ index: Int) -> AccessRequest { AccessRequest(features[index].value.id, count: amount) }
    let row = builder.row(index)
    let decision =
      amount == 1 ? row.decision : builder.judge.decide(request(index), features[index], row.sources, row.background, at: now)
    guard decision.isAllowed else { return (false, nil) }
    // A use of a part is one of its whole.
    let whole = catalog.value.index.wholes[index]
    let metering = builder.judge.metering(request(whole), features[whole], whole == index ? row : builder.row(whole), at: now)
    return (
      true,
      metering.map {
        Use(
          key: key, feature: features[whole].value.id, subject: situation.member.subject, amount: amount, date: now, day: $0.day,
          zone: $0.zone.identifier, counted: $0.isCounted, credits: $0.credits)
      }
    )
  }
}

/// Builds the rows from the facts of one customer. A class, because each row would copy a struct with all its references. What only new
/// sources need is lazy: after a use, a row keeps its sources.
private final class SnapshotBuilder {
  let state: CustomerState
  let now: Date
  let products: [ProductStatus]
  let judge: Judge
  private let subject: SubjectID
  private let progress: AllowanceContext.Progress
  /// The background shared by all features without uses.
  private let unused: AllowanceContext.Background
  private lazy var freeTier = catalog.freeTierKind.ownership(from: ProductHistory(product: "", transactions: []), at: now)
  private lazy var complimentary: [ComplimentaryGrant] = state.grants.sorted.filter { !$0.isRevoked }
  /// The plans that would begin only after one that the customer has, each with the date when that one can next change.
  private lazy var plansThatWait = Self.plansThatWait(catalog, products)
  /// The sources for parts, by the index of their whole.
  private var parts: [Int: FeatureRow.Sources] = [:]

  private var catalog: Catalog { judge.catalog }

  convenience init(
    catalog sharedCatalog: Shared<Catalog>, state: CustomerState, situation: Situation, now: Date, products known: [ProductStatus]? = nil
  ) {
    let catalog = sharedCatalog.value
    let products =
      known
      ?? catalog.products.map { product in
        let uses = type(of: product.kind).looksAtUses ? state.usage.dates(of: Set(product.grants.keys), in: situation.environment) : []
        return ProductStanding(of: product, state, situation, app: catalog.app.id, uses: uses, at: now).status
      }
    let pending = products.indices.lazy.filter { catalog.index.isAnyPrice(of: $0, in: products, \.isPending) }
    let judge = Judge(
      sharedCatalog: sharedCatalog, situation: situation, pending: Set(pending.map { products[$0].product }), custom: state.custom)
    self.init(judge, products, state: state, now: now)
  }

  init(_ judge: Judge, _ products: [ProductStatus], state: CustomerState, now: Date) {
    (self.judge, self.products, self.state, self.now) = (judge, products, state, now)
    subject = judge.situation.member.subject
    progress = AllowanceContext.Progress(zone: judge.situation.zone, at: now, of: subject, in: state)
    unused = AllowanceContext.Background(usage: UsageTotals(), progress: progress)
  }

  /// The plans that would begin only after one that the customer has, each with the date when that one can next change. O(plans).
  private static func plansThatWait(_ catalog: Catalog, _ products: [ProductStatus]) -> [Int: Date?] {
    var later: [Int: Date?] = [:]
    for group in catalog.index.plans.values {
      for plan in group where products[plan].isOwned {
        for other in group where products[plan].delays(catalog.products[other], in: catalog) {
          later.updateValue(earlier(later[other] ?? nil, products[plan].changesAt), forKey: other)
        }
      }
    }
    return later
  }

  /// Whether there are purchases: not while monetization is off, and not in a demo, for which no purchase counts.
  private var hasPurchases: Bool { catalog.isMonetized && judge.situation.member.role != .demo }

  /// Whether a purchase of a product, or the approval of one, would have an effect now.
  private func beginsNow(_ index: Int) -> Bool {
    guard hasPurchases, plansThatWait.index(forKey: index) == nil else { return false }
    return catalog.products[index].storeType.isSoldAgain
      || !catalog.index.isAnyPrice(of: index, in: products) { $0.isOwned || $0.hasBeenSold }
  }

  /// When products, complimentary grants or offers can next change by themselves. Rows contain the changes of the free tier.
  var sourcesChangeAt: Date? {
    let gifts = complimentary.flatMap { [$0.from, $0.until ?? now] }
    let offer = catalog.index.offerDates.first { $0 > now }
    return earlier((products.compactMap(\.changesAt) + gifts).filter { $0 > now }.min(), offer)
  }

  /// The entitlements given without a purchase now, with their end.
  var gifts: [EntitlementID: Date] {
    let active = complimentary.filter { $0.isActive(at: now) }
    return Dictionary(active.flatMap { gift in gift.entitlements.map { ($0, gift.until ?? .distantFuture) } }, uniquingKeysWith: max)
  }

  func row(_ index: Int) -> FeatureRow {
    let whole = catalog.index.wholes[index]
    var sources = parts[whole] ?? sources(of: index)
    // A part has the sources of its whole, except for credits and while monetization is off.
    if whole == index, catalog.isMonetized, !hasCredits(index, sources.credits) { parts[whole] = sources }
    sources.caps = (whole == index ? [index] : [index, whole]).compactMap(cap)
    return row(index, sources)
  }

  /// Updates a row after uses of its feature. Of its sources, they change only the number of credits used.
  func row(_ index: Int, after old: FeatureRow) -> FeatureRow {
    var sources = old.sources
    sources.credits.used = creditsUsed(of: index, sources.credits)
    return row(index, sources)
  }

  private func row(_ index: Int, _ sources: FeatureRow.Sources) -> FeatureRow {
    let usage = usage(of: catalog.index.wholes[index], lookBack: lookBack(of: sources))
    let background = usage.map { AllowanceContext.Background(usage: $0, progress: progress) } ?? unused
    let feature = catalog.index.sharedFeatures[index]
    let request = AccessRequest(feature.value.id)
    let decision = judge.decide(request, feature, sources, background, at: now)
    return FeatureRow(sources, background, decision, changesAt: changesAt(decision, sources, background, request))
  }

  // MARK: Grants

  private func sources(of index: Int) -> FeatureRow.Sources {
    var sources = grantors(of: catalog.index.grants[index])
    addOffers(of: index, to: &sources)
    return sources
  }

  private func grantors(of grants: CatalogIndex.Grants) -> FeatureRow.Sources {
    var sources = FeatureRow.Sources()
    if freeTier.isActive, let granted = grants.free {
      sources.grantors.append(.init(source: .freeTier, reason: .free, granted: granted))
    }
    for (index, granted, _) in grants.products {
      // Each purchase grants its own count from its own date. Another purchase never reduces access.
      let status = products[index]
      guard let granted, status.isOwned else { continue }
      let reason: Reason = type(of: catalog.products[index].kind).renews ? .subscribed : .owned
      sources.grantors.append(.init(source: .product(status.product), reason: reason, granted: granted.anchored(at: status.since)))
    }
    for gift in complimentary where gift.isActive(at: now) {
      let granted = gift.entitlements.compactMap { grants.entitlements[$0] }
      guard let first = granted.first else { continue }
      let joined = granted.dropFirst().reduce(first) { $0.joined(with: $1) }.anchored(at: [gift.from])
      sources.grantors.append(.init(source: .complimentary(gift.id), reason: .complimentary, granted: joined))
    }
    if let granted = grants.withoutMoney {
      sources.grantors.append(.init(source: .monetizationOff, reason: .monetizationOff, granted: granted))
    }
    for grantor in sources.grantors { sources.granted = sources.granted?.joined(with: grantor.granted) ?? grantor.granted }
    for change in [freeTier.until, freeTier.changesAt] where grants.free != nil { addChange(change, to: &sources) }
    for gift in complimentary where gift.entitlements.contains(where: { grants.entitlements[$0] != nil }) {
      for change in [gift.from, gift.until] { addChange(change, to: &sources) }
    }
    return sources
  }

  private func addChange(_ date: Date?, to sources: inout FeatureRow.Sources) {
    if let date, date > now { sources.changesAt = earlier(sources.changesAt, date) }
  }

  /// Adds the effects of purchases, and the grants of products that the customer may have. Credits are counted per transaction and never joined.
  private func addOffers(of index: Int, to sources: inout FeatureRow.Sources) {
    let grants = catalog.index.grants[index].products
    addGivenCredits(of: index, to: &sources)
    sources.credits.used = creditsUsed(of: index, sources.credits)
    for (index, granted, credits) in grants {
      let status = products[index]
      addChange(status.changesAt, to: &sources)
      addChange(plansThatWait[index] ?? nil, to: &sources)
      let bought = granted?.anchored(at: [.distantFuture])
      let joined = bought.map { sources.granted?.joined(with: $0) ?? $0 } ?? sources.granted
      let isOffered = catalog.products[index].isOffered
      if isOffered || judge.pending.contains(status.product), beginsNow(index) {
        sources.offers.append(.init(product: status.product, isSold: isOffered, granted: joined, credits: credits))
      }
      // Includes products that are not sold now, because the customer may own one, and excludes credits, because no store lists them again.
      if status.isInDoubt || (status.state == .unknown && hasPurchases && granted != nil) {
        sources.doubts.append(.init(product: status.product, isSold: isOffered, granted: joined, credits: credits))
      }
      if credits > 0, status.quantity > 0 {
        let (more, overflows) = status.quantity.multipliedReportingOverflow(by: credits)
        sources.credits.bought = min(sources.credits.bought + min(overflows ? .max : more, Use.unknownAmount), Use.unknownAmount)
      }
    }
  }

  /// Adds the credits given without a purchase. Only uses of a metered feature take credits, and no part of one.
  private func addGivenCredits(of index: Int, to sources: inout FeatureRow.Sources) {
    guard complimentary.contains(where: \.hasCredits), catalog.index.wholes[index] == index,
      type(of: catalog.features[index].shape).isMetered
    else { return }
    for gift in complimentary {
      let credits = names(of: index).reduce(0) { $0 + (gift.credits[$1] ?? 0) }
      guard credits > 0 else { continue }
      for change in [gift.from, gift.until] { addChange(change, to: &sources) }
      if gift.isActive(at: now) { sources.credits.given = min(sources.credits.given + credits, Use.unknownAmount) }
    }
  }

  // MARK: Uses and caps

  private func hasCredits(_ index: Int, _ credits: FeatureRow.Credits) -> Bool {
    credits.given > 0 || catalog.index.grants[index].products.contains { $0.credits > 0 }
  }

  /// 0 for a feature without credits.
  private func creditsUsed(of index: Int, _ credits: FeatureRow.Credits) -> Int {
    guard hasCredits(index, credits) else { return 0 }
    return names(of: index).reduce(0) { $0 + state.usage.creditsUsed(of: $1, in: judge.situation.environment) }
  }

  /// How far back individual uses matter, in seconds.
  private func lookBack(of sources: FeatureRow.Sources) -> TimeInterval? {
    var longest = sources.granted?.lookBack
    func look(_ granted: Granted?) { if let length = granted?.lookBack { longest = max(longest ?? length, length) } }
    for cap in sources.caps { look(cap) }
    for offer in sources.offers { look(offer.granted) }
    for doubt in sources.doubts { look(doubt.granted) }
    return longest
  }

  private func usage(of index: Int, lookBack: TimeInterval?) -> UsageTotals? {
    if state.usage.isEmpty { return nil }
    let since = lookBack.map { now - $0 }
    var usage = UsageTotals()
    // Includes uses recorded under an earlier name, and uses by unknown authors from a damaged state.
    for name in names(of: index) {
      for author in [subject, .everyone] {
        usage.add(state.usage.totals(of: name, by: author, since: since, at: now, in: judge.situation.environment))
      }
    }
    return usage.all > 0 ? usage : nil
  }

  /// The parent's limit on a feature, including limits set under an earlier name.
  private func cap(of index: Int) -> Granted? {
    guard !state.caps.isEmpty else { return nil }
    let caps = names(of: index).lazy.compactMap { self.state.caps[Cap.Key(feature: $0, subject: self.subject)] }
    return caps.first?.granted(for: catalog.features[index].shape)
  }

  private func names(of index: Int) -> [FeatureID] { catalog.index.names[index] }

  /// Includes the periods of limits that only a product has that is on sale or may be owned: buying it later, or asking for more, would give
  /// another answer. A denial already considers them.
  private func changesAt(
    _ decision: Decision, _ sources: FeatureRow.Sources, _ background: AllowanceContext.Background, _ request: AccessRequest
  ) -> Date? {
    guard decision.isAllowed else { return earlier(decision.validUntil, sources.changesAt) }
    return (sources.offers + sources.doubts).reduce(earlier(decision.validUntil, sources.changesAt)) { next, offer in
      // A grant without a limit has no period that resets.
      guard let allowance = offer.granted?.allowance else { return next }
      let context = AllowanceContext(now: now, background: background)
      return earlier(next, allowance.judge(request, in: context).changesAt)
    }
  }
}

extension Cap {
  /// The amount in the grammar of the feature's grants; `nil` without a limit. An invalid amount closes the feature, because a cap only narrows
  /// and the parent's intent is unknown.
  func granted(for shape: any AllowanceShape) -> Granted? {
    guard let amount else { return nil }
    guard let document = try? JSONDocument(parsing: amount), document.root.bool != false else { return .limited(ClosedGrant()) }
    return GrantReader.amount(document.root, shape: shape, JSONReader(document)) ?? .limited(ClosedGrant())
  }
}

private struct ClosedGrant: Allowance {
  func joined(with other: Self) -> Self { self }
  func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict { .denied(.parentalLimit) }
}
