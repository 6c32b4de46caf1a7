// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

extension Forecast {
  /// One self-contained page with the same tables, and two charts per scenario.
  public var html: String {
    var page = HTMLPage(
      title: "\(title): forecast",
      lead:
        "The revenue and cost of a download, and \(Words.counted(months, "month")). Amounts are before tax; nine of ten drawn runs are within each band."
    )
    for part in parts {
      page.heading("Scenario: \(part.plan.name)")
      page.paragraph(Self.summary(part))
      for line in Self.freeTier(part) { page.paragraph(line) }
      if !part.notes.isEmpty { page.list(part.notes) }
      let labels = part.projection.expected.indices.map { "\($0 + 1)" }
      let net = part.projection.expected.map { $0.net.double }
      page.add(
        Chart(
          title: "Net of each month in \(part.plan.currency), with its band", summary: "Net by month. " + Self.summary(part), shape: .line,
          labels: labels, values: net, band: part.projection.net.map { ($0.low, $0.high) }))
      page.add(
        Chart(
          title: "Payments of each month",
          summary: "Payments by month, \(Int(part.projection.expected.first?.payments ?? 0)) in the first.",
          shape: .bars, labels: labels, values: part.projection.expected.map(\.payments)))
      for table in Self.tables(part) { page.table(table) }
    }
    return page.html
  }
}
