// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

extension Funnel {
  private var tables: [ReportTable] {
    let shown = figures.filter { $0.value != nil || $0.target != nil || !$0.parts.isEmpty }
    let rows = shown.map { figure in
      [
        figure.title, figure.value.map { figure.text($0) + figure.unit } ?? "no data", figure.verdict?.rawValue ?? "–",
        figure.targetText.isEmpty ? "" : figure.targetText + figure.unit, figure.parts,
      ]
    }
    var tables = [
      ReportTable(
        title: "Figures", rows: [["figure", "value", "verdict", "target", "counts"]] + rows,
        marks: Dictionary(shown.enumerated().compactMap { index, figure in figure.isGood.map { (index, $0 ? "good" : "bad") } }) { a, _ in a
        }),
      Self.table("From paywall to purchase", purchase), Self.table("Onboarding", onboarding),
      ReportTable(title: "Features", rows: [features.titles] + features.texts),
    ]
    if let split { tables.append(ReportTable(title: "By \(split.head)", rows: [split.titles] + split.texts)) }
    return tables.filter { $0.rows.count > 1 }
  }

  private static func table(_ title: String, _ steps: [FunnelStep]) -> ReportTable {
    let hasTimes = steps.contains { $0.seconds != nil }
    return ReportTable(
      title: title,
      rows: [["step", "count", "of all", "of the step before"] + (hasTimes ? ["median seconds"] : [])]
        + steps.map { step in
          [step.title, Words.grouped(step.count), Words.percent(step.ofFirst), step.ofPrevious.map(Words.percent) ?? "–"]
            + (hasTimes ? [step.seconds.map { NSDecimalNumber(decimal: $0.rounded(1)).stringValue } ?? ""] : [])
        })
  }

  /// The step after which the largest share leaves the onboarding. Leaves out the last row, which counts payers.
  var dropOff: String? { FunnelStep.dropOff(onboarding.dropLast()) }

  private var dropOffSentence: String? { dropOff.map { "The largest share is lost after the step \"\($0)\"." } }

  private var remarks: [String] { splitNotes + (dropOffSentence.map { [$0] } ?? []) }

  /// The report as text.
  public var text: String {
    "\(app.name)\n\(summary)\n" + tables.map { "\n" + $0.text }.joined() + remarks.map { "\n\($0)\n" }.joined()
  }

  /// One self-contained page with the same tables, and a chart for each sequence of steps.
  public var html: String {
    var page = HTMLPage(title: "\(app.name): figures", lead: summary)
    for (title, steps) in [("From paywall to purchase", purchase), ("Onboarding", onboarding)] where !steps.isEmpty {
      let most = max(1, steps.map(\.count).max() ?? 1)
      page.bars(title, steps.map { ($0.title, $0.count * 100 / most, Words.grouped($0.count)) })
    }
    for remark in remarks { page.paragraph(remark) }
    for table in tables { page.table(table) }
    return page.html
  }

  /// The report as JSON. Shares and amounts are decimal strings.
  public var json: String {
    func number(_ value: Decimal) -> String { NSDecimalNumber(decimal: value.rounded(6)).stringValue }
    func steps(_ steps: [FunnelStep]) -> [ToolObject] {
      steps.map {
        [
          "title": $0.title, "count": $0.count, "ofFirst": number($0.ofFirst), "ofPrevious": $0.ofPrevious.map(number),
          "seconds": $0.seconds.map(number),
        ]
      }
    }
    let figures = figures.map { figure -> ToolObject in
      [
        "name": figure.name, "title": figure.title, "value": figure.value.map(number),
        "target": figure.target == nil ? nil : figure.targetText, "currency": figure.unit.isEmpty ? nil : String(figure.unit.dropFirst()),
        // The two counts of a share.
        "part": figure.counts?.part, "whole": figure.counts?.whole,
        // The reason for a missing value, or the source of the value.
        "note": figure.counts == nil && !figure.parts.isEmpty ? figure.parts : nil, "verdict": figure.verdict?.rawValue,
      ]
    }
    return ToolJSON.object([
      "summary": summary, "figures": figures, "purchase": steps(purchase), "onboarding": steps(onboarding), "dropOff": dropOff,
      "features": features, "split": split, "splitNotes": split == nil ? nil : splitNotes,
    ])
  }
}
