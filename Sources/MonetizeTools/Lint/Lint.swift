// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// One finding of lint.
public struct LintFinding: Sendable, Hashable {
  /// The problem, its place and its fix.
  public let diagnostic: Diagnostic
  /// The source of the rule.
  public let source: String
  /// The reason why the file accepts it; `nil` if it does not.
  public internal(set) var reason: String?
}

/// Checks catalogs against review rules and good practice. A file with mistakes is linted as far as it can be read, without findings that
/// follow from the mistakes.
///
/// O(length of the texts), unless an app's own rules take longer.
public struct Lint: Sendable {
  private let rules: [LintRule]
  private let kinds: ProductKinds
  private let shapes: AllowanceShapes
  private let conditions: Conditions

  /// Makes a check with these rules, for catalogs with these kinds.
  public init(
    rules: [LintRule] = .standard, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) {
    (self.rules, self.kinds, self.shapes, self.conditions) = (rules, kinds, shapes, conditions)
  }

  /// The findings in catalogs and their tables of texts. A table is listed when it is wrong itself; what it lacks is found in its catalog.
  public func report(on files: [LintFile]) -> LintReport {
    LintReport(files: files.flatMap(findings), rules: rules)
  }

  private func findings(in file: LintFile) -> [LintReport.File] {
    var rules = rules
    var wrong: [LintReport.File] = []
    var languages: [Language] = []
    let catalog = file.tables.isEmpty ? nil : Catalog.reading(file.json, kinds: kinds, shapes: shapes, conditions: conditions).catalog
    for table in file.tables {
      var found: [LintFinding] = []
      var mistakes: [Diagnostic] = []
      do throws(CatalogError) {
        let strings = try CatalogStrings(json: table.json)
        let own = strings.mistake(inFileFor: URL(fileURLWithPath: table.name).deletingPathExtension().lastPathComponent)
        // What a table lacks depends on its language.
        if own == nil { rules.append(.texts(translatedBy: strings, in: table.name)) }
        languages.append(strings.language)
        mistakes = [own].compactMap { $0 } + (catalog.map(strings.mistakes(in:)) ?? [])
        found = catalog.map { findings(inTextsOf: table.json, strings.language, of: $0, file.json) } ?? []
      } catch { mistakes = error.diagnostics }
      found += mistakes.map { LintFinding(diagnostic: $0, source: "monetize validate") }
      if !found.isEmpty { wrong.append(.init(name: table.name, findings: found.sorted { $0.position < $1.position })) }
    }
    rules.append(.frameworkTexts(inTablesFor: languages))
    let lint = Lint(rules: rules, kinds: kinds, shapes: shapes, conditions: conditions)
    return [.init(name: file.name, findings: lint.findings(in: file.json))] + wrong
  }

  /// The findings of the rules about texts in a table: those with a place in it.
  private func findings(inTextsOf table: Data, _ language: Language, of catalog: Catalog, _ json: Data) -> [LintFinding] {
    guard let root = try? JSONDocument(parsing: [UInt8](json)).root, let texts = try? JSONDocument(parsing: [UInt8](table)).root else {
      return []
    }
    return findings(LintSubject(catalog, root, table: (texts, language)), BrokenPlaces([]), in: texts)
  }

