// SPDX-License-Identifier: Apache-2.0
public import Monetize
public import MonetizeSimulator

/// The names that a text on the command line and in `play` is compared with: ids, the titles that are printed in their place, and aliases.
public struct NameChoice: Sendable {
  private let what: String
  private let ids: [String]
  private let others: [String: [String]]

  /// Makes a choice of names.
  /// - Parameters:
  ///   - what: What the ids are ids of, such as `feature`.
  ///   - ids: The ids to choose from.
  ///   - others: Other names by id, such as a title.
  public init(_ what: String, _ ids: [String], others: [String: [String]] = [:]) {
    (self.what, self.ids, self.others) = (what, ids, others)
  }

  private init(_ what: String, _ names: [(id: String, others: [String])]) {
    // A prompt drops the commas between words, also those of a name.
    let others = names.map { ($0.id, $0.others + $0.others.filter { $0.contains(",") }.map { String($0.filter { $0 != "," }) }) }
    self.init(what, names.map(\.id), others: Dictionary(others) { first, _ in first })
  }

  /// The products of a catalog. O(products).
  public static func products(of catalog: Catalog) -> NameChoice {
    NameChoice("product", catalog.products.map { ($0.id.rawValue, [$0.name]) })
  }

  /// The features of a catalog. O(features).
  public static func features(of catalog: Catalog) -> NameChoice {
    NameChoice("feature", catalog.features.map { ($0.id.rawValue, [$0.title] + $0.aliases.map(\.rawValue)) })
  }

  /// The entitlements of a catalog. O(entitlements).
  public static func entitlements(of catalog: Catalog) -> NameChoice {
    NameChoice("entitlement", catalog.entitlements.map { ($0.id.rawValue, [$0.title]) })
  }

  /// The result of a search by the rules of `ScenarioPlayer.find`. O(ids).
  public func find(_ text: String) -> ScenarioPlayer.Match { ScenarioPlayer.find(text, among: ids, others: others) }

  /// The id for an id, the end of one, or another name. O(ids).
  /// - Parameters:
  ///   - text: The text.
  ///   - missing: The beginning of the sentence for a name that is not there.
  ///   - hint: A sentence with what there is, if no name is close.
  /// - Throws: ``ToolProblem`` if the text is the name of none, or may be the name of several.
  public func one(_ text: String, missing: String? = nil, hint: String? = nil) throws(ToolProblem) -> String {
    switch find(text) {
    case .one(let id): return id
    case .several(let found): throw ToolProblem("\"\(text)\" may be \(found.joined(separator: " or ")).")
    case .none(let guess):
      let hint = hint ?? (ids.isEmpty ? "It has none." : "It has \(ids.joined(separator: ", ")).")
      throw ToolProblem("\(missing ?? "The catalog has no \(what)") \"\(text)\". \(guess.map { "Did you mean \"\($0)\"?" } ?? hint)")
    }
  }

  /// Whether a text is a whole id or other name, or the components at the end of an id. O(ids).
  public func isWhole(_ text: String) -> Bool {
    let text = text.lowercased()
    return ids.contains { $0.lowercased() == text || $0.lowercased().hasSuffix("." + text) } || isOther(text)
  }

  /// Counts the words at the beginning that form another name, such as a title; the longest name decides. 0 for none. O(names × their words).
  public func wordsOfTitle(in words: [String]) -> Int {
    let longest = others.values.joined().map { $0.split(separator: " ").count }.max() ?? 0
    return stride(from: min(longest, words.count), to: 0, by: -1).first { isOther(words.prefix($0).joined(separator: " ")) } ?? 0
  }

  private func isOther(_ text: String) -> Bool {
    let text = text.lowercased()
    return others.values.joined().contains { $0.lowercased() == text }
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
