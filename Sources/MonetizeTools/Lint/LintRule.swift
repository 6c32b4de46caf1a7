// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A requirement on catalogs from review rules or good practice. A value: an app adds its own.
///
/// ```swift
/// let short = LintRule("acme-short-headline", .warning, source: "Acme style guide, page 3") { subject in
///   subject.texts.filter { $0.key == "headline" && $0.text.count > 40 }.map {
///     LintMistake(at: $0.place, "This headline has \($0.text.count) characters. Shorten it to 40.")
///   }
/// }
/// let report = Lint(rules: .standard + [short]).report(on: [LintFile(name: "catalog.json", json: data)])
/// ```
public struct LintRule: Sendable {
  /// The stable code of its findings.
  public let code: Diagnostic.Code
  /// The severity of its findings: an error ends `monetize lint` with status 1.
  public let severity: Diagnostic.Severity
  /// The source of the rule: a guideline's number, Apple's page, a line of a requirement.
  public let source: String
  /// The sections of a catalog that the rule uses, besides the place that it reports: the rule is skipped while `validate` finds a mistake
  /// in one of them. `nil` for all sections.
  public let sections: [String]?
  let check: @Sendable (LintSubject) -> [LintMistake]

  /// Makes a rule. The check is a pure function; it should take linear time.
  public init(
    _ code: Diagnostic.Code, _ severity: Diagnostic.Severity = .error, source: String, sections: [String]? = nil,
    check: @escaping @Sendable (LintSubject) -> [LintMistake]
  ) {
    (self.code, self.severity, self.source, self.sections, self.check) = (code, severity, source, sections, check)
  }
}

/// A finding of a rule: the place, and a sentence with the problem that ends with how to fix it.
public struct LintMistake: Sendable {
  let place: LintPlace
  let message: String

  /// Makes a mistake.
  public init(at place: LintPlace, _ message: String) { (self.place, self.message) = (place, message) }
}

extension [LintRule] {
  /// The rules of Monetize, each in a file of its own or with related ones.
  public static var standard: [LintRule] {
    LintRule.presence + LintRule.kids + LintRule.privacy + LintRule.copy + LintRule.claims + LintRule.listings + LintRule.offers
      + LintRule.value + LintRule.structure
  }
}