  /// The findings in one text, in its order. Invalid content never throws.
  public func findings(in json: Data) -> [LintFinding] {
    let reading = Catalog.validating(json, kinds: kinds, shapes: shapes, conditions: conditions)
    let refused = reading.diagnostics.filter { $0.severity != .note }.map { LintFinding(diagnostic: $0, source: "monetize validate") }
    guard let catalog = reading.partial, let root = try? JSONDocument(parsing: [UInt8](json)).root else { return refused }
    let broken = BrokenPlaces(reading.diagnostics.filter { $0.severity == .error })
    let found = findings(LintSubject(catalog, root), broken, in: root)
    let kept = broken.isEmpty ? found + armFindings(root, beside: found) : found.filter { !broken.concern($0.diagnostic.path) }
    return (refused + accepting(kept, root)).enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }.map(\.element)
  }

  private func findings(_ subject: LintSubject, _ broken: BrokenPlaces, in root: JSONValue) -> [LintFinding] {
    let reader = JSONReader(root.document)
    var sources: [Diagnostic.Code: String] = [:]
    for rule in rules where broken.allow(rule) {
      sources[rule.code] = rule.source
      for mistake in rule.check(subject) where mistake.place.value.document.root == root {
        reader.report(rule.severity, rule.code, at: mistake.place.value, mistake.message)
      }
    }
    return reader.diagnostics.map { LintFinding(diagnostic: $0, source: sources[$0.code] ?? "") }
  }

  /// Findings that only the arms of experiments cause, reported at the arms: customers have the catalog of their arm.
  private func armFindings(_ root: JSONValue, beside own: [LintFinding]) -> [LintFinding] {
    let known = Set(own.map { [$0.diagnostic.code.rawValue, $0.diagnostic.path, $0.diagnostic.message] })
    return root.runningArms.flatMap { arm -> [LintFinding] in
      guard let patch = arm["set"] ?? arm["texts"] else { return [] }
      return findings(in: root, with: arm).compactMap { finding in
        let (code, path, message) = (finding.diagnostic.code, finding.diagnostic.path, finding.diagnostic.message)
        // The texts that an arm changes are checked without its patch.
        if code == "text-missing" || known.contains([code.rawValue, path, message]) { return nil }
        let reader = JSONReader(root.document)
        let place = path.isEmpty ? "" : ", at \(path)"
        reader.report(finding.diagnostic.severity, code, at: patch, "With the arm \"\(arm["id"]?.string ?? "")\"\(place): \(message)")
        return reader.diagnostics.first.map { LintFinding(diagnostic: $0, source: finding.source) }
      }
    }
  }

  /// The findings in a catalog with the patch of an arm, without its experiments, and in the arm's texts.
  private func findings(in root: JSONValue, with arm: JSONValue) -> [LintFinding] {
    guard let without = try? JSONDocument(parsing: #"{ "experiments": null }"#).root,
      let patched = try? JSONDocument(parsing: arm["set"].map(root.applying) ?? root.text()).root,
      let text = try? JSONDocument(parsing: patched.applying(mergePatch: without)).root,
      let catalog = Catalog.reading(Data(text.text().utf8), kinds: kinds, shapes: shapes, conditions: conditions).catalog
    else { return [] }
    return findings(LintSubject(catalog, text), BrokenPlaces([]), in: text)
      + (arm["texts"]?.members ?? []).flatMap { table in
        findings(inTextsOf: Data(table.value.text().utf8), Language(table.key), of: catalog, Data(text.text().utf8)).map { found in
          let mistake = found.diagnostic
          let path = "texts.\(table.key).\(mistake.path)"
          let moved = Diagnostic(mistake.severity, mistake.code, path: path, position: mistake.position, message: mistake.message)
          return LintFinding(diagnostic: moved, source: found.source)
        }
      }
  }

  /// Marks accepted findings with their reason, and reports acceptances without a finding. O(findings × length of their paths).
  private func accepting(_ found: [LintFinding], _ root: JSONValue) -> [LintFinding] {
    let accepted = ToolSections(root, JSONReader(root.document)).lint?.accept ?? []
    if accepted.isEmpty { return found }
    // Of two that accept the same, the first counts.
    let places = Dictionary(accepted.enumerated().map { ([$1.code, $1.at], $0) }) { first, _ in first }
    var used: Set<Int> = []
    var findings = found.map { finding -> LintFinding in
      let (code, path) = (finding.diagnostic.code.rawValue, finding.diagnostic.path)
      guard let match = ([""] + path.containers).compactMap({ places[[code, $0]] }).min() else { return finding }
      used.insert(match)
      var finding = finding
      finding.reason = accepted[match].reason
      return finding
    }
    let reader = JSONReader(root.document)
    for (index, place) in (root["lint"]?["accept"]?.elements ?? []).enumerated() where !used.contains(index) {
      let (code, codes) = (accepted[index].code, rules.map(\.code.rawValue))
      let guess = codes.contains(code) ? nil : closestMatch(to: code, in: codes)
      reader.report(
        .warning, "lint-accept-unused", at: place,
        "This accepts nothing: there is no \"\(code)\" at \"\(accepted[index].at)\".\(didYouMean(guess, or: "Remove it."))")
    }
    findings += reader.diagnostics.map { LintFinding(diagnostic: $0, source: "Docs/Guides/Lint.md") }
    return findings
  }
}

extension CatalogStrings {
  /// The texts of the table that a catalog refuses.
  fileprivate func mistakes(in catalog: Catalog) -> [Diagnostic] {
    do throws(CatalogError) { _ = try catalog.localized(by: self) } catch {
      return error.diagnostics.filter { $0.severity == .error }.map { mistake in
        // The place of a text that breaks a rule is one of the translated catalog, which is in no file.
        let position = ["unknown-text", "type-mismatch"].contains(mistake.code) ? mistake.position : nil
        return Diagnostic(mistake.severity, mistake.code, path: mistake.path, position: position, message: mistake.message)
      }
    }
    return []
  }
}

extension LintFinding {
  fileprivate var position: SourcePosition { diagnostic.place }
}

/// The places of mistakes that `validate` finds, for findings that may only follow from them.
private struct BrokenPlaces {
  private let places: Set<String>
  private let around: Set<String>
  /// Whether a section may exist under a misspelt name.
  private let isSectionUnknown: Bool

  init(_ mistakes: [Diagnostic]) {
    places = Set(mistakes.map(\.path))
    around = Set(mistakes.flatMap { [""] + $0.path.containers })
    isSectionUnknown = mistakes.contains { $0.code == "unknown-key" && $0.path.containers.count == 1 }
  }

  var isEmpty: Bool { places.isEmpty }

  /// Whether everything that a rule uses is valid.
  func allow(_ rule: LintRule) -> Bool {
    guard let sections = rule.sections else { return isEmpty }
    return sections.isEmpty || !isSectionUnknown && !sections.contains(where: concern)
  }

  /// Whether a mistake is at this path, inside it or around it; a mistake of the whole file does not count. O(length of the path).
  func concern(_ path: String) -> Bool { around.contains(path) || path.containers.contains(where: places.contains) }
}

extension String {
  /// The paths of the containing values of this JSON path, outermost first, and the path itself, without the root.
  fileprivate var containers: [String] {
    let ends = indices.filter { self[$0] == "." || self[$0] == "[" } + [endIndex]
    return ends.filter { $0 > startIndex }.map { String(self[..<$0]) }
  }
}
