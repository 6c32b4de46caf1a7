// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// What the customers of each arm of an experiment paid, and what chance leaves open about it.
struct ArmResults {
  private struct Arm: Hashable {
    let experiment, name: String
  }

  let rows: FunnelRows
  /// Why the numbers of customers cannot be those of the experiment, in sentences.
  let notes: [String]

  init(_ log: EventLog, _ all: Figures) {
    var arms: [Arm: [String: Date]] = [:]
    for (experiment, customers) in log.exposures {
      for (customer, one) in customers { arms[Arm(experiment: experiment.rawValue, name: one.arm), default: [:]][customer] = one.date }
    }
    rows = FunnelRows(
      head: "arm",
      columns: [
        ("customers", "customers"), ("paid", "paid"), ("share", "share"), ("shareInterval", "95 % interval"), ("revenue", "revenue"),
        ("revenuePerCustomer", "per customer"), ("revenuePerCustomerInterval", "95 % interval"),
      ], rows: arms.map { Self.row($0, $1, all) }.sorted { $0.group < $1.group })
    notes = all.catalog.experiments.compactMap { experiment in
      Self.note(experiment, experiment.arms.map { arms[Arm(experiment: experiment.id.rawValue, name: $0.id)]?.count ?? 0 })
    }
  }

  /// - Parameter customers: The customers of the arm, with the time from which their payments count.
  private static func row(_ arm: Arm, _ customers: [String: Date], _ all: Figures) -> FunnelRows.Row {
    let payments = all.payments.filter { event in
      customers[EventLog.customer(of: event)].map { $0 <= event.purchased ?? event.at } ?? false
    }
    let paid = Dictionary(grouping: payments, by: EventLog.customer)
    var cells: [FunnelRows.Cell] = [
      .count(customers.count), .count(paid.count), .share(Decimal(paid.count) / Decimal(customers.count)),
      .shares(ChanceInterval(part: paid.count, of: customers.count)),
    ]
    if all.reasonWithoutSum == nil {
      let revenue = all.sum(of: payments)
      // Sorted, because the order of additions changes the last digits of a sum.
      let interval = ChanceInterval(meanOf: paid.values.map(all.sum).sorted(), zeros: customers.count - paid.count)
      cells += [
        .money(revenue, all.currencies.first), .money(revenue / Decimal(customers.count), all.currencies.first),
        interval.map { .amounts($0, all.currencies.first) } ?? .none,
      ]
    } else {
      cells += [.none, .none, .none]
    }
    return FunnelRows.Row(group: "\(arm.experiment) \(arm.name)", names: ["experiment": arm.experiment, "arm": arm.name], cells: cells)
  }

  /// What is wrong with the numbers of customers of the arms; `nil` when they fit the weights.
  private static func note(_ experiment: Experiment, _ customers: [Int]) -> String? {
    guard experiment.stopped == nil, !ChanceInterval.isLikely(customers, weights: experiment.arms.map(\.weight)) else { return nil }
    let counts = zip(experiment.arms, customers).map { arm, count in
      "\(arm.id) has \(Words.counted(count, "customer")) at a weight of \(NSDecimalNumber(value: arm.weight))"
    }
    return "The arms of \(experiment.id) do not fit their weights: \(counts.joined(separator: ", ")). Chance alone does this in fewer than "
      + "one of 1,000 experiments. Find the cause first, such as weights that changed, or an arm whose events are lost."
  }
}
