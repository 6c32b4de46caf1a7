// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeJSON

extension ScenarioPlayer {
  /// What a person meant by a short name.
  public enum Match: Sendable, Hashable {
    /// Exactly this one.
    case one(String)
    /// One of these.
    case several([String])
    /// None; with the one that was probably meant.
    case none(guess: String?)
  }

  /// Finds the name that a person meant: the name itself, else the names that end with it after a dot, else those that end with it, begin
  /// with it, contain it. The case of letters is free.
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
    // A person misspells what they write, which is the end of a name.
    let ends = names.map { ($0.split(separator: ".").suffix(text.split(separator: ".").count).joined(separator: "."), $0) }
    let near = closestMatch(to: text, in: names + ends.map(\.0))
    return .none(guess: near.map { near in ends.first { $0.0 == near }?.1 ?? near })
  }
}
