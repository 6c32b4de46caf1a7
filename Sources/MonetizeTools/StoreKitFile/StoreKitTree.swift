// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A mutable JSON value. Unchanged parts keep their text, with the original digits and escapes.
indirect enum StoreKitTree: Sendable, Hashable {
  /// A string, a number, `true`, `false` or `null`, as written.
  case scalar(String)
  /// A string that was set here; the style of the file decides its escapes.
  case text(String)
  case array([StoreKitTree])
  case object([Member])

  struct Member: Sendable, Hashable {
    var key: String
    var value: StoreKitTree
  }

  static let null = StoreKitTree.scalar("null")
  static func bool(_ value: Bool) -> Self { .scalar(value ? "true" : "false") }
  static func int(_ value: Int) -> Self { .scalar(String(value)) }

  init(_ value: JSONValue) {
    switch value.kind {
    case .object: self = .object(value.members.map { Member(key: $0.key, value: StoreKitTree($0.value)) })
    case .array: self = .array(value.elements.map(StoreKitTree.init))
    default: self = .scalar(value.literal)
    }
  }

  /// The text of a string.
  var string: String? {
    switch self {
    case .text(let text): return text
    case .scalar(let literal) where literal.utf8.first == UInt8(ascii: "\""):
      guard literal.utf8.contains(UInt8(ascii: "\\")) else { return String(literal.dropFirst().dropLast()) }
      return (try? JSONDocument(parsing: literal))?.root.string
    default: return nil
    }
  }

  var int: Int? { if case .scalar(let literal) = self { Int(literal) } else { nil } }
  var bool: Bool? { if case .scalar(let literal) = self { literal == "true" ? true : literal == "false" ? false : nil } else { nil } }
  var isNull: Bool { self == .null }

  /// The elements of an array; empty for anything else.
  var elements: [StoreKitTree] { if case .array(let elements) = self { elements } else { [] } }

  /// The members of an object; empty for anything else.
  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  /// The value of the first member of that name. Setting an existing member keeps its place; a new one goes to its place in the order of
  /// the keys, or to the end of an unordered object. `nil` removes it.
  subscript(key: String) -> StoreKitTree? {
    get { members.first { $0.key == key }?.value }
    set {
      var members = members
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      // An equal string keeps its escapes.
      case (let index?, .text(let text)?) where members[index].value.string == text: return
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?):
        let isSorted = zip(members, members.dropFirst()).allSatisfy { !StoreKitStyle.isBefore($1.key, $0.key) }
        let after = isSorted ? members.firstIndex { StoreKitStyle.isBefore(key, $0.key) } : nil
        members.insert(Member(key: key, value: value), at: after ?? members.endIndex)
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  /// An object with its keys in Xcode's order.
  static func sorted(_ members: [String: StoreKitTree]) -> Self {
    .object(members.map { Member(key: $0.key, value: $0.value) }.sorted { StoreKitStyle.isBefore($0.key, $1.key) })
  }
}
