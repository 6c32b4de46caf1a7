// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import MonetizeTools
import Testing

/// For each rule a catalog that breaks only it, one that almost does, and the exact message.
@Suite("Rules of lint", .timeLimit(.minutes(30)))
struct LintRuleTests {
  static let rules =
    [LintRule].standard + [.prices(match: ["pro.monthly": Money(amount: Decimal(499) / 100, currency: "USD")], in: "Notes.storekit")]

  struct Case: Sendable, CustomTestStringConvertible {
    let code: String
    let breaks: String
    let holds: String
    var testDescription: String { code }

    static let all: [Case] = {
      guard let document = try? JSONDocument(parsing: ToolFixtures.text("lint/cases.json")) else { return [] }
      return document.root.elements.compactMap { element in
        guard let code = element["code"]?.string, let base = element["base"]?.string,
          let text = try? ToolFixtures.text("lint/\(base).json"),
          let breaks = try? element["breaks"].map({ try ToolFixtures.patched(text, $0) }),
          let holds = try? element["holds"].map({ try ToolFixtures.patched(text, $0) })
        else { return nil }
        return Case(code: code, breaks: breaks, holds: holds)
      }
    }()
  }

  static func findings(_ text: String) -> [LintFinding] {
    Lint(rules: rules).findings(in: Data(text.utf8)).filter { $0.reason == nil }
  }

  @Test(
    "MAZE-24, XC-09, HEAT-32, HEAT-33, HEAT-35, HEAT-39, MAGIC-03, MAGIC-32, MAGIC-60: only the broken rule reports a catalog",
    arguments: Case.all)
  func rule(_ sample: Case) {
    let found = Self.findings(sample.breaks)
    #expect(found.map(\.diagnostic.code.rawValue) == [sample.code], "\(found.map(\.diagnostic.description))\n\(sample.breaks)")
    #expect(Self.findings(sample.holds).map(\.diagnostic.description) == [], "\(sample.holds)")
  }

  @Test("The exact messages, each with its place, its fix and its source") func messages() throws {
    let text = Case.all.map { sample in
      Self.findings(sample.breaks).map { "\($0.diagnostic)\n    from \($0.source)\n" }.joined()
    }
    try ToolFixtures.expectGolden(text.joined(separator: "\n"), "lint-rules.txt")
  }

  @Test("Every rule has a case, every code one rule, and every message ends with a fix") func complete() {
    let codes = Self.rules.map(\.code.rawValue)
    #expect(Set(codes).count == codes.count)
    #expect(Set(Case.all.map(\.code)) == Set(codes + ["lint-accept-unused"]))
    for sample in Case.all {
      for finding in Self.findings(sample.breaks) {
        let sentences = finding.diagnostic.message.components(separatedBy: ". ").count
        #expect(finding.diagnostic.message.hasSuffix(".") || finding.diagnostic.message.hasSuffix("}."))
        #expect(sentences > 1 && finding.diagnostic.position != nil, "\(finding.diagnostic)")
      }
    }
  }
}
