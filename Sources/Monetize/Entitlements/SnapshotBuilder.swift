// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Snapshot {
  /// What the facts say at `now`. Pure: equal arguments give equal snapshots, whatever the order in which the facts came.
  /// O(facts about purchases + features × products that grant them).
  public init(of state: CustomerState, catalog: Catalog, situation: Situation = Situation(), at now: Date) {
    // Who only looks around has no history.
    let state = situation.member.role == .demo ? CustomerState() : state
    let builder = SnapshotBuilder(catalog: catalog, state: state, situation: situation, now: now)
    let changes = builder.products.compactMap(\.changesAt) + builder.grantChanges
    self.init(
      date: now, products: builder.products, rows: catalog.features.indices.map { Shared(builder.row($0)) }, judge: builder.judge,
      productsChangeAt: changes.min(), gifts: builder.gifts)
  }

  /// The same snapshot after uses, caps or coins of one feature changed: only its row is made anew.
  func updating(_ feature: Int, _ state: CustomerState, at now: Date) -> Snapshot {
    let builder = SnapshotBuilder(catalog: catalog, state: state, situation: situation, now: now, products: products)
    var rows = rows
    rows[feature] = Shared(builder.row(feature))
    return Snapshot(
      date: date, products: products, rows: rows, judge: builder.judge, productsChangeAt: productsChangeAt, gifts: gifts)
  }
}

/// Facts of one customer turned into rows. A class, because each row would copy a struct with all its references.
private final class SnapshotBuilder {
  let catalog: Catalog
  let state: CustomerState
  let now: Date
  let products: [ProductStatus]
  let judge: Judge
  /// What all features without uses share.
  private let unused: Shared<AllowanceContext.Background>
  private let isFreeTierActive: Bool
  private let complimentary: [(grant: ComplimentaryGrant, grants: [FeatureID: Granted])]

  init(catalog: Catalog, state: CustomerState, situation: Situation, now: Date, products known: [ProductStatus]? = nil) {
    self.catalog = catalog
    self.state = state
    self.now = now
    if let known {
      products = known
    } else {
      products = catalog.products.map { ProductStatus(of: $0, state: state, situation: situation, catalog: catalog, at: now) }
    }
    let subject = situation.member.subject
    isFreeTierActive = catalog.freeTierKind.ownership(from: ProductHistory(product: "", transactions: []), at: now).isActive
    var progress = AllowanceContext.Progress(completions: state.completions, subject: subject)
    progress.balance = state.coins[subject] ?? 0
    progress.corrected = state.time[0]?.corrected
    unused = Shared(.init(zone: situation.zone, usage: UsageTotals(), progress: progress))
    judge = Judge(catalog: catalog, situation: situation, pending: Set(products.filter(\.isPending).map(\.product)))
    complimentary = state.grants.sorted.filter { !$0.isRevoked }.map { grant in
      var grants: [FeatureID: Granted] = [:]
      for entitlement in grant.entitlements.compactMap(catalog.entitlement) {
        grants.merge(entitlement.grants) { $0.joined(with: $1) }
      }
      return (grant, grants)
    }
  }

  /// When complimentary grants begin or end.
  var grantChanges: [Date] { complimentary.flatMap { [$0.grant.from, $0.grant.until ?? now] }.filter { $0 > now } }

  /// The entitlements that are given without a purchase now.
  var gifts: Set<EntitlementID> {
    Set(complimentary.filter { $0.grant.from <= now && now < ($0.grant.until ?? .distantFuture) }.flatMap(\.grant.entitlements))
  }

