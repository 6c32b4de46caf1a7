// SPDX-License-Identifier: Apache-2.0
import MonetizeSimulator
import MonetizeTools

/// Names on the command line, as in `play`: an id, or the end of one.
enum NameChoice {
  /// The id for a short name.
  /// - Throws: ``ToolProblem`` with the closest name, or with all names.
  static func one(_ text: String, of ids: [String], _ what: String) throws -> String {
    switch ScenarioPlayer.find(text, among: ids) {
    case .one(let id): return id
    case .several(let found): throw ToolProblem("\"\(text)\" may be \(found.joined(separator: " or ")).")
    case .none(let guess):
      let mend = guess.map { "Did you mean \"\($0)\"?" } ?? (ids.isEmpty ? "It has none." : "It has \(ids.joined(separator: ", ")).")
      throw ToolProblem("The catalog has no \(what) \"\(text)\". \(mend)")
    }
  }
}
