// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A feature that is open until a date, such as a calendar before Christmas.
struct Season: Condition {
  static let name = "endsAt"
  let end: Date
  init(from decoder: any Decoder) throws { end = Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self)) }

  func denial(in context: ConditionContext) -> Reason? { context.now < end ? nil : "seasonOver" }
  func nextChange(in context: ConditionContext) -> Date? { context.now < end ? end : nil }
}
