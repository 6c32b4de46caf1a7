// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// How much a parent allows of a feature, in the words of its allowance.
public struct CapAmount: Sendable, Hashable {
  let json: String
  package init(json: String) { self.json = json }

  /// Not at all.
  public static let nothing = CapAmount(json: "false")
  /// So many uses, items or things at once.
  public static func count(_ number: Int) -> CapAmount { CapAmount(json: "\(max(0, number))") }
  /// So long, or so far back.
  public static func duration(_ length: Period) -> CapAmount { CapAmount(json: "\"\(length)\"") }
  /// Up to a level, by its name.
  public static func level(_ name: String) -> CapAmount { CapAmount(json: JSONWriter.quoted(name)) }
}
