// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The amount of a parent's limit, in the grammar of the feature's allowance.
public struct CapAmount: Sendable, Hashable {
  let json: String
  package init(json: String) { self.json = json }

  /// No access.
  public static let nothing = CapAmount(json: "false")
  /// A number of uses, items, or things at once, from 0 to 1,000,000,000, the largest amount.
  public static func count(_ number: Int) -> CapAmount { CapAmount(json: "\(number.clamped(to: 0...1_000_000_000))") }
  /// A length of time, or how far back a history is visible. A length in months or years, which is not fixed, closes the feature.
  public static func duration(_ length: Period) -> CapAmount { CapAmount(json: "\"\(length)\"") }
  /// The highest level, by its name.
  public static func level(_ name: String) -> CapAmount { CapAmount(json: JSONWriter.quoted(name)) }
}
