// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A value in a catalog's text, with its place.
public struct LintPlace: Sendable {
  let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  /// The value of a member; `nil` when there is none. Looks at one member after the other.
  public subscript(key: String) -> LintPlace? { value[key].map { LintPlace($0) } }

  /// The value that a path of keys leads to; where the path ends early, the last value on it.
  public func at(_ keys: String...) -> LintPlace {
    var place = self
    for key in keys {
      guard let next = place[key] else { break }
      place = next
    }
    return place
  }

  /// The members of an object in the order of the text; empty for anything else.
  public var members: [(key: String, place: LintPlace)] {
    value.members.filter { $0.key != "$comment" }.map { ($0.key, LintPlace($0.value)) }
  }
  /// The elements of an array; empty for anything else.
  public var elements: [LintPlace] { value.elements.map { LintPlace($0) } }
  /// The text of a string.
  public var string: String? { value.string }
  /// The truth of `true` and `false`.
  public var bool: Bool? { value.bool }
  /// The texts of an array of strings, or of one string.
  var strings: [String] { value.string.map { [$0] } ?? value.elements.compactMap(\.string) }
}
