// SPDX-License-Identifier: Apache-2.0
package import Foundation
import MonetizeJSON

/// A JSON value to write, with its keys in order.
package indirect enum JSONTree: Sendable {
  case null
  case bool(Bool)
  case number(Decimal)
  case text(String)
  case list([JSONTree])
  case object([(key: String, value: JSONTree)])

  /// The object with the keys of another appended; for a shared key, the other's value wins.
  func adding(_ other: JSONTree) -> JSONTree {
    guard case .object(let members) = self, case .object(let more) = other else { return other }
    let replaced = Set(more.map(\.key))
    return .object(members.filter { !replaced.contains($0.key) } + more)
  }

  /// The text with an indent of two spaces. A value that fits a line of 140 columns is on one line.
  package func text(indent: Int = 0) -> String {
    let inline = oneLine
    if inline.utf8.count + indent <= 140 { return inline }
    let (gap, end) = (String(repeating: " ", count: indent + 2), String(repeating: " ", count: indent))
    switch self {
    case .list(let values):
      return "[\n" + values.map { gap + $0.text(indent: indent + 2) }.joined(separator: ",\n") + "\n\(end)]"
    case .object(let members):
      let lines = members.map { "\(gap)\(JSONWriter.quoted($0.key)): \($0.value.text(indent: indent + 2))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(end)}"
    case .null, .bool, .number, .text: return inline
    }
  }

  var oneLine: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let number): "\(number)"
    case .text(let text): JSONWriter.quoted(text)
    case .list(let values): "[" + values.map(\.oneLine).joined(separator: ", ") + "]"
    case .object(let members):
      members.isEmpty ? "{}" : "{ " + members.map { "\(JSONWriter.quoted($0.key)): \($0.value.oneLine)" }.joined(separator: ", ") + " }"
    }
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral number: Int) { self = .number(Decimal(number)) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral values: JSONTree...) { self = .list(values) }
  package init(dictionaryLiteral members: (String, JSONTree)...) { self = .object(members.map { (key: $0.0, value: $0.1) }) }
}
