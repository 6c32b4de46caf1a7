// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The changes between two catalogs, for people and for programs.
public struct DiffReport: ToolReport {
  /// The name of the old catalog, such as its file.
  public let old: String
  /// The name of the new catalog.
  public let new: String
  /// The changes, the worst first.
  public let changes: [CatalogChange]

  /// Makes a report.
  public init(_ diff: CatalogDiff, old: String, new: String) { (changes, self.old, self.new) = (diff.changes, old, new) }

  /// ``text``, ``json`` or ``markdown``.
  public func output(as format: String) -> String? { format == "markdown" ? markdown : textOrJSON(format) }

  /// ``ToolStatus/no`` if something paid for is taken away, or something fixed is changed.
  public var status: ToolStatus { changes.contains { $0.severity == .error } ? .no : .fine }

  private var groups: [(title: String, changes: [CatalogChange])] {
    CatalogChange.Topic.allCases.map { topic in (topic.title, changes.filter { $0.topic == topic }) }.filter { !$0.changes.isEmpty }
  }

  private func summary(from place: String = "") -> String {
    let errors = changes.filter { $0.severity == .error }.count
    if changes.isEmpty { return "Nothing changes\(place)" }
    let refused = errors == 0 ? "" : changes.count == 1 ? ", not allowed" : ", \(errors) of them not allowed"
    return CatalogWords.counted(changes.count, "change") + place + refused
  }

  /// Sentences under headings.
  public var text: String {
    let body = groups.map { group in "\(group.title)\n" + group.changes.map { "  \($0.sentence)\n" }.joined() + "\n" }
    return body.joined() + summary(from: " from \(old) to \(new)") + ".\n"
  }

  /// A comment for a pull request.
  public var markdown: String {
    let body = groups.map { group in
      "### \(group.title)\n\n"
        + group.changes.map { "- \($0.severity == .error ? "❌ " : "")\(MarkdownText.escaped($0.sentence))\n" }.joined() + "\n"
    }
    return "## Catalog: \(summary())\n\n\(body.joined())From `\(old)` to `\(new)`.\n"
  }

  /// `old`, `new`, `errors` and `changes`: `topic`, `severity`, `code`, `products`, `entitlements`, `feature`, `path`, `old`, `new`, `sentence`.
  public var json: String {
    let changes = changes.map { change -> ToolObject in
      [
        "topic": change.topic, "severity": change.severity.rawValue, "code": change.code, "products": change.products,
        "entitlements": change.entitlements, "feature": change.feature, "path": change.path, "old": change.old, "new": change.new,
        "sentence": change.sentence,
      ]
    }
    let errors = self.changes.filter { $0.severity == .error }.count
    return ToolJSON.object(["old": old, "new": new, "errors": errors, "changes": changes])
  }
}

extension CatalogChange.Topic {
  /// The heading.
  var title: String {
    switch self {
    case .takenAway: "Taken away from owners"
    case .identity: "Must not change"
    case .everyoneLoses: "Taken away from everyone"
    case .gains: "Gained"
    case .products: "Products and prices"
    case .releases: "Releases"
    case .paywalls: "Paywalls"
    case .texts: "Texts"
    case .other: "Other"
    }
  }
}
