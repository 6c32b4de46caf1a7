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
      date: now, products: builder.products, rows: builder.rows(), judge: builder.judge,
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
  private let complimentary: [ComplimentaryGrant]
  /// What each pattern of grants comes to, once it was asked for.
  private var known: [Shared<FeatureRow.Grants>?]

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
    complimentary = state.grants.sorted.filter { !$0.isRevoked }
    self.known = Array(repeating: nil, count: catalog.index.patterns.count)
  }

  /// When complimentary grants begin or end.
  var grantChanges: [Date] { complimentary.flatMap { [$0.from, $0.until ?? now] }.filter { $0 > now } }

  /// The entitlements that are given without a purchase now.
  var gifts: Set<EntitlementID> { Set(complimentary.filter { $0.isActive(at: now) }.flatMap(\.entitlements)) }

  /// A row for each feature, in catalog order: one for all that are alike, unless something was used or limited of them.
  func rows() -> [Shared<FeatureRow>] {
    var rows: [Shared<FeatureRow>] = []
    rows.reserveCapacity(catalog.features.count)
    for place in catalog.features.indices {
      let first = catalog.index.alike[place]
      let isShared = first < place && rows[first].value.background === unused && rows[first].value.cap == nil && isUntouched(place)
      rows.append(isShared ? rows[first] : Shared(row(place)))
    }
    return rows
  }

  private func isUntouched(_ place: Int) -> Bool { cap(of: place) == nil && usage(of: place, lookBack: nil) == nil }

  func row(_ place: Int) -> FeatureRow {
    var row = FeatureRow(grants: grants(catalog.index.pattern[place]), background: unused)
    addCredits(to: &row, place)
    row.cap = cap(of: place)
    let lookBacks = (row.grants.value.lookBack, row.cap?.lookBack)
    if let usage = usage(of: place, lookBack: lookBacks.0.map { max($0, lookBacks.1 ?? 0) } ?? lookBacks.1) {
      row.background = Shared(.init(zone: unused.value.zone, usage: usage, progress: unused.value.progress))
    }
    row.decision = judge.decide(AccessRequest(catalog.features[place].id), catalog.features[place], row, at: now)
    row.changesAt = changesAt(row, place)
    return row
  }

  /// What a pattern of grants comes to, found out when the first feature asks.
  private func grants(_ place: Int) -> Shared<FeatureRow.Grants> {
    if let known = known[place] { return known }
    let grants = Shared(joined(catalog.index.patterns[place]))
    known[place] = grants
    return grants
  }

  private func joined(_ pattern: GrantPattern) -> FeatureRow.Grants {
    var all = FeatureRow.Grants()
    all.grantors.reserveCapacity(2)
    if isFreeTierActive, let granted = pattern.free {
      all.grantors.append(.init(source: .freeTier, reason: .free, granted: granted))
    }
    for product in pattern.products where products[product.place].isOwned {
      // Each purchase grants its own count from its own day; one more never takes away.
      let granted = product.granted.anchored(at: products[product.place].since)
      let (id, reason) = (products[product.place].product, products[product.place].reason)
      all.grantors.append(.init(source: .product(id), reason: reason, granted: granted))
    }
    for gift in complimentary where gift.isActive(at: now) {
      let granted = gift.entitlements.compactMap { pattern.entitlements[$0] }
      guard let first = granted.first else { continue }
      let joined = granted.dropFirst().reduce(first) { $0.joined(with: $1) }.anchored(at: [gift.from])
      all.grantors.append(.init(source: .complimentary(gift.id), reason: .complimentary, granted: joined))
    }
    if let granted = pattern.withoutMoney {
      all.grantors.append(.init(source: .monetizationOff, reason: .monetizationOff, granted: granted))
    }
    for grantor in all.grantors { all.granted = all.granted?.joined(with: grantor.granted) ?? grantor.granted }
    all.lookBack = all.granted?.lookBack
    for product in pattern.products {
      all.changesAt = earlier(all.changesAt, products[product.place].changesAt)
      guard catalog.products[product.place].isOnSale, !products[product.place].isOwned else { continue }
      let bought = product.granted.anchored(at: [now])
      let offer = FeatureRow.Offer(product: products[product.place].product, granted: all.granted?.joined(with: bought) ?? bought)
      if let length = offer.granted?.lookBack { all.lookBack = max(all.lookBack ?? 0, length) }
      all.offers.append(offer)
    }
    for gift in complimentary where gift.entitlements.contains(where: { pattern.entitlements[$0] != nil }) {
      for change in [gift.from, gift.until ?? now] where change > now { all.changesAt = earlier(all.changesAt, change) }
    }
    return all
  }

  /// What was used of a feature; `nil` where nothing was.
  private func usage(of place: Int, lookBack: TimeInterval?) -> UsageTotals? {
    if state.usage.isEmpty { return nil }
    let feature = catalog.features[place].id
    let (subject, world) = (judge.situation.member.subject, judge.situation.environment)
    let since = lookBack.map { now - $0 }
    var usage = state.usage.totals(of: feature, by: subject, since: since, at: now, in: world)
    // What was recorded under an earlier name still counts, and so does what nobody knows the doer of.
    for alias in catalog.features[place].aliases {
      usage.add(state.usage.totals(of: alias, by: subject, since: since, at: now, in: world))
    }
    usage.add(state.usage.totals(of: feature, by: .everyone, since: since, at: now, in: world))
    return usage.all > 0 ? usage : nil
  }

  /// What is bought and used in credits, and what more would add. Credits are counted a transaction and never joined.
  private func addCredits(to row: inout FeatureRow, _ place: Int) {
    let crediting = catalog.index.crediting[place]
    guard !crediting.isEmpty else { return }
    for (index, credits) in crediting where catalog.products[index].isOnSale {
      row.offers.append(.init(product: products[index].product, granted: row.granted, credits: credits))
    }
    row.offers.sort { (catalog.index.products[$0.product] ?? 0) < (catalog.index.products[$1.product] ?? 0) }
    row.creditsUsed = names(of: place).reduce(0) { $0 + state.usage.creditsUsed(of: $1, in: judge.situation.environment) }
    for (index, credits) in crediting where products[index].quantity > 0 {
      let (bought, used) = (row.credits?.bought ?? 0, row.creditsUsed)
      row.credits = .init(bought: bought + min(products[index].quantity * credits, Use.unknownAmount), used: used)
    }
    for (index, _) in crediting { row.sourcesChangeAt = earlier(row.sourcesChangeAt, products[index].changesAt) }
  }

  /// What a parent has limited of a feature, also under an earlier name of it.
  private func cap(of place: Int) -> Granted? {
    guard !state.caps.isEmpty else { return nil }
    let subject = judge.situation.member.subject
    let caps = names(of: place).lazy.compactMap { self.state.caps[Cap.Key(feature: $0, subject: subject)] }
    return caps.first?.amount.flatMap { Self.amount($0, catalog.features[place].shape) }
  }

  private func names(of place: Int) -> [FeatureID] { [catalog.features[place].id] + catalog.features[place].aliases }

  /// Also the periods of limits that only a product on sale has: buying it after the period turns gives another answer. A denial has looked
  /// at the offers already.
  private func changesAt(_ row: FeatureRow, _ place: Int) -> Date {
    var next = earlier(row.decision.validUntil, row.sourcesChangeAt)
    if row.decision.isAllowed, !row.offers.isEmpty {
      let request = AccessRequest(catalog.features[place].id)
      for offer in row.offers {
        // Without a limit there is no period to begin anew.
        guard let allowance = offer.granted?.allowance else { continue }
        next = earlier(next, allowance.judge(request, in: AllowanceContext(now: now, background: row.background)).changesAt)
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
