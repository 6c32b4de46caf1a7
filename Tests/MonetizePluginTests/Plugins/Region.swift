// SPDX-License-Identifier: Apache-2.0
import Monetize

/// A feature that is open in some regions only.
struct Region: Condition {
  static let name = "region"
  let codes: [String]
  init(from decoder: any Decoder) throws { codes = try decoder.singleValueContainer().decode([String].self) }

  func denial(in context: ConditionContext) -> Reason? {
    codes.contains(context.situation.attributes["region"] ?? "") ? nil : "notInRegion"
  }

  func text(for reason: Reason) -> String? { reason == "notInRegion" ? "not in this region." : nil }
}
