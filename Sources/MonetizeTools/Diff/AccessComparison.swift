// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Compares the access of a product's owner, or of everyone, between two catalogs by asking the engine the same questions about both. Skips
/// parts with equal text, because the engine gives equal answers for them.
struct AccessComparison {
  /// A loss in one feature.
  struct Loss {
    let feature: FeatureID
    /// At most ten questions that were allowed and are denied.
    var examples: [OwnerQuestion]
    /// The number of items.
    var items: Int
    /// The old and the new amount, in a few words.
    var before = ""
    var now = ""
  }

  /// The texts that decide the answers for a product's owners and one feature: owners with equal texts lose the same.
  private struct Stake: Hashable {
    let whole: FeatureID
    let grants: [Granted?]
    let credits: [Int?]
    let terms: [String?]
  }

  let from: DiffSide
  let to: DiffSide
  private var known: [Stake: [Loss]] = [:]

  init(from: DiffSide, to: DiffSide) { (self.from, self.to) = (from, to) }

  /// The losses of everyone, in the order of the catalog.
  func everyone() -> [Loss] {
    from.catalog.features.filter { $0.part == nil }.flatMap { whole -> [Loss] in
      isSame(whole.id) ? [] : losses(of: whole.id, owning: nil)
    }
  }

  /// The losses of a product's owners in what it grants, without those of everyone. O(its grants) if nothing changed.
  mutating func owners(of product: CatalogProduct) -> [Loss] {
    let other = to.catalog.product(product.id)
    let wholes = Set(product.grants.keys).union(product.credits.keys).sorted()
    return wholes.flatMap { whole -> [Loss] in
      let stake = Stake(
        whole: whole, grants: [product.grants[whole], other?.grants[whole]], credits: [product.credits[whole], other?.credits[whole]],
        terms: [from.terms[product.id], to.terms[product.id]])
      if isSame(whole), stake.grants[0] == stake.grants[1], stake.credits[0] == stake.credits[1], stake.terms[0] == stake.terms[1] {
        return []
      }
      if let losses = known[stake] { return losses }
      let losses = losses(of: whole, owning: product)
      known[stake] = losses
      return losses
    }
  }

  /// Whether both catalogs have the same text for a feature, its parts and everyone's access to it.
  private func isSame(_ whole: FeatureID) -> Bool {
    from.familyTexts[whole] == to.familyTexts[whole] && from.shared == to.shared
      && from.catalog.freeTier[whole] == to.catalog.freeTier[whole]
  }

  // MARK: Questions

  /// A feature family under both catalogs.
  private struct Pair {
    var old: Catalog
    var new: Catalog
  }

  private func losses(of whole: FeatureID, owning product: CatalogProduct?) -> [Loss] {
    let family = from.families[whole] ?? []
    let paid = pair(whole, family, product, isPaidAlone: product != nil)
    var losses = family.compactMap { loss(of: $0, product, paid) }
    // A loss of the whole includes its parts.
    if losses.contains(where: { $0.feature == whole }) { losses = losses.filter { $0.feature == whole } }
    if losses.isEmpty { return [] }
    let all = pair(whole, family, product, isPaidAlone: false)
    return losses.map { loss in
      var loss = loss
      loss.before = cell(loss.feature, all.old, product?.id)
      loss.now = cell(loss.feature, all.new, product?.id)
      return loss
    }
  }

  private func pair(_ whole: FeatureID, _ family: [Feature], _ product: CatalogProduct?, isPaidAlone: Bool) -> Pair {
    let names = family.flatMap { [$0.id] + $0.aliases }
    let others = names.compactMap { to.catalog.feature($0) }.flatMap { feature in
      [feature] + (feature.part.flatMap { to.catalog.feature($0.whole) }.map { [$0] } ?? [])
    }
    var seen: Set<FeatureID> = []
    let features = others.filter { seen.insert($0.id).inserted }
    let collections = collections(family, product?.grants[whole])
    let free = Dictionary(features.compactMap { feature in to.catalog.freeTier[feature.id].map { (feature.id, $0) } }) { first, _ in first }
    return Pair(
      old: from.catalog.part(
        product.map { [$0] } ?? [], features: family, collections: collections,
        freeTier: isPaidAlone ? [:] : from.catalog.freeTier.filter { $0.key == whole }, isMonetized: isPaidAlone || from.catalog.isMonetized
      ),
      new: to.catalog.part(
        product.flatMap { to.catalog.product($0.id) }.map { [$0] } ?? [], features: features,
        collections: collections.compactMap { to.catalog.collection($0.id) }, freeTier: free, isMonetized: to.catalog.isMonetized))
  }

  /// The collections of a grant.
  private func collections(_ family: [Feature], _ granted: Granted?) -> [CatalogCollection] {
    guard let whole = family.first(where: { $0.part == nil }), type(of: whole.shape).isAboutItems else { return [] }
    let named = granted?.allowance?.collections ?? []
    return (named.isEmpty ? whole.collections : named)?.compactMap(from.catalog.collection) ?? from.catalog.collections
  }

  private func loss(of feature: Feature, _ product: CatalogProduct?, _ pair: Pair) -> Loss? {
    let limit = Probe(requests: [AccessRequest(feature.id)]).decisions(pair.new, owning: product?.id).first?.limit
    var probes = ProbeMaker(catalog: pair.old, feature: feature, product: product?.id, otherLimit: limit).probes
    if product?.isFamilyShareable == true { probes.append(Probe(requests: [AccessRequest(feature.id, held: 0)], ownership: .familyShared)) }
    var lost: [OwnerQuestion] = []
    for probe in probes {
      let (old, new) = (probe.decisions(pair.old, owning: product?.id), probe.decisions(pair.new, owning: product?.id))
      lost += zip(probe.requests, zip(old, new)).filter { $0.1.0.isAllowed && !$0.1.1.isAllowed }.map { probe.question($0.0) }
    }
    if lost.isEmpty { return nil }
    return Loss(feature: feature.id, examples: Array(lost.prefix(10)), items: Set(lost.compactMap(\.request.item)).count)
  }

  private func cell(_ id: FeatureID, _ catalog: Catalog, _ product: ProductID?) -> String {
    guard let feature = catalog.feature(id) else { return "gone" }
    let bought = product.map { [Fact.transaction(.init(id: "1", productID: $0, purchaseDate: Probe.start))] } ?? []
    return FeatureCell(feature, Snapshot(of: CustomerState(bought), catalog: catalog, at: Probe.start)).text
  }
}
