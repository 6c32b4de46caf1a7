// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// One thing that review rules or good sense ask of a catalog. A value: an app adds its own.
///
/// ```swift
/// let short = LintRule("acme-short-headline", .warning, source: "Acme style guide, page 3") { subject in
///   subject.texts.filter { $0.key == "headline" && $0.text.count > 40 }.map {
///     LintMistake(at: $0.place, "This headline has \($0.text.count) characters. Shorten it to 40.")
///   }
/// }
/// let report = Lint(rules: .standard + [short]).report(on: [("catalog.json", data)])
/// ```
public struct LintRule: Sendable {
  /// The stable code of its findings.
  public let code: Diagnostic.Code
  /// How bad its findings are: an error ends `monetize lint` with status 1.
  public let severity: Diagnostic.Severity
  /// Where the rule is from: a guideline's number, Apple's page, a line of a requirement.
  public let source: String
  /// The sections of a catalog that the rule draws conclusions from, besides the place that it reports: while one of them has a mistake that
  /// `validate` finds, the rule is left out. `nil` for all sections.
  public let sections: [String]?
  let check: @Sendable (LintSubject) -> [LintMistake]

  /// Makes a rule. The check is a pure function; it should take no longer than the catalog is long.
  public init(
    _ code: Diagnostic.Code, _ severity: Diagnostic.Severity = .error, source: String, sections: [String]? = nil,
    check: @escaping @Sendable (LintSubject) -> [LintMistake]
  ) {
    (self.code, self.severity, self.source, self.sections, self.check) = (code, severity, source, sections, check)
  }
}

/// What a rule found: where, and a sentence that says what is wrong and ends with how to mend it.
public struct LintMistake: Sendable {
  let place: LintPlace
  let message: String

  /// Makes a mistake.
  public init(at place: LintPlace, _ message: String) { (self.place, self.message) = (place, message) }
}

extension [LintRule] {
  /// The rules that come with Monetize, each in a file of its own or beside those of the same subject.
  public static var standard: [LintRule] {
    LintRule.presence + LintRule.kids + LintRule.privacy + LintRule.copy + LintRule.claims + LintRule.listings + LintRule.offers
      + LintRule.value + LintRule.structure
  }
}
