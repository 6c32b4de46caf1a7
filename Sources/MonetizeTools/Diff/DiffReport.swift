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
  public func output(as format: String) -> String? {
    switch format {
    case "text": text
    case "json": json
    case "markdown": markdown
    default: nil
    }
  }

  /// ``ToolStatus/no`` if something paid for is taken away, or something fixed is changed.
  public var status: ToolStatus { changes.contains { $0.severity == .error } ? .no : .fine }

  private var groups: [(title: String, changes: [CatalogChange])] {
    CatalogChange.Topic.allCases.map { topic in (topic.title, changes.filter { $0.topic == topic }) }.filter { !$0.changes.isEmpty }
  }

  private var count: String { changes.isEmpty ? "Nothing changes" : CatalogWords.counted(changes.count, "change") }

  private var notAllowed: String {
    let errors = changes.filter { $0.severity == .error }.count
    return errors == 0 ? "" : ", \(errors) of them not allowed"
  }

  /// Sentences under headings.
  public var text: String {
    let body = groups.map { group in "\(group.title)\n" + group.changes.map { "  \($0.sentence)\n" }.joined() + "\n" }
    return body.joined() + "\(count) from \(old) to \(new)\(notAllowed).\n"
  }

  /// A comment for a pull request.
  public var markdown: String {
    let body = groups.map { group in
      "### \(group.title)\n\n"
        + group.changes.map { "- \($0.severity == .error ? "❌ " : "")\(MarkdownText.escaped($0.sentence))\n" }.joined() + "\n"
    }
    return "## Catalog: \(count)\(notAllowed)\n\n\(body.joined())From `\(old)` to `\(new)`.\n"
  }

  /// `old`, `new`, `errors` and `changes`: `topic`, `severity`, `code`, `products`, `feature`, `path`, `old`, `new`, `sentence`.
  public var json: String {
    ToolJSON.text(
      Report(old: old, new: new, errors: changes.filter { $0.severity == .error }.count, changes: changes.map(Change.init)))
  }

  private struct Report: Encodable {
    let old: String
    let new: String
    let errors: Int
    let changes: [Change]
  }

  private struct Change: Encodable {
    let topic: CatalogChange.Topic
    let severity: String
    let code: String
    let products: [ProductID]
    let feature: FeatureID?
    let path: String?
    let old: String?
    let new: String?
    let sentence: String

    init(_ change: CatalogChange) {
      (topic, severity, code, products) = (change.topic, change.severity.rawValue, change.code, change.products)
      (feature, path, old, new, sentence) = (change.feature, change.path, change.old, change.new, change.sentence)
    }
  }
}

extension CatalogChange.Topic {
  /// The heading.
  var title: String {
    switch self {
    case .takenAway: "Taken away from those who paid"
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
