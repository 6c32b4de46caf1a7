// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Something that must hold: one subject, any of its facts.
struct ScenarioExpectation: Sendable {
  enum Subject: Sendable {
    case feature(ScenarioRequest)
    /// Every item, or every part of one, that a pattern such as `forest/*/*` names.
    case items(FeatureID, pattern: String)
    case product(ProductID)
    case paywall(PlacementID, ScenarioRequest?)
    case same([String])
    /// The step, the events, the device and the customer.
    case world

    var text: String {
      switch self {
      case .feature(let request): request.text
      case .items(let feature, let pattern): "\(feature) \(pattern)"
      case .product(let product): product.rawValue
      case .paywall(let placement, _): "paywall \(placement)"
      case .same(let devices): devices.joined(separator: " and ")
      case .world: ""
      }
    }

    /// The facts that a subject has.
    var facts: [String] {
      switch self {
      case .feature:
        [
          "allowed", "reason", "remaining", "used", "limit", "credits", "resetsAt", "level", "cutoff", "requires", "balance", "price",
          "unlockedBy",
          "buyingHelps", "placement", "validUntil", "text", "error",
        ]
      case .items: ["allowedCount", "deniedCount"]
      case .product:
        [
          "owned", "state", "expires", "willRenew", "renewsInto", "graceUntil", "retryUntil", "pending", "ownership", "finished", "offers",
          "priceIncreaseAgreed", "commitment",
        ]
      case .paywall: ["products", "headline", "actions", "shown"]
      case .same: []
      case .world:
        [
          "outcome", "error", "newlyAllowed", "noLongerAllowed", "state", "nothing", "events", "log", "calls", "nextChange", "variant",
          "charged", "refunded", "transactions", "granted", "appTransaction",
        ]
      }
    }
  }

  let subject: Subject
  let facts: [(name: String, value: ScenarioValue)]
  let device: String?
  let member: Member
  let line: Int
}
