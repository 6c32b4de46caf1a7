// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The layout of a JSON text, to write a changed file in the style of the program that made it.
struct StoreKitStyle: Sendable, Hashable {
  /// The content of an empty container: a number of line ends with the indentation, or spaces.
  struct Empty: Sendable, Hashable {
    var lineEnds = 2
    var blanks = ""
  }

  /// The text before the first bracket and after the last.
  var (head, tail) = ("", "\n")
  /// The text around the colon after a key.
  var colon = " : "
  /// One step of indentation; `nil` for a text on one line.
  var indent: String? = "  "
  var lineEnd = "\n"
  /// The text after a comma, and inside of brackets, for a text on one line.
  var (gap, padding) = ("", "")
  var (emptyArray, emptyObject) = (Empty(), Empty())
  var escapesSlashes = false

  /// Xcode's layout: two spaces, a space on both sides of a colon, an empty line in empty containers, plain slashes, one line end at the
  /// end. Its keys are sorted without regard to case.
  static let xcode = Self()

  /// Whether Xcode writes key `a` before `b`. `_storefront` is before `_storeKitErrors`.
  static func isBefore(_ a: String, _ b: String) -> Bool {
    let (foldedA, foldedB) = (a.lowercased(), b.lowercased())
    return foldedA == foldedB ? a < b : foldedA < foldedB
  }

  // MARK: Writing

  func text(_ tree: StoreKitTree) -> String {
    head + text(tree, depth: 0) + tail
  }

  /// A part of a file, without the indentation before it.
  func text(_ tree: StoreKitTree, depth: Int) -> String {
    var text = ""
    write(tree, depth: depth, to: &text)
    return text
  }

  /// A key and the colon behind it.
  func key(_ key: String) -> String { quoted(key) + colon }

  private func write(_ tree: StoreKitTree, depth: Int, to text: inout String) {
    switch tree {
    case .scalar(let literal): text += literal
    case .text(let string): text += quoted(string)
    case .array(let elements):
      list(elements, "[", "]", emptyArray, depth, &text) { write($0, depth: depth + 1, to: &$1) }
    case .object(let members):
      list(members, "{", "}", emptyObject, depth, &text) { member, text in
        text += key(member.key)
        write(member.value, depth: depth + 1, to: &text)
      }
    }
  }

  private func list<Element>(
    _ elements: [Element], _ open: String, _ close: String, _ empty: Empty, _ depth: Int, _ text: inout String,
    _ write: (Element, inout String) -> Void
  ) {
    text += open
    if elements.isEmpty {
      text += empty.lineEnds > 0 ? String(repeating: lineEnd, count: empty.lineEnds) + margin(depth) : empty.blanks
    } else {
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," + (indent == nil ? gap : "") }
        text += indent == nil ? (index == 0 ? padding : "") : lineEnd + margin(depth + 1)
        write(element, &text)
      }
      text += indent == nil ? padding : lineEnd + margin(depth)
    }
    text += close
  }

  private func margin(_ depth: Int) -> String { String(repeating: indent ?? "", count: depth) }

  private func quoted(_ text: String) -> String {
    let literal = JSONWriter.quoted(text)
    guard escapesSlashes, literal.utf8.contains(UInt8(ascii: "/")) else { return literal }
    return literal.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
  }
}
