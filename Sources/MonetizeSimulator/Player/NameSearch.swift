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

  /// Finds a name by a short form, ignoring case: the name itself, else the names that end with it after a dot, else the names that end
  /// with it, begin with it or contain it.
  public static func find(_ text: String, among names: [String]) -> Match {
    let text = text.lowercased()
    guard !text.isEmpty else { return .none(guess: nil) }
    let tests: [(String) -> Bool] = [
      { $0 == text }, { $0.hasSuffix("." + text) }, { $0.hasSuffix(text) }, { $0.hasPrefix(text) }, { $0.contains(text) },
    ]
    for test in tests {
      let found = names.filter { test($0.lowercased()) }
      if found.count == 1 { return .one(found[0]) }
      if found.count > 1 { return .several(found) }
    }
    // Guess by the last components: people type the end of a name.
    let ends = names.map { ($0.split(separator: ".").suffix(text.split(separator: ".").count).joined(separator: "."), $0) }
    let singular = text.hasSuffix("ies") ? text.dropLast(3) + "y" : text.hasSuffix("s") ? text.dropLast() : text[...]
    let near = ends.first { $0.0.lowercased() == singular }?.1 ?? closestMatch(to: text, in: names + ends.map(\.0))
    return .none(guess: near.map { near in ends.first { $0.0 == near }?.1 ?? near })
  }
}
