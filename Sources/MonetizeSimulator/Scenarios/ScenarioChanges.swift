// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The differences between two snapshots, as sentences for people.
enum ScenarioChanges {
  static func between(_ before: Snapshot, _ after: Snapshot, zone: TimeZone, _ names: CatalogWords) -> [String] {
    statusChanges(before, after, zone, names) + redundant(before, after, names)
      + access(after.newlyAllowed(since: before), after.catalog, "unlocked", names)
      + access(after.noLongerAllowed(since: before), after.catalog, "locked", names) + counts(before, after, names)
  }

  private static func statusChanges(_ before: Snapshot, _ after: Snapshot, _ zone: TimeZone, _ names: CatalogWords) -> [String] {
    after.products.compactMap { new in
      // A new version may sell other products. Their status is unknown until the store answers; the first answer about a product never
      // bought is not a change.
      let old = before.status(of: new.product)
      if old?.state ?? .unknown == .unknown && new.state == .never { return nil }
      // A product that is bought again and again is never owned.
      if new.state == .never, after.catalog.product(new.product).map({ type(of: $0.kind).sellsCredits }) == true { return nil }
      // A change that reads the same is left out.
      let text = sentence(new, names, zone, wasShared: old?.ownership == .familyShared)
      return old.map { sentence($0, names, zone) } == text ? nil : text
    }
  }

  /// `Premium Monthly still renews, although as much is owned for ever: cancel it`.
  private static func redundant(_ before: Snapshot, _ after: Snapshot, _ names: CatalogWords) -> [String] {
    let known = before.redundantSubscriptions
    return after.redundantSubscriptions.filter { !known.contains($0) }.map {
      "\(names.product($0)) still renews, although as much is owned for ever: cancel it"
    }
  }

  /// `Premium Monthly is active, paid until 2026-04-01 12:00, then Premium Yearly`.
  private static func sentence(_ status: ProductStatus, _ names: CatalogWords, _ zone: TimeZone, wasShared: Bool = false) -> String {
    if status.state == .unknown { return "it is not known yet whether \(names.product(status.product)) is owned" }
    var text = "\(names.product(status.product)) is \(words(status, wasShared: wasShared))"
    if status.state == .grace, let until = status.graceUntil { text += " until \(ScenarioValue.instant(until).text(in: zone))" }
    if let expires = status.expires, status.state == .active || status.state == .trial {
      text += status.willRenew == false ? ", ends " : status.state == .trial ? " until " : ", paid until "
      text += ScenarioValue.instant(expires).text(in: zone)
      if let next = other(status) { text += ", then \(names.product(next))" }
      if let commitment = status.commitment, !commitment.willRenew, status.willRenew == true {
        text += ", and until \(ScenarioValue.instant(commitment.ends).text(in: zone)) as committed"
      }
    }
    return text
  }

  /// The other product that a product renews into.
  static func other(_ status: ProductStatus) -> ProductID? { status.renewsInto == status.product ? nil : status.renewsInto }

  /// - Parameter wasShared: Whether a family member had shared it until now.
  static func words(_ status: ProductStatus, wasShared: Bool = false) -> String {
    switch status.state {
    case .unknown: "not known yet"
    case .never: "not bought"
    case .pending: "waiting for approval"
    case .trial: "in its free trial"
    case .active: status.expires == nil ? "owned" : "active"
    case .grace: "in its grace period"
    case .billingRetry: "in billing retry"
    case .expired: "expired"
    case .revoked: wasShared ? "no longer shared" : "refunded"
    }
  }

  /// `17 of forest unlocked (story.play)`.
  static func access(_ requests: [AccessRequest], _ catalog: Catalog, _ verb: String, _ names: CatalogWords) -> [String] {
    var lines: [String] = []
    let byFeature = Dictionary(grouping: requests, by: \.feature)
    for feature in catalog.features {
      guard let requests = byFeature[feature.id] else { continue }
      let byCollection = Dictionary(grouping: requests) { $0.item?.collection.rawValue ?? "" }
      for (collection, requests) in byCollection.sorted(by: { $0.key < $1.key }) {
        let name = names.feature(feature.id)
        lines.append(
          collection.isEmpty ? "\(name) \(verb)" : "\(requests.count) of \(names.collection(CollectionID(collection))) \(verb) (\(name))")
      }
    }
    return lines
  }

  /// `story █░░ 1 of 3 left`.
  private static func counts(_ before: Snapshot, _ after: Snapshot, _ names: CatalogWords) -> [String] {
    // A part has the numbers of its feature, so it is left out.
    after.catalog.features.filter { $0.part == nil }.compactMap { feature in
      let (old, new) = (before.decision(for: feature.id), after.decision(for: feature.id))
      guard old.remaining != new.remaining, let remaining = new.remaining, let limit = new.limit else { return nil }
      return "\(names.feature(feature.id)) \(left(remaining, of: limit, feature))"
    }
  }

  /// `███░░ 3 of 5 stories left`, `█████ 25 minutes of 30 minutes left`.
  static func left(_ left: Int, of limit: Int, _ feature: Feature) -> String {
    "\(ScenarioReport.bar(left, of: limit)) \(CatalogWords.left(left, of: limit, feature)) left"
  }
}
