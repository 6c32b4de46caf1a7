// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Compares the access of a product's owner, or of everyone, between two catalogs by asking the engine the same questions about both.
///
/// Skips features of equal text with grants that give at least as much, because by the law of ``Allowance`` they allow at least as much.
struct AccessComparison {
  /// A loss in one feature.
  struct Loss {
    let feature: FeatureID
    /// At most ten questions that were allowed and are denied.
    var examples: [OwnerQuestion]
    /// The number of items, and the levels and parts of all items; where only parts are lost, the items are whole.
    var items = 0
    var details: [String] = []
    /// The roles of those who lose it; empty if it is everyone who may use it.
    var roles: [String] = []
    /// The customer of the first question that is lost: the facts of items, the role.
    var customer = Probe(requests: [])
    /// Whether only those lose it with whom a family member shares the product.
    var isFamilys = false
    /// The number of purchases after which access only ends earlier.
    var shortened: Int?
    /// The old and the new amount, or time, in a few words.
    var before = ""
    var now = ""
  }

  /// What decides the answers for a product's owners about one feature: owners with equal stakes lose the same.
  private struct Stake: Hashable {
    let whole: FeatureID
    let terms: [String?]
    let grants: [Granted?]
    let credits: [Int?]
  }

  let from: DiffSide
  let to: DiffSide
  /// Whether to look for a feature of `from` under its other names as well, so that a renamed feature is no gain. A loss uses the feature's
  /// own name only, because a new one is missing in installed apps.
  private let areRenamed: Bool
  /// The features that may answer differently for equal grants.
  private let rewritten: Set<FeatureID>
  private var known: [Stake: [Loss]] = [:]

  init(from: DiffSide, to: DiffSide, areRenamed: Bool = false) {
    (self.from, self.to, self.areRenamed, rewritten) = (from, to, areRenamed, from.rewrittenFeatures(in: to))
  }

  /// The losses of everyone, in the order of the catalog.
  func everyone() -> [Loss] {
    from.catalog.features.filter { whole in
      whole.part == nil && !isKept(whole.id, [from.catalog.freeTier[whole.id], to.catalog.freeTier[whole.id]])
    }.flatMap { losses(of: $0.id, owning: nil) }
  }

  /// The losses of a product's owners in what it grants, without those of everyone. O(its grants) if nothing changed.
  mutating func owners(of product: CatalogProduct) -> [Loss] {
    let other = to.holding(product.id)
    let terms = [from.terms[product.id], to.terms[product.id]]
    let areTermsKept = terms[0] == terms[1]
    let wholes = Set(product.grants.keys).union(product.credits.keys).sorted()
    return wholes.flatMap { whole -> [Loss] in
      let stake = Stake(
        whole: whole, terms: terms, grants: [product.grants[whole], other?.grants[whole]],
        credits: [product.credits[whole], other?.credits[whole]])
      if areTermsKept, isKept(whole, stake.grants), stake.credits[0] ?? 0 <= stake.credits[1] ?? 0 { return [] }
      if let losses = known[stake] { return losses }
      let losses = losses(of: whole, owning: product)
      known[stake] = losses
      return losses
    }
  }

  /// Whether nothing is lost in a feature by a change of its grant from the first of two to the second.
  private func isKept(_ whole: FeatureID, _ grants: [Granted?]) -> Bool {
    guard !rewritten.contains(whole) else { return false }
    return grants[0].map { grants[1]?.gives(atLeast: $0) ?? false } ?? true
  }

  // MARK: Questions

  /// A product's owner, or someone without one, under both catalogs, about a feature family.
  private struct Pair {
    var old: ProbedOwner
    var new: ProbedOwner
  }

  private func losses(of whole: FeatureID, owning product: CatalogProduct?) -> [Loss] {
    let family = from.families[whole] ?? []
    let collections = from.catalog.collections(of: family, product?.grants[whole])
    let free = from.catalog.freeTier[whole]
    func before(_ free: Granted?, isMonetized: Bool) -> ProbedOwner {
      // Without monetization everyone has what all products grant.
      let old = from.catalog.part(
        isMonetized ? product.map { [$0] } ?? [] : from.catalog.products, features: family, collections: collections,
        freeTier: free.map { [whole: $0] } ?? [:], isMonetized: isMonetized)
      return ProbedOwner(under: old, of: product?.id)
    }
    // The comparison is about what was paid for, without what the free tier gives.
    let isPaidAlone = product != nil && (free != nil || !from.catalog.isMonetized)
    let paid = isPaidAlone ? before(nil, isMonetized: true) : before(free, isMonetized: from.catalog.isMonetized)
    let pair = Pair(old: paid, new: after(family, product, collections))
    var losses = family.flatMap { self.losses(of: $0, pair) }
    // A loss of the whole includes its parts.
    if losses.contains(where: { $0.feature == whole }) { losses = losses.filter { $0.feature == whole } }
    if losses.isEmpty { return [] }
    let all = isPaidAlone ? before(free, isMonetized: from.catalog.isMonetized) : paid
    losses = losses.map { loss in
      var loss = loss
      let text = { (owner: ProbedOwner) in loss.shortened.map { time(owner, $0) } ?? cell(loss, owner) }
      (loss.before, loss.now) = (text(all), text(pair.new))
      return loss
    }
    // Families that lose just what the owners lose are not listed.
    return losses.filter { loss in
      !loss.isFamilys || !losses.contains { !$0.isFamilys && $0.feature == loss.feature && ($0.before, $0.now) == (loss.before, loss.now) }
    }
  }

