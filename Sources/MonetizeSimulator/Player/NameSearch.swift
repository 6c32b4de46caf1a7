// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeJSON

extension ScenarioPlayer {
  /// The result of a search by a short name.
  public enum Match: Sendable, Hashable {
    /// Exactly this name.
    case one(String)
    /// One of these names.
    case several([String])
    /// No name matches; `guess` is the closest one.
    case none(guess: String?)
  }

  /// Finds a name by a short form or by another name, ignoring case unless a name is written exactly. The first of these rules by which a
  /// text is found decides: it is the name; it is another name of it; names end with it after a dot; names end with it; they begin with
  /// it; they contain it; other names contain it. O(names).
  /// - Parameters:
  ///   - text: The text.
  ///   - names: The names to search.
  ///   - others: Other names by name, such as the title that is printed in its place.
  public static func find(_ text: String, among names: [String], others: [String: [String]] = [:]) -> Match {
    if names.contains(text) { return .one(text) }
    let text = text.lowercased()
    guard !text.isEmpty else { return .none(guess: nil) }
    let tests: [(_ name: String, _ others: [String]) -> Bool] = [
      { name, _ in name == text }, { _, others in others.contains(text) }, { name, _ in name.hasSuffix("." + text) },
      { name, _ in name.hasSuffix(text) }, { name, _ in name.hasPrefix(text) }, { name, _ in name.contains(text) },
      { _, others in others.contains { $0.contains(text) } },
    ]
    for test in tests {
      let found = names.filter { name in test(name.lowercased(), others[name, default: []].map { $0.lowercased() }) }
      if found.count == 1 { return .one(found[0]) }
      if found.count > 1 { return .several(found) }
    }
    return .none(guess: guess(text, among: names, others: others))
  }

  /// Guesses by the names, their last components, because people type the end of a name, and the other names.
  private static func guess(_ text: String, among names: [String], others: [String: [String]]) -> String? {
    let count = text.split(separator: ".").count
    let short = names.map { (text: $0.split(separator: ".").suffix(count).joined(separator: "."), name: $0) }
    let known = short + names.flatMap { name in others[name, default: []].map { (text: $0, name: name) } }
    let singular = text.hasSuffix("ies") ? text.dropLast(3) + "y" : text.hasSuffix("s") ? text.dropLast() : text[...]
    if let match = known.first(where: { $0.text.lowercased() == singular }) { return match.name }
    let near = closestMatch(to: text, in: names + known.map(\.text))
    return known.first { $0.text == near }?.name ?? near
  }
}
