// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Results of one task that similar states share. Not `Sendable`, because each task has its own.
final class CheckCache {
  private var known: [[Int]: Set<ProductID>] = [:]
  private var bases: [CheckFacts: Base] = [:]
  private var answers: [CheckFacts: CheckAnswers] = [:]
  private var value: ProductValue?
  private var standings: Set<[Int: CheckState.Standing]> = []
  /// The maximum number of customers without uses, and of answers; then the cache is emptied.
  private static let most = (bases: 20_000, answers: 100_000)

  /// A customer with some purchases and no uses: a use changes only the answers about the used feature.
  struct Base {
    let facts: CustomerState
    let snapshot: Snapshot
    let decisions: [Decision]
  }

  /// Whether this is the first state with these products owned, expired and refunded, regardless of dates.
  func isFirst(_ state: CheckState) -> Bool {
    standings.insert(Dictionary(state.purchases.made.map { ($0.product, $0.purchase.standing) }) { first, _ in first }).inserted
  }

  /// The answers to a customer. `skipped` are the codes of properties that are already known not to hold.
  func answers(_ facts: CheckFacts, _ model: CheckModel, without skipped: Set<String> = []) -> CheckAnswers {
    if let known = answers[facts] { return known }
    let (snapshot, decisions) = model.answers(facts, from: base(facts, model))
    let findings = model.findings(in: facts, snapshot, self, without: skipped)
    let found = CheckAnswers(model, snapshot, decisions, findings)
    if answers.count >= Self.most.answers { answers = [:] }
    answers[facts] = found
    return found
  }

  /// The customer with the same purchases and no uses.
  func base(_ facts: CheckFacts, _ model: CheckModel) -> Base {
    let key = CheckFacts(now: facts.now, purchases: facts.purchases)
    if let base = bases[key] { return base }
    let state = CustomerState(model.storeFacts(key))
    let snapshot = Snapshot(of: state, catalog: model.catalog, at: model.date(key.now))
    let base = Base(facts: state, snapshot: snapshot, decisions: model.probes.map { model.decision($0, snapshot) })
    if bases.count >= Self.most.bases { bases = [:] }
    bases[key] = base
    return base
  }

  /// The products on sale that give nothing to a customer who owns these. Excludes another plan of an owned group, which is a change of
  /// plan.
  func useless(_ active: [Int], _ model: CheckModel) -> Set<ProductID> {
    if let found = known[active] { return found }
    let catalog = model.catalog
    guard catalog.isMonetized else { return [] }
    let owned = active.map { catalog.products[$0] }
    let (ids, groups) = (Set(owned.map(\.id)), Set(owned.compactMap { $0.subscription?.group }))
    var value = value ?? ProductValue(catalog)
    defer { self.value = value }
    // What is bought for ever outlasts a plan, and is compared only with what is owned for ever. A pass may outlast another.
    let lasting = owned.filter { !$0.kind.changesWithTime }
    let renewing = owned.filter { $0.subscription != nil || !$0.kind.changesWithTime }
    let found = catalog.products.filter { product in
      product.isOnSale && !ids.contains(product.id) && product.subscription.map { !groups.contains($0.group) } != false
        && !value.opensSomething(product, besides: product.kind.changesWithTime ? renewing : lasting)
    }
    known[active] = Set(found.map(\.id))
    return Set(found.map(\.id))
  }
}
