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

/// Facts of one customer turned into rows.
private struct SnapshotBuilder {
  let catalog: Catalog
  let state: CustomerState
  let now: Date
  let products: [ProductStatus]
  let judge: Judge
  private let complimentary: [(grant: ComplimentaryGrant, grants: [FeatureID: Granted])]

  init(catalog: Catalog, state: CustomerState, situation: Situation, now: Date, products known: [ProductStatus]? = nil) {
    self.catalog = catalog
    self.state = state
    self.now = now
    if let known {
      products = known
    } else {
      let transactions = Dictionary(grouping: state.transactions.values, by: \.productID)
      products = catalog.products.map { product in
        ProductStatus(
          of: product, transactions: transactions[product.id] ?? [], state: state, situation: situation, catalog: catalog, at: now)
      }
    }
    let subject = situation.member.subject
    var progress = AllowanceContext.Progress(completions: state.completions, subject: subject)
    progress.balance = state.coins[subject] ?? 0
    progress.corrected = state.time[0]?.corrected
    judge = Judge(catalog: catalog, situation: situation, progress: progress, pending: Set(products.filter(\.isPending).map(\.product)))
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
    let whole = feature.part?.whole ?? feature.id
    let granting = catalog.index.features[whole].map { catalog.index.granting[$0] } ?? []
    let crediting = catalog.index.crediting[place]
    var row = FeatureRow()
    if let granted = catalog.freeTier[whole],
      catalog.freeTierKind.ownership(from: ProductHistory(product: "", transactions: []), at: now).isActive
    {
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
    row.granted = row.grantors.dropFirst().reduce(row.grantors.first?.granted) { $0?.joined(with: $1.granted) }
    for (index, granted) in granting where catalog.products[index].isOnSale && !products[index].isOwned {
      let bought = granted.anchored(at: now)
      row.offers.append(.init(product: products[index].product, granted: row.granted?.joined(with: bought) ?? bought))
    }
    addCredits(to: &row, feature, place)
    let (subject, world) = (judge.situation.member.subject, judge.situation.environment)
    row.cap = ([feature.id] + feature.aliases).lazy.compactMap { state.caps[Cap.Key(feature: $0, subject: subject)] }.first?.amount.flatMap
    { Self.amount($0, feature.shape) }
    let lookBack = ([row.granted, row.cap].compactMap { $0 } + row.offers.compactMap(\.granted)).compactMap(\.lookBack).max()
    let since = lookBack.map { now - $0 }
    row.usage = state.usage.totals(of: feature.id, by: subject, since: since, at: now, in: world)
    // What was recorded under an earlier name still counts, and so does what nobody knows the doer of.
    for alias in feature.aliases { row.usage.add(state.usage.totals(of: alias, by: subject, since: since, at: now, in: world)) }
    row.usage.add(state.usage.totals(of: feature.id, by: .everyone, since: since, at: now, in: world))
    row.sourcesChangeAt = sourcesChangeAt(granting.map(\.product) + crediting.map(\.product), whole)
    row.decision = judge.decide(AccessRequest(feature.id), feature, row, at: now)
    row.ready = judge.readyAnswers(feature, row)
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

  /// When the products or gifts that concern a feature change.
  private func sourcesChangeAt(_ granting: [Int], _ whole: FeatureID) -> Date? {
    let gifts = complimentary.filter { $0.grants[whole] != nil }.flatMap { [$0.grant.from, $0.grant.until ?? now] }.filter { $0 > now }
    return (granting.compactMap { products[$0].changesAt } + gifts).min()
  }

  /// Also the periods of limits that only a product on sale has: buying it after the period turns gives another answer.
  private func changesAt(_ row: FeatureRow, _ feature: Feature) -> Date {
    var changes = [row.decision.validUntil, row.sourcesChangeAt].compactMap { $0 }
    for granted in [row.granted, row.cap].compactMap({ $0 }) + row.offers.compactMap(\.granted) {
      let verdict = judge.judge(granted, AccessRequest(feature.id), feature, nil, row.usage, countsEveryUse: false, now)
      if let date = verdict.changesAt { changes.append(date) }
    }
    return changes.min() ?? .distantFuture
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
