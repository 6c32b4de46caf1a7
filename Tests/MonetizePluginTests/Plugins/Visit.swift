// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A place that the customer has visited: an app's own kind of fact.
struct Visit: CustomFact {
  static let name = "test.visit"
  var key: String
  var date: Date
  func merged(with other: Self) -> Self { other.date < date ? other : self }
}

/// A feature that opens after a visit to a place.
struct Visited: Condition {
  static let name = "visited"
  let place: String
  init(from decoder: any Decoder) throws { place = try decoder.singleValueContainer().decode(String.self) }
  func denial(in context: ConditionContext) -> Reason? {
    context.facts(of: Visit.self).contains { $0.key == place } ? nil : "notVisited"
  }
}
