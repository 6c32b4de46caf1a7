// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The id of a progression level: `1-A` to `10-C`. Sorted by number and then by letter: 2-A comes before 10-A.
public struct LevelID: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The variants of a number.
  public enum Variant: String, Sendable, Hashable, CaseIterable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case A, B, C
  }

  /// The valid numbers.
  public static let numbers = 1...10
  /// All levels, in order.
  public static let all = numbers.flatMap { number in Variant.allCases.map { LevelID(number, $0) } }

  /// 1 to 10.
  public let number: Int
  /// A to C.
  public let variant: Variant

  private init(_ number: Int, _ variant: Variant) {
    self.number = number
    self.variant = variant
  }

  /// Reads exactly `7-B`: no spaces, no leading zeros, no lower-case letters.
  public init?(_ description: String) {
    guard let level = LevelID.byName[description] else { return nil }
    self = level
  }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.description, $0) })

  /// `7-B`.
  public var description: String { "\(number)-\(variant.rawValue)" }

  /// The item's path in the framework: `levels/7-B`.
  public var path: ItemPath { ItemPath(collection: .levels, item: description) }

  /// 1-A before 1-B before 2-A before 10-A.
  public static func < (a: Self, b: Self) -> Bool { (a.number, a.variant.rawValue) < (b.number, b.variant.rawValue) }
}
