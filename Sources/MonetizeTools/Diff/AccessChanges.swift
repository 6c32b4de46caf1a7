// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator

/// Gains and losses of access, as sentences. Owners of products with the same changes share one sentence.
struct AccessChanges {
  private let old: DiffSide
  private let new: DiffSide

  init(_ old: DiffSide, _ new: DiffSide) { (self.old, self.new) = (old, new) }

  var changes: [CatalogChange] {
    var (away, back) = (AccessComparison(from: old, to: new), AccessComparison(from: new, to: old, areRenamed: true))
    let (lostByAll, gainedByAll) = (away.everyone(), back.everyone())
    // A limit of another period gives more to some and less to others: one sentence.
    let bothWays = Set(gainedByAll.map(\.feature)).intersection(lostByAll.map(\.feature))
    let gainedAnyway = Set(gainedByAll.map { [$0.feature.rawValue, $0.before, $0.now] })
    let lost = grouped(old.catalog.products + old.gifts) { away.owners(of: $0) }
    let gained = grouped((new.catalog.products + new.gifts).filter { old.holding($0.id) != nil }) { product in
      // An equal gain of everyone is reported once.
      back.owners(of: product).filter { !gainedAnyway.contains([$0.feature.rawValue, $0.before, $0.now]) }
    }
    return lost.map { change(.takenAway, .error, "takes-away", $0) } + EntitlementChanges.changes(old, new)
      + lostByAll.map { change(.everyoneLoses, .note, "everyone-loses", Shared($0), alsoGains: bothWays.contains($0.feature)) }
      + gainedByAll.filter { !bothWays.contains($0.feature) }.map { change(.gains, .note, "everyone-gains", Shared($0)) }
      + gained.map { change(.gains, .note, "owners-gain", $0) }
  }

  /// An equal loss of several owners, and of those who were given an entitlement.
  private struct Shared {
    let loss: AccessComparison.Loss
    var products: [ProductID] = []
    var entitlements: [Entitlement] = []
    var isEveryones: Bool { products.isEmpty && entitlements.isEmpty }

    init(_ loss: AccessComparison.Loss) { self.loss = loss }
  }

  private func grouped(_ products: [CatalogProduct], _ losses: (CatalogProduct) -> [AccessComparison.Loss]) -> [Shared] {
    var indexByKey: [[String]: Int] = [:]
    var groups: [Shared] = []
    for product in products {
      for loss in losses(product) {
        let key = [loss.feature.rawValue, loss.before, loss.now, "\(loss.isFamilys) \(loss.shortened ?? 0)"] + loss.details + loss.roles
        let index = indexByKey[key] ?? groups.count
        if index == groups.count { groups.append(Shared(loss)) }
        indexByKey[key] = index
        if old.catalog.product(product.id) != nil {
          groups[index].products.append(product.id)
        } else if groups[index].products.isEmpty {
          // The owners of a product stand for those who were given the same.
          groups[index].entitlements += product.entitlements.compactMap(old.catalog.entitlement)
        }
      }
    }
    return groups
  }

  private func change(
    _ topic: CatalogChange.Topic, _ severity: Diagnostic.Severity, _ code: String, _ shared: Shared, alsoGains: Bool = false
  ) -> CatalogChange {
    let loss = shared.loss
    let isGain = topic == .gains
    let side = isGain ? new : old
    let (before, now) = isGain ? (loss.now, loss.before) : (loss.before, loss.now)
    let amounts = before == now ? "" : ": \(Self.words(before, isGain)) before, \(Self.words(now, isGain)) now"
    let which = "\(side.words.feature(loss.feature))\(Self.details(loss))"
    let verb = alsoGains ? "loses and gains" : shared.isEveryones ? (isGain ? "gains" : "loses") : (isGain ? "gain" : "lose")
    let what = loss.shortened == nil ? "\(verb) \(which)" : "have \(which) for a \(isGain ? "longer" : "shorter") time"
    return CatalogChange(
      topic: topic, severity: severity, code: code, products: shared.products, entitlements: shared.entitlements.map(\.id),
      feature: loss.feature, path: "features.\(loss.feature)", old: before, new: now,
      examples: shared.entitlements.isEmpty ? loss.examples : [], sentence: "\(Self.who(shared, side.words)) \(what)\(amounts).")
  }

  private static func who(_ shared: Shared, _ words: CatalogWords) -> String {
    let loss = shared.loss
    let roles = loss.roles.isEmpty ? "" : " with the role \(enumeration(loss.roles, "or"))"
    if shared.isEveryones { return "Everyone\(roles)" }
    if shared.products.isEmpty { return "Those who were given \(enumeration(shared.entitlements.map(\.title)))\(roles)" }
    let owners = "wners of \(enumeration(shared.products.map(words.product)))"
    return (loss.isFamilys ? "Families of o\(owners)" : "O\(owners)\(loss.shortened == 2 ? " who bought it twice" : "")") + roles
  }

  /// A few of the items concerned, or the levels or parts.
  private static func details(_ loss: AccessComparison.Loss) -> String {
    if loss.details.isEmpty { return "" }
    return loss.items > 1 ? " (\(loss.items) items, such as \(loss.details.joined(separator: ", ")))" : " (\(enumeration(loss.details)))"
  }

  private static func words(_ cell: String, _ isGain: Bool) -> String {
    cell == "–" ? "none" : cell == "gone" && isGain ? "not there" : cell
  }
}
