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

  /// The report as text.
  public var text: String {
    "\(app.name)\n\(summary)\n" + tables.map { "\n" + $0.text }.joined() + (dropOffSentence.map { "\n\($0)\n" } ?? "")
  }

  /// One self-contained page with the same tables, and a chart for each sequence of steps.
  public var html: String {
    var page = HTMLPage(title: "\(app.name): figures", lead: summary)
    for (title, steps) in [("From paywall to purchase", purchase), ("Onboarding", onboarding)] where !steps.isEmpty {
      let most = max(1, steps.map(\.count).max() ?? 1)
      page.bars(title, steps.map { ($0.title, $0.count * 100 / most, Words.grouped($0.count)) })
    }
    if let dropOffSentence { page.paragraph(dropOffSentence) }
    for table in tables { page.table(table) }
    return page.html
  }

  private struct Report: Encodable {
    struct Value: Encodable {
      let name, title: String
      let value, target, currency: String?
      /// The two counts of a share.
      let part, whole: Int?
      /// Why there is no value, or where it comes from.
      let note: String?
      let verdict: String?
    }
    struct Step: Encodable {
      let title: String
      let count: Int
      let ofFirst: String
      let ofPrevious, seconds: String?
    }
    let summary: String
    let figures: [Value]
    let purchase, onboarding: [Step]
    let dropOff: String?
    let features: FunnelRows
    let split: FunnelRows?
  }

  /// The report as JSON. Shares and amounts are decimal strings.
  public var json: String {
    func number(_ value: Decimal) -> String { NSDecimalNumber(decimal: value.rounded(6)).stringValue }
    func steps(_ steps: [FunnelStep]) -> [Report.Step] {
      steps.map {
        .init(
          title: $0.title, count: $0.count, ofFirst: number($0.ofFirst), ofPrevious: $0.ofPrevious.map(number),
          seconds: $0.seconds.map(number))
      }
    }
    let report = Report(
      summary: summary,
      figures: figures.map {
        .init(
          name: $0.name, title: $0.title, value: $0.value.map(number), target: $0.target == nil ? nil : $0.targetText,
          currency: $0.unit.isEmpty ? nil : String($0.unit.dropFirst()), part: $0.counts?.part,
          whole: $0.counts?.whole, note: $0.counts == nil && !$0.parts.isEmpty ? $0.parts : nil, verdict: $0.verdict?.rawValue)
      }, purchase: steps(purchase), onboarding: steps(onboarding), dropOff: dropOff,
      features: features, split: split)
    return ToolJSON.text(report)
  }
}
