// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON
public import MonetizeTools

/// The behaviour of customers in an event log, compared with the catalog's `targets`.
public struct Funnel: ToolReport {
  /// A division of the report.
  public enum Split: String, Sendable, Hashable, CaseIterable {
    /// By children of families.
    case child
    /// By arms of experiments.
    case experiment
  }

  let app: AppInfo
  let figures: [Figure]
  let purchase: [FunnelStep]
  let onboarding: [FunnelStep]
  let features: FunnelRows
  let split: FunnelRows?
  /// Why the split may mislead, in sentences.
  let splitNotes: [String]
  let summary: String

  /// `no` when a target is missed.
  public var status: ToolStatus { figures.contains { $0.isGood == false } ? .no : .fine }

  /// Makes a report.
  /// - Parameters:
  ///   - log: The events.
  ///   - catalog: The catalog, for prices, periods and targets.
  ///   - given: Figures from elsewhere, such as a rating, by name.
  ///   - split: The division of the report; `nil` for none.
  /// - Complexity: O(n log n) in the events.
  public init(_ log: EventLog, _ catalog: Catalog, given: [String: Decimal] = [:], by split: Split? = nil) {
    let all = Figures(log: log, catalog: catalog)
    app = catalog.app
    figures = all.all(given: given)
    purchase = FunnelStep.purchase(log)
    onboarding = FunnelStep.onboarding(log, payers: all.payers)
    features = Self.features(log, catalog)
    let arms = split == .experiment ? ArmResults(log, all) : nil
    self.split = split == .child ? Self.children(log, catalog) : arms?.rows
    splitNotes = arms?.notes ?? []
    summary = Self.summary(of: log, catalog) + (log.events.isEmpty ? "" : all.reasonWithoutSum.map { " Money has no sum: \($0)." } ?? "")
  }

  /// The figure or target that a misspelt name probably means; `nil` for a known name, and for one that is not near any.
  public static func closestName(to name: String, in catalog: Catalog) -> String? {
    let known = Figures(log: EventLog([]), catalog: catalog).all(given: [:]).map(\.name)
    return known.contains(name) ? nil : closestMatch(to: name, in: known, within: 1)
  }

  /// The events, the customers and the days of a log, and what the catalog or this version cannot read of it, in sentences.
  static func summary(of log: EventLog, _ catalog: Catalog) -> String {
    guard let first = log.events.first?.at, let last = log.events.last?.at else { return "The log is empty." }
    let days = ISODate.text(first).prefix(10) + " to " + ISODate.text(last).prefix(10)
    return "\(Words.counted(log.events.count, "event")) of \(Words.counted(log.customers.count, "customer")), \(days)"
      + (log.isTest ? ", all from the sandbox or the simulator" : "") + "."
      + (log.ignored > 0
        ? " \(Words.grouped(log.ignored)) of sandbox and simulator \(log.ignored == 1 ? "is" : "are") left out." : "")
      + unknown(log, catalog) + unread(log)
  }

  /// The products and features of the log that the catalog does not have, in a sentence.
  private static func unknown(_ log: EventLog, _ catalog: Catalog) -> String {
    let products = Set(log.events.compactMap(\.product).filter { catalog.product($0) == nil }.map(\.rawValue)).sorted()
    let features = Set(log.events.compactMap(\.feature).filter { catalog.feature($0) == nil }.map(\.rawValue)).sorted()
    let counts = [(products.count, "product"), (features.count, "feature")].filter { $0.0 > 0 }.map { Words.counted($0, $1) }
    if counts.isEmpty { return "" }
    let names = (products + features).prefix(3).joined(separator: ", ") + (products.count + features.count > 3 ? " and others" : "")
    let isOne = products.count + features.count == 1
    return
      " \(counts.joined(separator: " and ")) of the log \(isOne ? "is" : "are") not in the catalog: \(names). Check that it is the log of this app."
  }

  /// The keys of the log that are not read, in a sentence. A figure may lack their content.
  private static func unread(_ log: EventLog) -> String {
    if log.unknownKeys.isEmpty { return "" }
    let known = EventRecord.CodingKeys.allCases.map(\.rawValue)
    let names = log.unknownKeys.prefix(3).map { key in
      // The names of the properties in Swift begin with "is".
      let guess = key.hasPrefix("is") ? known.first { $0 == key.dropFirst(2).lowercased() } : closestMatch(to: key, in: known, within: 1)
      return "\"\(key)\"" + (guess.map { " (did you mean \"\($0)\"?)" } ?? "")
    }
    return " The log has \(Words.counted(log.unknownKeys.count, "key")) that no event has: \(names.joined(separator: ", "))"
      + (log.unknownKeys.count > 3 ? " and others." : ".")
  }

  /// Uses by feature.
  private static func features(_ log: EventLog, _ catalog: Catalog) -> FunnelRows {
    let used = Dictionary(grouping: log.all(.used).filter { $0.feature != nil }) { $0.feature ?? "" }
    let rows = used.sorted { $0.key < $1.key }.map { feature, events in
      let (uses, paid) = (events.uses(in: catalog), events.filter { $0.paid == true }.uses(in: catalog))
      let title = catalog.feature(feature)?.title ?? feature.rawValue
      return FunnelRows.Row(
        group: title, names: ["feature": feature.rawValue, "title": title],
        cells: [Set(events.map(EventLog.customer)).count, uses, uses - paid, paid].map { .count($0) })
    }
    return FunnelRows(
      head: "feature", columns: [("customers", "customers"), ("uses", "uses"), ("free", "free"), ("paid", "paid")], rows: rows)
  }

  /// The events of each child. Excludes the customer, guests and demos, and the framework's own subjects, which begin with a NUL character.
  private static func children(_ log: EventLog, _ catalog: Catalog) -> FunnelRows {
    struct Child: Hashable {
      let customer: String?
      let name: String
    }
    let children = Dictionary(grouping: log.events.filter { $0.child.map { !$0.rawValue.hasPrefix("\u{0}") } ?? false }) { event in
      Child(customer: event.customer, name: event.child?.rawValue ?? "")
    }
    let rows = children.map { child, events in
      let sessions = ActivitySession.all(events.map { ($0.at, $0.name) })
      let minutes = sessions.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) } / 60
      var names = ["child": child.name]
      names["customer"] = child.customer
      return FunnelRows.Row(
        group: (child.customer.map { $0 + " " } ?? "") + child.name, names: names,
        cells: [
          .count(events.count), .count(sessions.count), .number(Decimal(minutes).rounded(1)),
          .count(events.filter { $0.name == .used }.uses(in: catalog)), events.map(\.at).max().map { .date($0) } ?? .none,
        ])
    }
    return FunnelRows(
      head: "child",
      columns: [("events", "events"), ("sessions", "sessions"), ("minutes", "minutes"), ("uses", "uses"), ("lastSeen", "last seen")],
      rows: rows.sorted { $0.group < $1.group })
  }
}