  func row(_ place: Int) -> FeatureRow {
    let feature = catalog.features[place]
    let whole = catalog.features[catalog.index.wholes[place]].id
    let granting = catalog.index.granting[catalog.index.wholes[place]]
    let crediting = catalog.index.crediting[place]
    var row = FeatureRow(background: unused)
    // How far back single uses matter.
    var lookBack: TimeInterval?
    func note(_ granted: Granted?) { if let length = granted?.lookBack { lookBack = max(lookBack ?? 0, length) } }
    if isFreeTierActive, let granted = catalog.freeTier[whole] {
      row.grantors.append(.init(source: .freeTier, reason: .free, granted: granted))
    }
    for (index, granted) in granting where products[index].isOwned {
      // Each purchase grants its own count from its own day; one more never takes away.
      let anchored = products[index].since.map(granted.anchored).reduce(nil) { $0?.joined(with: $1) ?? $1 } ?? granted
      let reason: Reason = catalog.products[index].subscription == nil ? .owned : .subscribed
      row.grantors.append(.init(source: .product(products[index].product), reason: reason, granted: anchored))
    }
    for (grant, grants) in complimentary where grant.from <= now && now < (grant.until ?? .distantFuture) {
      guard let granted = grants[whole] else { continue }
      row.grantors.append(.init(source: .complimentary(grant.id), reason: .complimentary, granted: granted.anchored(at: grant.from)))
    }
    if !catalog.isMonetized, !granting.isEmpty || !crediting.isEmpty || catalog.entitlements.contains(where: { $0.grants[whole] != nil }) {
      row.grantors.append(.init(source: .monetizationOff, reason: .monetizationOff, granted: feature.shape.withoutMoney))
    }
    for grantor in row.grantors { row.granted = row.granted?.joined(with: grantor.granted) ?? grantor.granted }
    for (index, granted) in granting where catalog.products[index].isOnSale && !products[index].isOwned {
      let bought = granted.anchored(at: now)
      row.offers.append(.init(product: products[index].product, granted: row.granted?.joined(with: bought) ?? bought))
      note(row.offers[row.offers.count - 1].granted)
    }
    addCredits(to: &row, feature, place)
    let (subject, world) = (judge.situation.member.subject, judge.situation.environment)
    row.cap = cap(of: feature, by: subject)
    note(row.granted)
    note(row.cap)
    let since = lookBack.map { now - $0 }
    var usage = state.usage.totals(of: feature.id, by: subject, since: since, at: now, in: world)
    // What was recorded under an earlier name still counts, and so does what nobody knows the doer of.
    for alias in feature.aliases { usage.add(state.usage.totals(of: alias, by: subject, since: since, at: now, in: world)) }
    usage.add(state.usage.totals(of: feature.id, by: .everyone, since: since, at: now, in: world))
    if usage.all > 0 {
      row.background = Shared(.init(zone: unused.value.zone, usage: usage, progress: unused.value.progress))
    }
    row.sourcesChangeAt = giftsChangeAt(whole)
    for (index, _) in granting { row.sourcesChangeAt = earlier(row.sourcesChangeAt, products[index].changesAt) }
    for (index, _) in crediting { row.sourcesChangeAt = earlier(row.sourcesChangeAt, products[index].changesAt) }
    row.decision = judge.decide(AccessRequest(feature.id), feature, row, at: now)
    row.changesAt = changesAt(row, feature)
    return row
  }

  /// What is bought and used in credits, and what more would add. Credits are counted a transaction and never joined.
  private func addCredits(to row: inout FeatureRow, _ feature: Feature, _ place: Int) {
    let crediting = catalog.index.crediting[place]
    guard !crediting.isEmpty else { return }
    for (index, credits) in crediting where catalog.products[index].isOnSale {
      row.offers.append(.init(product: products[index].product, granted: row.granted, credits: credits))
    }
    row.offers.sort { (catalog.index.products[$0.product] ?? 0) < (catalog.index.products[$1.product] ?? 0) }
    row.creditsUsed = ([feature.id] + feature.aliases).reduce(0) { $0 + state.usage.creditsUsed(of: $1, in: judge.situation.environment) }
    for (index, credits) in crediting where products[index].quantity > 0 {
      let (bought, used) = (row.credits?.bought ?? 0, row.creditsUsed)
      row.credits = .init(bought: bought + min(products[index].quantity * credits, Use.unknownAmount), used: used)
    }
  }

  /// What a parent has limited of a feature, also under an earlier name of it.
  private func cap(of feature: Feature, by subject: SubjectID) -> Granted? {
    guard !state.caps.isEmpty else { return nil }
    let caps = ([feature.id] + feature.aliases).lazy.compactMap { self.state.caps[Cap.Key(feature: $0, subject: subject)] }
    return caps.first?.amount.flatMap { Self.amount($0, feature.shape) }
  }

  /// When a gift that concerns a feature begins or ends.
  private func giftsChangeAt(_ feature: FeatureID) -> Date? {
    var next: Date?
    for (grant, grants) in complimentary where grants[feature] != nil {
      for change in [grant.from, grant.until ?? now] where change > now { next = earlier(next, change) }
    }
    return next
  }

  /// Also the periods of limits that only a product on sale has: buying it after the period turns gives another answer. A denial has looked
  /// at the offers already.
  private func changesAt(_ row: FeatureRow, _ feature: Feature) -> Date {
    var next = earlier(row.decision.validUntil, row.sourcesChangeAt)
    if row.decision.isAllowed, !row.offers.isEmpty {
      let request = AccessRequest(feature.id)
      for offer in row.offers {
        guard let granted = offer.granted else { continue }
        next = earlier(next, judge.judge(granted, request, feature, nil, row.background, countsEveryUse: false, now).changesAt)
      }
    }
    return next ?? .distantFuture
  }

  /// A cap's amount, in the grammar of the feature's grants. One that does not parse closes the feature: a cap only narrows, and what a
  /// parent meant is not known.
  private static func amount(_ text: String, _ shape: any AllowanceShape) -> Granted? {
    guard let document = try? JSONDocument(parsing: text) else { return .limited(ClosedGrant()) }
    if document.root.bool == false { return .limited(ClosedGrant()) }
    return GrantReader.amount(document.root, shape: shape, JSONReader(document)) ?? .limited(ClosedGrant())
  }
}

/// Allows nothing.
private struct ClosedGrant: Allowance {
  func joined(with other: Self) -> Self { self }
  func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict { .denied(.parentalLimit) }
}
