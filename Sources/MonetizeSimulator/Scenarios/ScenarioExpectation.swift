// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// An expectation: one subject, any of its facts.
struct ScenarioExpectation: Sendable {
  enum Subject: Sendable {
    case feature(ScenarioRequest)
    /// Every item, or every part of one, that matches a pattern such as `forest/*/*`.
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
  }

  let subject: Subject
  let facts: [(name: String, value: ScenarioValue)]
  let device: String?
  let member: Member
  let line: Int
}
