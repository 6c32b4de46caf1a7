// SPDX-License-Identifier: Apache-2.0
import MonetizeSimulator

/// Names on the command line, as `play` takes them: an id, or an end of it.
enum NameChoice {
  /// The id that a text stands for.
  /// - Throws: ``Problem`` with the nearest name, or with all of them.
  static func one(_ text: String, of ids: [String], _ what: String) throws -> String {
    switch ScenarioPlayer.find(text, among: ids) {
    case .one(let id): return id
    case .several(let found): throw Problem("\"\(text)\" may be \(found.joined(separator: " or ")).")
    case .none(let guess):
      let mend = guess.map { "Did you mean \"\($0)\"?" } ?? (ids.isEmpty ? "It has none." : "It has \(ids.joined(separator: ", ")).")
      throw Problem("The catalog has no \(what) \"\(text)\". \(mend)")
    }
  }
}
