// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What became different between two snapshots, in a person's words.
enum ScenarioChanges {
  static func between(_ before: Snapshot, _ after: Snapshot, zone: TimeZone) -> [String] {
    if after.isIdentical(to: before) { return [] }
    return statusChanges(before, after, zone) + access(after.newlyAllowed(since: before), after.catalog, "unlocked")
      + access(after.noLongerAllowed(since: before), after.catalog, "locked") + counts(before, after, zone)
  }

  private static func statusChanges(_ before: Snapshot, _ after: Snapshot, _ zone: TimeZone) -> [String] {
    after.products.compactMap { new in
      // A new version may sell other products. Until the store answers, nobody knows; that it knows now is no news about one never bought.
      let old = before.status(of: new.product)
      let isCancelled = new.commitment?.willRenew == false
      if old?.state ?? .unknown == .unknown && new.state == .never { return nil }
      guard
        old?.state != new.state || old?.willRenew != new.willRenew || old?.expires != new.expires || old.flatMap(other) != other(new)
          || isCancelled && old?.commitment?.willRenew != false
      else { return nil }
      var text = "\(new.product) is \(words(new))"
      if new.state == .grace, let until = new.graceUntil { text += " until \(ScenarioValue.instant(until).text(in: zone))" }
      if let expires = new.expires, new.state == .active || new.state == .trial {
        text += new.willRenew == false ? ", ends " : ", paid until "
        text += ScenarioValue.instant(expires).text(in: zone)
        if let next = other(new) { text += ", then \(next)" }
        if isCancelled, new.willRenew == true, let commitment = new.commitment {
          text += ", and until \(ScenarioValue.instant(commitment.ends).text(in: zone)) as committed"
        }
      }
      return text
    }
  }

  /// The other product that this one renews into.
  static func other(_ status: ProductStatus) -> ProductID? { status.renewsInto == status.product ? nil : status.renewsInto }

  static func words(_ status: ProductStatus) -> String {
    switch status.state {
    case .unknown: "not known yet"
    case .never: "not bought"
    case .pending: "waiting for approval"
    case .trial: "in its free trial"
    case .active: status.expires == nil ? "owned" : "active"
    case .grace: "in its grace period"
    case .billingRetry: "in billing retry"
    case .expired: "expired"
    case .revoked: "taken back"
    }
  }

  /// `17 of forest unlocked (story.play)`.
  static func access(_ requests: [AccessRequest], _ catalog: Catalog, _ verb: String) -> [String] {
    var lines: [String] = []
    let byFeature = Dictionary(grouping: requests, by: \.feature)
    for feature in catalog.features {
      guard let requests = byFeature[feature.id] else { continue }
      let byCollection = Dictionary(grouping: requests) { $0.item?.collection.rawValue ?? "" }
      for (collection, requests) in byCollection.sorted(by: { $0.key < $1.key }) {
        lines.append(collection.isEmpty ? "\(feature.id) \(verb)" : "\(requests.count) of \(collection) \(verb) (\(feature.id))")
      }
    }
    return lines
  }

  /// `story █░░ 1 of 3 left`.
  private static func counts(_ before: Snapshot, _ after: Snapshot, _ zone: TimeZone) -> [String] {
    // A part has the numbers of its whole.
    after.catalog.features.filter { $0.part == nil }.compactMap { feature in
      let (old, new) = (before.decision(for: feature.id), after.decision(for: feature.id))
      guard old.remaining != new.remaining, let remaining = new.remaining, let limit = new.limit else { return nil }
      return "\(feature.id) \(ScenarioReport.bar(remaining, of: limit)) \(remaining) of \(limit) left"
    }
  }
}
