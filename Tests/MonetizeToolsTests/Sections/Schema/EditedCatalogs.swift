// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// Catalogs that are valid or nearly so: the shipped ones and the odd but valid variants of the list, with edits at random places.
struct EditedCatalogs {
  private indirect enum Tree {
    case scalar(String)
    case array([Tree])
    case object([(key: String, value: Tree)])

    init(_ value: JSONValue) {
      switch value.kind {
      case .object: self = .object(value.members.map { ($0.key, Tree($0.value)) })
      case .array: self = .array(value.elements.map(Tree.init))
      default: self = .scalar(value.literal)
      }
    }

    var text: String {
      switch self {
      case .scalar(let literal): literal
      case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
      case .object(let members): "{" + members.map { "\(JSONWriter.quoted($0.key)): \($0.value.text)" }.joined(separator: ", ") + "}"
      }
    }

    /// The number of values, itself included.
    var count: Int {
      switch self {
      case .scalar: 1
      case .array(let elements): elements.reduce(1) { $0 + $1.count }
      case .object(let members): members.reduce(1) { $0 + $1.value.count }
      }
    }

    /// The value at a place in the order of the text; 0 is the value itself.
    subscript(place: Int) -> Tree {
      get {
        if place == 0 { return self }
        let (child, rest) = self.child(of: place)
        return children[child][rest]
      }
      set {
        if place == 0 {
          self = newValue
          return
        }
        let (child, rest) = self.child(of: place)
        switch self {
        case .scalar: break
        case .array(var elements):
          elements[child][rest] = newValue
          self = .array(elements)
        case .object(var members):
          members[child].value[rest] = newValue
          self = .object(members)
        }
      }
    }

    private var children: [Tree] {
      switch self {
      case .scalar: []
      case .array(let elements): elements
      case .object(let members): members.map(\.value)
      }
    }

    private func child(of place: Int) -> (child: Int, rest: Int) {
      var rest = place - 1
      for (index, child) in children.enumerated() {
        if rest < child.count { return (index, rest) }
        rest -= child.count
      }
      return (0, 0)
    }
  }

  private let bases: [Tree]

  init(_ bases: [JSONValue]) { self.bases = bases.map(Tree.init) }

  /// A catalog's text after at most three edits.
  func next(_ random: inout some RandomNumberGenerator) -> String {
    guard var tree = bases.randomElement(using: &random) else { return "{}" }
    for _ in 0..<Int.random(in: 0...3, using: &random) { edit(&tree, &random) }
    return tree.text
  }

  private static let words = [
    "\"text\"", "\"\"", "\" \"", "\"unlimited\"", "\"P1M\"", "\"1.99\"", "\"USD\"", "\"premium\"", "0", "1", "-1", "7", "1.5", "true",
    "false",
    "null", "[]", "{}", "[1]", "[\"text\"]", "[{}]", "{\"x\": 1}", "{\"x\": \"text\"}", "{\"$comment\": \"x\"}",
  ]

  private func edit(_ tree: inout Tree, _ random: inout some RandomNumberGenerator) {
    let place = Int.random(in: 1..<max(2, tree.count), using: &random)
    switch (tree[place], Int.random(in: 0..<8, using: &random)) {
    case (_, 0): tree[place] = .scalar(Self.words.randomElement(using: &random) ?? "0")
    // A value from elsewhere, of this file or another.
    case (_, 1): if let other = bases.randomElement(using: &random) { tree[place] = other[Int.random(in: 1..<other.count, using: &random)] }
    case (.scalar(let literal), 2):
      let isText = literal.hasPrefix("\"")
      tree[place] = .scalar(isText ? "1" : "\(JSONWriter.quoted(literal))")
    case (.scalar(let literal), _): tree[place] = .scalar(changed(literal, &random))
    case (.array(var elements), let way):
      let other = Tree.scalar(Self.words.randomElement(using: &random) ?? "0")
      if let index = elements.indices.randomElement(using: &random), way < 6 {
        if way == 5 { elements.append(elements[index]) } else { elements.remove(at: index) }
      } else {
        elements.append(other)
      }
      tree[place] = .array(elements)
    case (.object(var members), let way):
      if let index = members.indices.randomElement(using: &random), way < 7 {
        switch way {
        case 2, 3: members.remove(at: index)
        case 4: members[index].key = changedName(members[index].key, &random)
        case 5: members[index].value = .scalar(Self.words.randomElement(using: &random) ?? "0")
        default: members.append((changedName(members[index].key, &random), members[index].value))
        }
      } else {
        members.append(("x\(members.count)", .scalar(Self.words.randomElement(using: &random) ?? "0")))
      }
      // Two members of one name are not JSON that two readers must read alike.
      var seen: Set<String> = []
      tree[place] = .object(members.filter { seen.insert($0.key).inserted })
    }
  }

  /// A text or number with a letter more, less or other; another truth.
  private func changed(_ literal: String, _ random: inout some RandomNumberGenerator) -> String {
    switch literal {
    case "true": return "false"
    case "false", "null": return "true"
    default:
      guard literal.hasPrefix("\"") else { return Int(literal).map { "\($0 + Int.random(in: -3...3, using: &random))" } ?? literal }
      var text = String(literal.dropFirst().dropLast())
      if text.contains("\\") { return literal }
      text = changedName(text, &random)
      return "\"\(text)\""
    }
  }

  private func changedName(_ name: String, _ random: inout some RandomNumberGenerator) -> String {
    guard let index = name.indices.randomElement(using: &random) else { return "x" }
    var name = name
    switch Int.random(in: 0..<4, using: &random) {
    case 0: name.remove(at: index)
    case 1: name.insert("x", at: index)
    case 2: name.replaceSubrange(index...index, with: "x")
    default: name = ["later", "1", "P2M", "0.50", "unlimited", "custom", "none"].randomElement(using: &random) ?? name
    }
    return name
  }
}
