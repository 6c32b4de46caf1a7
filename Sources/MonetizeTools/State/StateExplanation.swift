// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// What an app answers with a state file: the standing of each product and a decision for each feature, each with its reason.
public struct StateExplanation: ToolReport {
  private let file: StateFile
  private let snapshot: Snapshot
  private let zone: TimeZone

  /// Makes a report.
  /// - Parameters:
  ///   - file: The state file.
  ///   - catalog: The catalog of the app.
  ///   - member: Who asks.
  ///   - zone: The time zone of the device.
  ///   - now: The time of the question. A later time that the app has seen counts instead.
  public init(
    _ file: StateFile, _ catalog: Catalog, as member: Member = .customer, zone: TimeZone = Calendar.storeCalendar.timeZone, at now: Date
  ) {
    (self.file, self.zone) = (file, zone)
    snapshot = file.snapshot(of: catalog, as: member, zone: zone, at: now)
  }

  private var decisions: [(feature: Feature, decision: Decision)] {
    snapshot.catalog.features.map { ($0, snapshot.decision(for: $0.id)) }
  }

  /// A line per product that the customer has or had, and a line per feature.
  public var text: String {
    let products = snapshot.products.filter { $0.state != .never }.map { [$0.product.rawValue, $0.state.rawValue] }
    let features = decisions.map { feature, decision in
      [feature.id.rawValue, decision.isAllowed ? "allowed" : "denied", decision.reason.rawValue, decision.text(for: feature, zone: zone)]
    }
    let blocks = [
      "\(file.path), at \(ISODate.text(snapshot.date))\n", TextTable.titled("Products", products), TextTable.titled("Features", features),
    ]
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// `at`, `products` by id and `features`, each with `feature`, `allowed`, `reason` and `remaining`.
  public var json: String {
    let features = decisions.map { feature, decision -> ToolObject in
      ["feature": feature.id, "allowed": decision.isAllowed, "reason": decision.reason.rawValue, "remaining": decision.remaining]
    }
    let products = ToolObject(snapshot.products.map { ($0.product.rawValue, $0.state.rawValue) })
    return ToolJSON.object(["at": ISODate.text(snapshot.date), "products": products, "features": features])
  }

  /// What a person has to know about the file.
  public var problems: [String] { file.problems }
}
