// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A value that differs between two texts, or is only in one of them.
struct JSONChange: Hashable {
  let path: String
  /// The keys and indices of its path.
  let keys: [String]
  let old: JSONValue?
  let new: JSONValue?
  /// Whether it is about the order of a list, whose entries are compared one by one besides.
  var isOrder = false

  /// The smallest values that differ. Elements with an id are compared by id, and their order is a change of its own; other elements by position; a list of names is
  /// one value. Remarks and the order within an object are ignored. O(length of both texts).
  static func all(_ old: JSONValue, _ new: JSONValue) -> [JSONChange] {
    var changes: [JSONChange] = []
    compare(old, new, path: "", keys: [], into: &changes)
    return changes
  }

  private static func compare(_ old: JSONValue?, _ new: JSONValue?, path: String, keys: [String], into changes: inout [JSONChange]) {
    if let old, let new, old.kind == new.kind, old.kind == .object || isList(old) && isList(new) {
      let (before, now) = (parts(of: old), parts(of: new))
      let (olds, news) = (dictionary(before), dictionary(now))
      for part in now + before.filter({ news[$0.name] == nil }) {
        let step = old.kind == .array ? "[\(part.label)]" : path.isEmpty ? part.label : ".\(part.label)"
        compare(olds[part.name], news[part.name], path: path + step, keys: keys + [part.name], into: &changes)
      }
      if old.kind == .array, before.map(\.name).filter({ news[$0] != nil }) != now.map(\.name).filter({ olds[$0] != nil }) {
        changes.append(JSONChange(path: path, keys: keys, old: old, new: new, isOrder: true))
      }
    } else if old?.text() != new?.text() {
      changes.append(JSONChange(path: path, keys: keys, old: old, new: new))
    }
  }

  /// Whether it is a list of objects; a list of names is one value.
  private static func isList(_ value: JSONValue) -> Bool { value.kind == .array && value.elements.allSatisfy { $0.kind == .object } }

  private typealias Part = (name: String, label: String, value: JSONValue)

  private static func dictionary(_ parts: [Part]) -> [String: JSONValue] {
    Dictionary(parts.map { ($0.name, $0.value) }) { first, _ in first }
  }

  private static func parts(of value: JSONValue) -> [Part] {
    if value.kind == .object { return value.members.filter { $0.key != "$comment" }.map { ($0.key, $0.key, $0.value) } }
    return value.elements.enumerated().map { index, element in
      let id = element["id"]?.string
      return (id ?? "#\(index)", id ?? "\(index)", element)
    }
  }
}
