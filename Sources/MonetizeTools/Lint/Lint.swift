// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// One thing that lint found.
public struct LintFinding: Sendable, Hashable {
  /// What, where, and how to mend it.
  public let diagnostic: Diagnostic
  /// Where the rule is from.
  public let source: String
  /// Why the file accepts it; `nil` where it does not.
  public internal(set) var reason: String?
}

/// Checks catalogs against review rules and good sense. What `validate` refuses comes first: a file with such mistakes is linted as far as it
/// can be read, and says nothing that follows from them.
///
/// O(length of the texts), but for rules of an app that take longer.
public struct Lint: Sendable {
  private let rules: [LintRule]
  private let kinds: ProductKinds
  private let shapes: AllowanceShapes
  private let conditions: Conditions

  /// A check with these rules, for catalogs of these kinds.
  public init(
    rules: [LintRule] = .standard, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) {
    (self.rules, self.kinds, self.shapes, self.conditions) = (rules, kinds, shapes, conditions)
  }

  /// What is found in files, by their names and their texts. A program reads the files.
  public func report(on files: [(name: String, json: Data)]) -> LintReport {
    LintReport(files: files.map { .init(name: $0.name, findings: findings(in: $0.json)) }, rules: rules)
  }

  /// What is found in one text, in its order. Never throws on content.
  public func findings(in json: Data) -> [LintFinding] {
    let reading = Catalog.reading(json, kinds: kinds, shapes: shapes, conditions: conditions)
    let refused = reading.diagnostics.filter { $0.severity != .note }.map { LintFinding(diagnostic: $0, source: "monetize validate") }
    guard let catalog = reading.partial, let root = try? JSONDocument(parsing: [UInt8](json)).root else { return refused }
    let broken = BrokenPlaces(reading.diagnostics.filter { $0.severity == .error })
    let found = findings(LintSubject(catalog, root), broken)
    let kept = found.filter { broken.isEmpty || !broken.concern($0.diagnostic.path) }
    return (refused + accepting(kept, catalog, root)).enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }.map(\.element)
  }

  private func findings(_ subject: LintSubject, _ broken: BrokenPlaces) -> [LintFinding] {
    let reader = JSONReader(subject.root.value.document)
    var sources: [Diagnostic.Code: String] = [:]
    for rule in rules where broken.allow(rule) {
      sources[rule.code] = rule.source
      for mistake in rule.check(subject) {
        reader.report(rule.severity, rule.code, at: mistake.place.value, mistake.message)
      }
    }
    return reader.diagnostics.map { LintFinding(diagnostic: $0, source: sources[$0.code] ?? "") }
  }

  /// What the file accepts has its reason, and what accepts nothing is found as well.
  private func accepting(_ found: [LintFinding], _ catalog: Catalog, _ root: JSONValue) -> [LintFinding] {
    let accepted = catalog.lint?.accept ?? []
    if accepted.isEmpty { return found }
    var reasons: [String: [(at: String, index: Int)]] = [:]
    for (index, acceptance) in accepted.enumerated() { reasons[acceptance.code, default: []].append((acceptance.at, index)) }
    var used: Set<Int> = []
    var findings = found.map { finding -> LintFinding in
      let path = finding.diagnostic.path
      guard let match = reasons[finding.diagnostic.code.rawValue]?.first(where: { path.isWithin($0.at) }) else { return finding }
      used.insert(match.index)
      var finding = finding
      finding.reason = accepted[match.index].reason
      return finding
    }
    let reader = JSONReader(root.document)
    for (index, place) in (root["lint"]?["accept"]?.elements ?? []).enumerated() where !used.contains(index) {
      reader.report(
        .warning, "lint-accept-unused", at: place,
        "Nothing is found that this accepts: no \"\(accepted[index].code)\" at \"\(accepted[index].at)\". Remove it.")
    }
    findings += reader.diagnostics.map { LintFinding(diagnostic: $0, source: "design.md section 4") }
    return findings
  }
}

extension LintFinding {
  fileprivate var position: SourcePosition { diagnostic.position ?? SourcePosition(line: 1, column: 1) }
}

extension String {
  /// Whether this JSON path is that of a value or of something in it; everything is in the empty path.
  func isWithin(_ path: String) -> Bool {
    guard hasPrefix(path) else { return false }
    let rest = dropFirst(path.count)
    return path.isEmpty || rest.isEmpty || rest.first == "." || rest.first == "["
  }
}

/// The places that `validate` found mistakes in, for findings that may only follow from them.
private struct BrokenPlaces {
  private let places: Set<String>
  private let around: Set<String>
  /// Whether a section may be there under a misspelt name.
  private let isSectionUnknown: Bool

  init(_ mistakes: [Diagnostic]) {
    places = Set(mistakes.map(\.path))
    around = Set(mistakes.flatMap { [""] + $0.path.containers })
    isSectionUnknown = mistakes.contains { $0.code == "unknown-key" && $0.path.containers.count == 1 }
  }

  var isEmpty: Bool { places.isEmpty }

  /// Whether a rule draws on nothing that is broken.
  func allow(_ rule: LintRule) -> Bool {
    guard let sections = rule.sections else { return isEmpty }
    return sections.isEmpty || !isSectionUnknown && !sections.contains(where: concern)
  }

  /// Whether a mistake is at this path, in it or around it; one about the whole file concerns nothing in particular. O(length of the path).
  func concern(_ path: String) -> Bool { around.contains(path) || path.containers.contains(where: places.contains) }
}

extension String {
  /// The paths of the values around the value of this JSON path, outermost first, and this path itself; not the root's.
  fileprivate var containers: [String] {
    let ends = indices.filter { self[$0] == "." || self[$0] == "[" } + [endIndex]
    return ends.filter { $0 > startIndex }.map { String(self[..<$0]) }
  }
}
