// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The text of a file as it was read.
struct StoreKitSource: Sendable {
  let document: JSONDocument
  /// The bytes of the document, without a byte order mark.
  let bytes: [UInt8]
  /// Whether a byte order mark stands before it. Foundation, and so Xcode, skips it.
  let hasMark: Bool

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ bytes: [UInt8]) throws(Diagnostic) {
    hasMark = bytes.starts(with: Self.mark)
    self.bytes = hasMark ? Array(bytes.dropFirst(Self.mark.count)) : bytes
    document = try JSONDocument(parsing: self.bytes)
  }

  /// The key that shows that an object is another file of Monetize, with a message; `nil` for a StoreKit configuration.
  static func other(_ root: JSONValue) -> (key: JSONValue, message: String)? {
    guard root["version"] == nil, root["subscriptionGroups"] == nil else { return nil }
    if let key = root["schemaVersion"] {
      return (key, "This is a catalog, but a .storekit file is expected. The command \"monetize validate\" checks it.")
    }
    return root["steps"].map { ($0, "This is a scenario, but a .storekit file is expected. The command \"monetize simulate\" plays it.") }
  }
}

/// Writes a changed tree into the text that it was read from. Unchanged parts keep their bytes, and so does the layout around changed
/// ones; only new objects and lists are written in the style of the file.
struct StoreKitEdit {
  let source: StoreKitSource
  let style: StoreKitStyle

  /// O(length of the text × depth).
  func text(_ tree: StoreKitTree, before old: StoreKitTree) -> String {
    let root = source.document.root
    let body = value(tree, Child(key: nil, start: root.offset, value: root, tree: old), depth: 0)
    return (source.hasMark ? "\u{FEFF}" : "") + slice(0, root.offset) + body + slice(root.end, source.bytes.count)
  }

  private func slice(_ start: Int, _ end: Int) -> String { String(decoding: source.bytes[start..<end], as: UTF8.self) }

  /// An element, or a member with its key, in the text.
  private struct Child {
    let key: String?
    let start: Int
    let value: JSONValue
    let tree: StoreKitTree

    /// What an element keeps when it is changed: its key, else its product's id, else its whole value.
    var identity: StoreKitTree { StoreKitEdit.identity(key, tree) }
  }

  private static func identity(_ key: String?, _ tree: StoreKitTree) -> StoreKitTree {
    (key ?? tree["productID"]?.string).map(StoreKitTree.text) ?? tree
  }

  private static func children(of old: Child) -> [Child] {
    switch old.tree {
    case .object(let members):
      zip(members, old.value.members).map { Child(key: $0.key, start: $1.offset, value: $1.value, tree: $0.value) }
    case .array(let elements):
      zip(elements, old.value.elements).map { Child(key: nil, start: $1.offset, value: $1, tree: $0) }
    default: []
    }
  }

  private func value(_ tree: StoreKitTree, _ old: Child, depth: Int) -> String {
    if tree == old.tree { return slice(old.value.offset, old.value.end) }
    let new: [(key: String?, tree: StoreKitTree)] =
      tree.members.map { ($0.key, $0.value) } + tree.elements.map { (nil, $0) }
    let children = Self.children(of: old)
    guard let first = children.first, !new.isEmpty, (first.key == nil) == (new[0].key == nil) else { return style.text(tree, depth: depth) }
    let (open, close) = (old.value.offset + 1, old.value.end - 1)
    var text = slice(open - 1, first.start)
    for (index, (child, match)) in zip(new, Self.matches(new, children)).enumerated() {
      if index > 0 { text += separator(before: match, children, open) }
      if let match {
        text += slice(children[match].start, children[match].value.offset) + value(child.tree, children[match], depth: depth + 1)
      } else {
        text += (child.key.map(style.key) ?? "") + style.text(child.tree, depth: depth + 1)
      }
    }
    return text + slice(children[children.count - 1].value.end, close + 1)
  }

  /// The comma and the blanks before an element; before a new one as before another.
  private func separator(before match: Int?, _ children: [Child], _ open: Int) -> String {
    guard children.count > 1 else { return "," + slice(open, children[0].start) }
    let index = max(1, match ?? 1)
    return slice(children[index - 1].value.end, children[index].start)
  }

  /// The old child of each new one: that of the same index, or after a removal or an insertion that of the same identity.
  private static func matches(_ new: [(key: String?, tree: StoreKitTree)], _ old: [Child]) -> [Int?] {
    if zip(new, old).allSatisfy({ $0.key == $1.key }), new.count >= old.count {
      return new.indices.map { $0 < old.count ? $0 : nil }
    }
    let indices = Dictionary(grouping: old.indices) { old[$0].identity }
    var next = 0
    return new.map { child in
      guard let match = indices[identity(child.key, child.tree)]?.first(where: { $0 >= next }) else { return nil }
      next = match + 1
      return match
    }
  }
}