  /// The same customer under the other catalog, with all that the customer has there.
  private func after(_ family: [Feature], _ product: CatalogProduct?, _ collections: [CatalogCollection]) -> ProbedOwner {
    let names = family.flatMap { [$0.id] + $0.aliases }
    let others = names.compactMap { to.catalog.feature($0) }.flatMap { feature in
      [feature] + (feature.part.flatMap { to.catalog.feature($0.whole) }.map { [$0] } ?? [])
    }
    var seen: Set<FeatureID> = []
    let features = others.filter { seen.insert($0.id).inserted }
    let free = Dictionary(features.compactMap { feature in to.catalog.freeTier[feature.id].map { (feature.id, $0) } }) { first, _ in first }
    let new = to.catalog.part(
      to.catalog.isMonetized ? product.flatMap { to.holding($0.id) }.map { [$0] } ?? [] : to.catalog.products, features: features,
      collections: collections.compactMap { to.catalog.collection($0.id) }, freeTier: free, isMonetized: to.catalog.isMonetized)
    return ProbedOwner(under: new, of: product?.id)
  }

  typealias Lost = (probe: Probe, question: OwnerQuestion)

  /// The loss of the owners, and that of the family members with whom they share the product.
  private func losses(of feature: Feature, _ pair: Pair) -> [Loss] {
    let probes = ProbeMaker(owner: pair.old, other: pair.new, feature: feature).probes
    var lost: [Lost] = []
    for probe in probes {
      let (old, new) = (pair.old.decisions(probe), pair.new.decisions(probe.asking(about: name(of: feature, in: pair.new))))
      lost += zip(probe.requests, zip(old, new)).filter { $0.1.0.isAllowed && !$0.1.1.isAllowed }.map { (probe, probe.question($0.0)) }
    }
    return [false, true].compactMap { isFamilys in
      loss(of: feature, lost.filter { ($0.probe.ownership == .familyShared) == isFamilys }, probes)
    }
  }

  private func loss(of feature: Feature, _ lost: [Lost], _ probes: [Probe]) -> Loss? {
    if lost.isEmpty { return nil }
    var loss = Loss(feature, lost)
    // Amounts are compared for one role only, because all roles have the same.
    let plain = lost.filter { $0.question.request == probes[0].requests[0] && $0.question.facts.isEmpty && !$0.probe.isAtEnd }
    let roles = Set(plain.map(\.probe.member.role))
    if !roles.isEmpty, roles != Set(probes.map(\.member.role)) { loss.roles = roles.map(\.rawValue).sorted() }
    return loss
  }

  /// How long a product is owned.
  private func time(_ owner: ProbedOwner, _ purchases: Int) -> String {
    guard let end = owner.end(afterPurchases: purchases) else { return "no end" }
    let seconds = Int(end.timeIntervalSince(Probe.start))
    return Period(fixed: seconds).words
  }

  /// The name of a feature in a catalog.
  private func name(of feature: Feature, in owner: ProbedOwner) -> FeatureID {
    ([feature.id] + (areRenamed ? feature.aliases : [])).first { owner.catalog.feature($0) != nil } ?? feature.id
  }

  private func cell(_ loss: Loss, _ owner: ProbedOwner) -> String {
    let name = from.catalog.feature(loss.feature).map { self.name(of: $0, in: owner) }
    let customer = owner.snapshot(loss.customer)
    return owner.catalog.feature(name ?? loss.feature).map { FeatureCell($0, customer).text } ?? "gone"
  }
}

extension AccessComparison.Loss {
  /// The loss that these questions show, which were allowed and are denied.
  fileprivate init(_ feature: Feature, _ lost: [AccessComparison.Lost]) {
    let requests = lost.map(\.question.request)
    let paths = requests.compactMap(\.item)
    let whole = paths.filter { $0.part == nil }
    self.init(feature: feature.id, examples: Array(lost.prefix(10).map(\.question)))
    items = Set(whole).count
    let parts = whole.isEmpty ? paths.map { "the part \($0.part ?? "") of every item of \($0.collection)" } : Self.some(whole)
    details = Self.unique(parts + requests.compactMap { $0.level.map { "level \($0)" } })
    customer.member = lost[0].probe.member
    // Uses would lessen an amount; completed items and coins open others.
    if type(of: feature.shape).isAboutItems { customer.facts = lost[0].probe.facts }
    isFamilys = lost.allSatisfy { $0.probe.ownership == .familyShared }
    if isFamilys { customer.ownership = .familyShared }
    shortened = lost.allSatisfy(\.probe.isAtEnd) ? lost.map(\.probe.purchases).min() : nil
  }

  private static func some(_ items: [ItemPath]) -> [String] { Array(unique(items.map(\.description)).prefix(3)) }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}
