// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
public import MonetizeTools

/// The requests of an app's event log, judged by another catalog: how often customers would have been refused, and how many of them.
///
/// A catalog with a changed limit shows who would have noticed the change. The log has what customers did under their own limits; what they
/// would have done under others, such as buy, is not in it.
public struct Replay: ToolReport {
  /// The requests for one feature.
  struct Row: Sendable, Hashable {
    let feature: FeatureID
    let title: String
    /// Uses, and uses that were refused.
    private(set) var requests = 0
    private(set) var refusedInLog = 0
    private(set) var refusedNow = 0
    /// The customers who were refused.
    private(set) var customersInLog: Set<String> = []
    private(set) var customersNow: Set<String> = []

    init(_ feature: Feature) { (self.feature, title) = (feature.id, feature.title) }

    /// The customers who are refused now and were not in the log, and the reverse.
    var newlyRefused: Int { customersNow.subtracting(customersInLog).count }
    var noLongerRefused: Int { customersInLog.subtracting(customersNow).count }

    mutating func count(_ customer: String, wasRefused: Bool, isRefused: Bool) {
      requests += 1
      if wasRefused {
        refusedInLog += 1
        customersInLog.insert(customer)
      }
      if isRefused {
        refusedNow += 1
        customersNow.insert(customer)
      }
    }
  }

  let app: AppInfo
  let rows: [Row]
  /// The number of uses of purchases that the log does not have.
  let leftOut: Int
  private let summary: String

  /// Judges the requests of a log, in their order.
  /// - Parameters:
  ///   - log: The events.
  ///   - catalog: The catalog that judges. It need not be the one of the log.
  ///   - zone: The time zone in which days and months begin, because a log does not have those of the customers.
  ///   - appliesArms: Whether customers have the arms of their exposures, where the catalog has the experiment.
  /// - Complexity: O(n log n) in the events.
  public init(_ log: EventLog, _ catalog: Catalog, zone: TimeZone, appliesArms: Bool = true) {
    app = catalog.app
    let run = ReplayRun(log, catalog, zone: zone, appliesArms: appliesArms)
    rows = run.rows.values.sorted { $0.feature < $1.feature }
    leftOut = run.leftOut
    summary = Funnel.summary(of: log, catalog)
  }

  private var table: ReportTable {
    let head = ["feature", "requests", "refused in the log", "refused now", "customers refused in the log", "customers refused now"]
    return ReportTable(
      title: "Requests",
      rows: [head]
        + rows.map { row in
          [row.title]
            + [row.requests, row.refusedInLog, row.refusedNow, row.customersInLog.count, row.customersNow.count].map(Words.grouped)
        })
  }

  /// What changes for customers, and what the log cannot show, in sentences.
  private var sentences: [String] {
    var sentences: [String] = []
    for row in rows {
      if row.newlyRefused > 0 {
        sentences.append("\(row.title): \(Words.counted(row.newlyRefused, "more customer is", "more customers are")) refused.")
      }
      if row.noLongerRefused > 0 {
        sentences.append("\(row.title): \(Words.counted(row.noLongerRefused, "customer is", "customers are")) no longer refused.")
      }
    }
    if rows.isEmpty { sentences.append("The log has no request for a feature of this catalog that is counted.") }
    if rows.contains(where: { $0.refusedInLog > $0.refusedNow }) {
      sentences.append("After a refusal, customers stop asking: under a higher limit they would have asked more often than in this log.")
    }
    if leftOut > 0 {
      sentences.append("\(Words.counted(leftOut, "use")) of purchases that are not in the log \(leftOut == 1 ? "is" : "are") left out.")
    }
    return sentences
  }

  /// The report for a person.
  public var text: String {
    "\(app.name)\n\(summary)\n" + (rows.isEmpty ? "" : "\n" + table.text) + "\n" + sentences.map { $0 + "\n" }.joined()
  }

  /// One self-contained page with the same table.
  public var html: String {
    var page = HTMLPage(title: "\(app.name): replay", lead: summary)
    if !rows.isEmpty { page.table(table) }
    for sentence in sentences { page.paragraph(sentence) }
    return page.html
  }

  /// The report for a program.
  public var json: String {
    let features = rows.map { row -> ToolObject in
      [
        "feature": row.feature, "title": row.title, "requests": row.requests, "refusedInLog": row.refusedInLog,
        "refusedNow": row.refusedNow, "customersRefusedInLog": row.customersInLog.count, "customersRefusedNow": row.customersNow.count,
        "customersNewlyRefused": row.newlyRefused, "customersNoLongerRefused": row.noLongerRefused,
      ]
    }
    return ToolJSON.object(["summary": summary, "features": features, "leftOut": leftOut, "notes": sentences])
  }
}
