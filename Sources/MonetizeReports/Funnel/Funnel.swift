// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
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

  /// A line of a split.
  struct Row: Sendable {
    let group: String
    let cells: [String]
  }

  let app: AppInfo
  let figures: [Figure]
  let purchase: [FunnelStep]
  let onboarding: [FunnelStep]
  let features: [Row]
  let split: (head: [String], rows: [Row])?
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
    self.split = split.map { $0 == .child ? Self.children(log) : Self.arms(log, all, catalog) }
    summary = Self.summary(log, all)
  }

  private static func summary(_ log: EventLog, _ all: Figures) -> String {
    guard let first = log.events.first?.at, let last = log.events.last?.at else { return "The log is empty." }
    let days = ISODate.text(first).prefix(10) + " to " + ISODate.text(last).prefix(10)
    return "\(Words.counted(log.events.count, "event")) of \(Words.counted(all.customers.count, "customer")), \(days)"
      + (log.isTest ? ", of a test's world" : "") + "."
      + (log.ignored > 0
        ? " \(Words.grouped(log.ignored)) of sandbox and simulator \(log.ignored == 1 ? "is" : "are") left out." : "")
  }

  /// Uses by feature.
  private static func features(_ log: EventLog, _ catalog: Catalog) -> [Row] {
    let used = Dictionary(grouping: log.all(.used).filter { $0.feature != nil }) { $0.feature ?? "" }
    return used.sorted { $0.key < $1.key }.map { feature, events in
      let (uses, paid) = (events.uses, events.filter { $0.paid == true }.uses)
      let users = Set(events.map(EventLog.customer)).count
      return Row(group: catalog.feature(feature)?.title ?? feature.rawValue, cells: [users, uses, uses - paid, paid].map(Words.grouped))
    }
  }

  /// The events of each child. Excludes the customer, guests and demos, and the framework's own subjects, which begin with a NUL character.
  private static func children(_ log: EventLog) -> (head: [String], rows: [Row]) {
    let children = Dictionary(grouping: log.events.filter { $0.child.map { !$0.rawValue.hasPrefix("\u{0}") } ?? false }) { event in
      (event.customer.map { $0 + " " } ?? "") + (event.child?.rawValue ?? "")
    }
    let rows = children.sorted { $0.key < $1.key }.map { child, events in
      let sessions = ActivitySession.all(events.map { ($0.at, $0.name) })
      let minutes = sessions.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) } / 60
      let uses = events.filter { $0.name == .used }.uses
      let last = events.map(\.at).max().map { ISODate.text($0) } ?? ""
      return Row(
        group: child,
        cells: [Words.grouped(events.count), Words.grouped(sessions.count), String(format: "%.1f", minutes), Words.grouped(uses), last])
    }
    return (["child", "events", "sessions", "minutes", "uses", "last seen"], rows)
  }

  /// The events of the customers of each arm.
  private static func arms(_ log: EventLog, _ all: Figures, _ catalog: Catalog) -> (head: [String], rows: [Row]) {
    var arms: [String: Set<String>] = [:]
    for event in log.all(.experimentExposed) {
      guard let experiment = event.experiment, let arm = event.arm else { continue }
      arms["\(experiment) \(arm)", default: []].insert(EventLog.customer(of: event))
    }
    let rows = arms.sorted { $0.key < $1.key }.map { arm, customers in
      let paid = customers.intersection(all.payers).count
      // Amounts of two currencies have no sum.
      let revenue = all.currencies.count > 1 ? nil : all.revenue(of: customers)
      let unit = all.currencies.first.map { " \($0)" } ?? ""
      return Row(
        group: arm,
        cells: [
          Words.grouped(customers.count), Words.grouped(paid), Words.percent(Decimal(paid) / Decimal(customers.count)),
          revenue.map { Forecast.money($0) + unit } ?? "–", revenue.map { Forecast.money($0 / Decimal(customers.count), 4) + unit } ?? "–",
        ])
    }
    return (["arm", "customers", "paid", "share", "revenue", "a customer"], rows)
  }
}
