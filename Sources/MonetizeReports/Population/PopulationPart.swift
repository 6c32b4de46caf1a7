// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import MonetizeTools

/// The customers of a population with the same arms of experiments.
struct PopulationPart: Sendable {
  /// The catalog with the arms.
  let catalog: Catalog
  let plan: ForecastPlan
  /// The indices of the customers.
  let customers: [Int]
  /// The arms that these customers are exposed to.
  let arms: [(experiment: ExperimentID, arm: String)]

  /// How often a customer wants to use each feature besides credits, in a month or ever: all that is free without an assumption.
  var wanted: [(free: Decimal, paid: Decimal)] { plan.features.map { ($0.wantedUses, $0.uses.paid ?? $0.wantedUses) } }

  /// The id of a customer, which is also the name of the installation.
  static func id(of customer: Int) -> String { "c\(customer)" }

  /// The most combinations of arms: each has a catalog of its own.
  private static let most = 100

  /// The customers by their arms, the part of the first customer first.
  static func all(
    of catalog: Catalog, _ name: String, _ assumptions: ForecastAssumptions, _ options: Population.Options
  ) throws(ToolProblem) -> [PopulationPart] {
    var order: [[String?]] = []
    var groups: [[String?]: (arms: [(experiment: Experiment, arm: Experiment.Arm)], customers: [Int])] = [:]
    for customer in 0..<options.customers {
      // An account has the name of its installation.
      let unit = id(of: customer)
      let arms = options.arms == nil ? catalog.arms(installation: unit, account: unit, kept: FactSet()) : []
      let key = catalog.experiments.map { experiment in arms.first { $0.experiment.id == experiment.id }?.arm.id }
      if groups[key] == nil { order.append(key) }
      groups[key, default: (arms, [])].customers.append(customer)
    }
    guard order.count <= most else {
      throw ToolProblem(
        "These customers have \(Words.grouped(order.count)) combinations of arms, and a population plays at most \(most). "
          + "Give all customers the same arms, with --arm.")
    }
    var parts: [PopulationPart] = []
    for (arms, customers) in order.compactMap({ groups[$0] }) {
      let own = try Self.catalog(catalog, options.arms ?? arms.map(\.arm), options.overlays)
      var assumptions = assumptions
      assumptions.downloads = [customers.count]
      let plan = try ForecastPlan(own, name, assumptions)
      let exposed = arms.filter { $0.experiment.stopped == nil }.map { ($0.experiment.id, $0.arm.id) }
      parts.append(Self(catalog: try limited(own, assumptions.limit), plan: plan, customers: customers, arms: exposed))
    }
    return parts
  }

  /// The catalog as an app has it: without arms if they break a rule together.
  private static func catalog(_ base: Catalog, _ arms: [Experiment.Arm], _ overlays: [Overlay]) throws(ToolProblem) -> Catalog {
    if let catalog = try? base.applying(arms: arms, then: overlays) { return catalog }
    do throws(CatalogError) { return try base.applying(arms: [], then: overlays) } catch {
      throw ToolProblem("The overlays do not fit the catalog. \(error.diagnostics.first?.message ?? "")")
    }
  }

  /// The catalog with other free limits.
  private static func limited(_ catalog: Catalog, _ limits: [FeatureID: Int]) throws(ToolProblem) -> Catalog {
    if limits.isEmpty { return catalog }
    let grants = limits.map { "\(JSONWriter.quoted($0.key.rawValue)): { \"limit\": \($0.value) }" }.joined(separator: ", ")
    let overlay = #"{ "id": "limit", "patch": { "freeTier": { "grants": { \#(grants) } } } }"#
    do throws(CatalogError) { return try catalog.applying(Overlay(json: Data(overlay.utf8))) } catch {
      throw ToolProblem("The limits under \"limit\" do not fit the catalog. \(error.diagnostics.first?.message ?? "")")
    }
  }
}
