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

    func text(_ names: CatalogWords) -> String {
      switch self {
      case .feature(let request): request.text(names)
      case .items(let feature, let pattern): "\(names.feature(feature)) \(pattern)"
      case .product(let product): names.product(product)
      case .paywall(let placement, _): "paywall \(placement)"
      case .same(let devices): devices.joined(separator: " and ")
      case .world: ""
      }
    }

    /// The facts that a subject has, each with the sort of its values.
    private var kinds: [(fact: String, kind: ScenarioFactKind)] {
      switch self {
      case .feature:
        [
          ("allowed", .yesNo), ("reason", .text), ("remaining", .amount), ("used", .number), ("limit", .amount), ("credits", .number),
          ("resetsAt", .moment), ("level", .any), ("cutoff", .moment), ("requires", .text), ("balance", .number), ("price", .number),
          ("unlockedBy", .list), ("buyingHelps", .yesNo), ("placement", .text), ("validUntil", .moment), ("text", .text), ("error", .text),
        ]
      case .items: [("allowedCount", .number), ("deniedCount", .number)]
      case .product:
        [
          ("owned", .yesNo), ("state", .one(of: ProductState.allCases.map(\.rawValue))), ("expires", .moment), ("willRenew", .yesNo),
          ("renewsInto", .text), ("graceUntil", .moment), ("retryUntil", .moment), ("pending", .yesNo), ("ownership", .text),
          ("finished", .yesNo), ("offers", .object(of: .one(of: ["eligible", "ineligible", "unknown"]))), ("priceIncreaseAgreed", .yesNo),
          ("commitment", .facts(ScenarioWorld.commitmentKinds)),
        ]
      case .paywall:
        [
          ("placement", .text), ("shown", .yesNo), ("products", .list), ("title", .text), ("headline", .text), ("subtitle", .text),
          ("benefits", .list), ("preselected", .text), ("actions", .list), ("labels", .object(of: .text)), ("purchaseLabel", .text),
          ("trust", .list), ("prompt", .text),
        ]
      case .same: []
      case .world:
        [
          ("outcome", .text), ("error", .text), ("newlyAllowed", .number), ("noLongerAllowed", .number),
          ("state", .one(of: ["changed", "unchanged"])), ("nothing", .yesNo), ("events", .list), ("log", .log),
          ("calls", .object(of: .number, keys: SimulatedDevice.callNames)), ("nextChange", .moment),
          ("variant", .object(of: .text)), ("charged", .money), ("refunded", .money), ("transactions", .transactions),
          ("granted", .number), ("appTransaction", .facts(ScenarioWorld.appTransactionKinds)),
        ]
      }
    }

    /// The facts that a subject has.
    var facts: [String] { kinds.map(\.fact) }

    /// What sort of value a fact has; `nil` for what is no fact of the subject.
    func kind(of fact: String) -> ScenarioFactKind? { kinds.first { $0.fact == fact }?.kind }
  }

  let subject: Subject
  let facts: [(name: String, value: ScenarioValue)]
  let device: String?
  let member: Member
  let line: Int
}
