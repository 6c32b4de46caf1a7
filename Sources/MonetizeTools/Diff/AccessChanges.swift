// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator

/// Gains and losses of access, as sentences. Owners of products with the same changes share one sentence.
struct AccessChanges {
  private let old: DiffSide
  private let new: DiffSide

  init(_ old: DiffSide, _ new: DiffSide) { (self.old, self.new) = (old, new) }

  var changes: [CatalogChange] {
    var (away, back) = (AccessComparison(from: old, to: new), AccessComparison(from: new, to: old))
    let (lostByAll, gainedByAll) = (away.everyone(), back.everyone())
    let gainedAnyway = Set(gainedByAll.map(\.feature))
    // A limit of another period gives more to some and less to others: one sentence.
    let bothWays = gainedAnyway.intersection(lostByAll.map(\.feature))
    let lost = grouped(old.catalog.products) { away.owners(of: $0) }
    let gained = grouped(new.catalog.products.filter { old.catalog.product($0.id) != nil }) { product in
      // A gain of everyone is reported once.
      back.owners(of: product).filter { !gainedAnyway.contains($0.feature) }
    }
    return lost.map { change(.takenAway, .error, "takes-away", $0.loss, $0.products) }
      + lostByAll.map { change(.everyoneLoses, .note, "everyone-loses", $0, [], alsoGains: bothWays.contains($0.feature)) }
      + gainedByAll.filter { !bothWays.contains($0.feature) }.map { change(.gains, .note, "everyone-gains", $0, []) }
      + gained.map { change(.gains, .note, "owners-gain", $0.loss, $0.products) }
  }

  private typealias Shared = (loss: AccessComparison.Loss, products: [ProductID])

  private func grouped(_ products: [CatalogProduct], _ losses: (CatalogProduct) -> [AccessComparison.Loss]) -> [Shared] {
    var indexByKey: [[String]: Int] = [:]
    var groups: [Shared] = []
    for product in products {
      for loss in losses(product) {
        let key = [loss.feature.rawValue, loss.before, loss.now] + Self.items(loss)
        if let index = indexByKey[key] {
          groups[index].products.append(product.id)
        } else {
          indexByKey[key] = groups.count
          groups.append((loss, [product.id]))
        }
      }
    }
    return groups
  }

  private func change(
    _ topic: CatalogChange.Topic, _ severity: Diagnostic.Severity, _ code: String, _ loss: AccessComparison.Loss, _ products: [ProductID],
    alsoGains: Bool = false
  ) -> CatalogChange {
    let isGain = topic == .gains
    let side = isGain ? new : old
    let who = products.isEmpty ? "Everyone" : "Owners of \(enumeration(products.map(side.words.product)))"
    let verb = alsoGains ? "loses and gains" : products.isEmpty ? (isGain ? "gains" : "loses") : (isGain ? "gain" : "lose")
    let (before, now) = isGain ? (loss.now, loss.before) : (loss.before, loss.now)
    let amounts = before == now ? "" : ": \(Self.words(before)) before, \(Self.words(now)) now"
    let items = Self.items(loss)
    let which = items.isEmpty ? "" : " (\(loss.items == 1 ? "" : "\(loss.items) items, such as ")\(items.joined(separator: ", ")))"
    var change = CatalogChange(topic: topic, severity: severity, code: code)
    (change.products, change.feature, change.old, change.new) = (products, loss.feature, before, now)
    change.examples = loss.examples
    change.path = "features.\(loss.feature)"
    change.sentence = "\(who) \(verb) \(side.words.feature(loss.feature))\(which)\(amounts)."
    return change
  }

  /// A few of the items concerned.
  private static func items(_ loss: AccessComparison.Loss) -> [String] {
    var seen: Set<ItemPath> = []
    return loss.examples.compactMap(\.request.item).filter { seen.insert($0).inserted }.prefix(3).map(\.description)
  }

  private static func words(_ cell: String) -> String { cell == "–" ? "none" : cell }
}
