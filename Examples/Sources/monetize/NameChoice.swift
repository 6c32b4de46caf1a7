// SPDX-License-Identifier: Apache-2.0
import MonetizeSimulator
import MonetizeTools

/// Names on the command line and in `play`: an id, or the end of one.
enum NameChoice {
  /// The id for a short name.
  /// - Parameters:
  ///   - missing: The beginning of the sentence for a name that is not there.
  ///   - others: A sentence with what there is, if no name is close.
  static func one(_ text: String, of ids: [String], missing: String, others: String) throws(ToolProblem) -> String {
    switch ScenarioPlayer.find(text, among: ids) {
    case .one(let id): return id
    case .several(let found): throw ToolProblem("\"\(text)\" may be \(found.joined(separator: " or ")).")
    case .none(let guess): throw ToolProblem("\(missing) \"\(text)\". \(guess.map { "Did you mean \"\($0)\"?" } ?? others)")
    }
  }

  /// The id for a short name in the catalog.
  static func one(_ text: String, of ids: [String], _ what: String) throws(ToolProblem) -> String {
    let others = ids.isEmpty ? "It has none." : "It has \(ids.joined(separator: ", "))."
    return try one(text, of: ids, missing: "The catalog has no \(what)", others: others)
  }
}

extension ScenarioPlayer.Match {
  /// The closest name, if there is one.
  var likely: String? {
    switch self {
    case .one(let name): name
    case .several: nil
    case .none(let guess): guess
    }
  }
}
