// SPDX-License-Identifier: Apache-2.0
public import MonetizeSimulator

/// Names on the command line and in `play`: an id, or the end of one.
public enum NameChoice: Sendable {
  /// The id for a short name. O(ids).
  /// - Parameters:
  ///   - text: The id, or its end.
  ///   - ids: The ids to choose from.
  ///   - missing: The beginning of the sentence for a name that is not there.
  ///   - others: A sentence with what there is, if no name is close.
  /// - Throws: ``ToolProblem`` if no id, or more than one, ends that way.
  public static func one(_ text: String, of ids: [String], missing: String, others: String) throws(ToolProblem) -> String {
    switch ScenarioPlayer.find(text, among: ids) {
    case .one(let id): return id
    case .several(let found): throw ToolProblem("\"\(text)\" may be \(found.joined(separator: " or ")).")
    case .none(let guess): throw ToolProblem("\(missing) \"\(text)\". \(guess.map { "Did you mean \"\($0)\"?" } ?? others)")
    }
  }

  /// The id for a short name in the catalog. O(ids).
  /// - Parameters:
  ///   - text: The id, or its end.
  ///   - ids: The ids to choose from.
  ///   - what: What the ids are ids of, such as `feature`.
  /// - Throws: ``ToolProblem`` if no id, or more than one, ends that way.
  public static func one(_ text: String, of ids: [String], _ what: String) throws(ToolProblem) -> String {
    let others = ids.isEmpty ? "It has none." : "It has \(ids.joined(separator: ", "))."
    return try one(text, of: ids, missing: "The catalog has no \(what)", others: others)
  }
}

extension ScenarioPlayer.Match {
  /// The closest name, if there is one.
  public var likely: String? {
    switch self {
    case .one(let name): name
    case .several: nil
    case .none(let guess): guess
    }
  }
}
