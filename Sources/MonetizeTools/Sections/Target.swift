// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Monetize

/// The target of a figure: `{ "atLeast": "0.8" }`, `{ "below": "0.05" }`, `{ "atLeast": "0.03", "atMost": "0.05" }`.
public struct Target: Sendable, Hashable {
  /// The lower bound; `nil` for none.
  public let low: Decimal?
  /// The upper bound; `nil` for none.
  public let high: Decimal?
  /// Whether the bounds themselves miss the target.
  public let isStrict: Bool

  /// Whether a value meets the target.
  public func holds(for value: Decimal) -> Bool {
    let isHighEnough = low.map { isStrict ? value > $0 : value >= $0 } ?? true
    return isHighEnough && (high.map { isStrict ? value < $0 : value <= $0 } ?? true)
  }
}

extension Target: Decodable {
  private enum CodingKeys: String, CodingKey { case atLeast, above, atMost, below }
  private struct Bound: Decodable {
    let value: Decimal
    init(from decoder: any Decoder) throws { value = try decoder.decimal(in: -1_000_000_000...1_000_000_000, "a number, such as \"0.8\"") }
  }

  /// Reads one or two bounds, both strict or neither.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func bound(_ key: CodingKeys) throws -> Decimal? { try container.decodeIfPresent(Bound.self, forKey: key)?.value }
    let (least, most) = (try bound(.atLeast), try bound(.atMost))
    let (above, below) = (try bound(.above), try bound(.below))
    let isStrict = above != nil || below != nil
    guard isStrict ? least == nil && most == nil : least != nil || most != nil else {
      throw decoder.mistake("A target has \"atLeast\" and \"atMost\", or \"above\" and \"below\", one or both of them.")
    }
    self.init(low: above ?? least, high: below ?? most, isStrict: isStrict)
  }
}
