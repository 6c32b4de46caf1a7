// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A value in a catalog's text, with its place.
public struct LintPlace: Sendable {
  let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  /// The value of a member; `nil` when there is none. O(number of members).
  public subscript(key: String) -> LintPlace? { value[key].map { LintPlace($0) } }

  /// The value at a path of keys; for a path that ends early, the last value on it.
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
  /// The string, if it is one.
  public var string: String? { value.string }
  /// The Boolean, if it is one.
  public var bool: Bool? { value.bool }
  /// The places of the strings of an array, or of the single string.
  var texts: [LintPlace] { string == nil ? elements.filter { $0.string != nil } : [self] }
  /// The strings of an array, or the single string.
  var strings: [String] { texts.compactMap(\.string) }
}
