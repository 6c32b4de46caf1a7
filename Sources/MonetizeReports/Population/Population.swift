// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON
import MonetizeSimulator
public import MonetizeTools

/// Many customers who behave as is assumed, played through the simulated store: what a forecast computes, as single events.
public struct Population: ToolReport {
  /// The choices for a run.
  public struct Options: Sendable {
    /// How many customers download the app, all at the start; 1 to 1,000,000.
    public var customers = 1000
    /// For how many months, 1 to 120.
    public var months = 12
    /// The scenario of the catalog's `forecast`; the first without one.
    public var scenario: String?
    /// When they download it.
    public var start = Date(timeIntervalSince1970: 1_767_225_600)
    /// The seed of the random choices.
    public var seed: UInt64 = 1
    /// Whether features are used as well, or only the store is played.
    public var usesFeatures = true
    /// The arms that all customers have, in the order of the catalog's experiments; `nil` for each customer's own arms.
    public var arms: [Experiment.Arm]?
    /// The remote configuration of all customers, over their arms.
    public var overlays: [Overlay] = []

    /// A thousand customers for a year.
    public init() {}
  }

  let app: AppInfo
  let customers: Int
  /// The share of customers who pay, as assumed.
  private let conversion: Decimal
  /// The number of customers of each arm.
  let arms: [(experiment: ExperimentID, arm: String, customers: Int)]
  let currency: String
  let months: [PopulationRun.Month]
  let expected: [Projection.Month]
  let bands: [Projection.Band]
  /// All that happened, by time, for a log.
  public let events: [EventRecord]
  /// Always fine: the months stand beside the forecast's for a person to compare.
  public var status: ToolStatus { .fine }

  /// The catalog with the behaviour of a file as its only scenario: an object of the keys of a scenario in `forecast`.
  /// - Throws: `CatalogError` with every mistake in the catalog, at its place there; for a valid catalog, with every mistake in the
  ///   behaviour, at its place in the behaviour.
  public static func catalog(_ json: Data, behaviour: Data?) throws(CatalogError) -> Catalog {
    let own = try Catalog.validating(json).get()
    guard let behaviour else { return own }
    let how = try JSONDocument(catalog: behaviour).root
    let none = try JSONDocument(catalog: #"{ "forecast": null }"#.utf8).root
    let bare = try JSONDocument(catalog: JSONDocument(catalog: json).root.applying(mergePatch: none).utf8).root
    let patch = #"{ "forecast": { "behaviour": "# + String(decoding: behaviour, as: UTF8.self) + " } }"
    let text = bare.applying(mergePatch: try JSONDocument(catalog: patch.utf8).root)
    let catalog: Catalog
    do throws(CatalogError) { catalog = try Catalog.validating(Data(text.utf8)).get() } catch {
      throw CatalogError(diagnostics: error.diagnostics.filter { $0.severity == .error }.map { located($0, in: how) })
    }
    if let downloads = how.members.first(where: { $0.key == "downloads" }) {
      throw CatalogError(diagnostics: [
        Diagnostic(
          .error, "no-effect", path: "downloads", position: downloads.keyPosition,
          message: "All customers of a population download the app at the start. Remove \"downloads\"; --customers gives their number.")
      ])
    }
    return catalog
  }

  /// The path of a file's behaviour in the merged text, which is in no file.
  private static let place = "forecast.behaviour"

  /// A mistake of the merged text at its place in the behaviour.
  private static func located(_ mistake: Diagnostic, in behaviour: JSONValue) -> Diagnostic {
    let inside = mistake.path.hasPrefix(place) ? mistake.path.dropFirst(place.count) : ""
    let path = String(inside.hasPrefix(".") ? inside.dropFirst() : inside)
    let (value, key) = behaviour.innermost(at: path)
    let position = mistake.code == "unknown-key" ? key ?? value.position : value.position
    return Diagnostic(.error, mistake.code, path: path, position: position, message: mistake.message)
  }

  /// Plays customers.
  /// - Throws: `ToolProblem` when the catalog sells nothing, has no such scenario, or customers have more than 100 combinations of arms.
  /// - Complexity: O(n log n) in what happens.
  public init(_ catalog: Catalog, _ options: Options = Options()) throws(ToolProblem) {
    guard (1...1_000_000).contains(options.customers), (1...120).contains(options.months) else {
      throw ToolProblem("A population has 1 to 1000000 customers for 1 to 120 months.")
    }
    let found = catalog.forecasts.first { options.scenario == nil || $0.name == options.scenario }
    if found == nil, let wanted = options.scenario {
      throw ToolProblem("There is no scenario \"\(wanted)\" in the catalog's \"forecast\".")
    }
    var assumptions = found?.assumptions ?? ForecastAssumptions()
    assumptions.downloads = [options.customers]
    // Uses are played even without a cost.
    if assumptions.costOfOtherUses == nil { assumptions.costOfOtherUses = .init(free: 0) }
    let parts = try PopulationPart.all(of: catalog, found?.name ?? "published medians", assumptions, options)
    if !parts.contains(where: \.catalog.isMonetized) { try ForecastPlan.check(parts[0].catalog) }
    for part in parts { try Self.check(part.plan, options) }
    var run = PopulationRun(parts, months: options.months, start: options.start, seed: options.seed, uses: options.usesFeatures)
    try run.play()
    arms = catalog.experiments.flatMap { experiment in
      experiment.arms.compactMap { arm in
        let customers = parts.filter { $0.arms.contains { $0 == (experiment.id, arm.id) } }.reduce(0) { $0 + $1.customers.count }
        return customers == 0 ? nil : (experiment.id, arm.id, customers)
      }
    }
    // In an arm without monetization, no customer pays.
    conversion = parts.map { ($0.plan.conversion.low + $0.plan.conversion.high) / 2 }.max() ?? 0
    (app, customers, currency, months, events) = (catalog.app, options.customers, parts[0].plan.currency, run.months, run.events)
    let projection = Projection(parts.map(\.plan), months: options.months, from: options.start, runs: 100, seed: options.seed)
    (expected, bands) = (projection.expected, projection.payments)
  }

  /// Refuses what would take too long.
  private static func check(_ plan: ForecastPlan, _ options: Options) throws(ToolProblem) {
    if let feature = plan.features.first(where: { max($0.wantedUses, $0.uses.paid ?? 0) > 1000 }) {
      throw ToolProblem(
        "A population plays at most 1,000 uses of a feature a month. Give \"\(feature.id)\" fewer under \"uses\" in its behaviour.")
    }
    if options.usesFeatures, let product = plan.products.first(where: { ($0.credits?.values.max() ?? 0) > 10_000 }) {
      throw ToolProblem(
        "A population uses at most 10,000 credits of a purchase. Leave \"\(product.id)\" out with a 0 under \"mix\" in its behaviour.")
    }
  }

  /// The report for a person.
  public var text: String {
    let head = ["month", "payments", "forecast", "nine of ten runs", "gross (\(currency))", "refunds", "uses", "refused uses"]
    let rows = months.enumerated().map { index, month in
      [
        "\(index + 1)", Words.grouped(month.payments), Forecast.money(Decimal(expected[index].payments), 1),
        "\(Forecast.money(Decimal(bands[index].low), 0)) to \(Forecast.money(Decimal(bands[index].high), 0))", Forecast.money(month.gross),
        Words.grouped(month.refunds), Words.grouped(month.uses), Words.grouped(month.denials),
      ]
    }
    return "\(app.name): \(Words.counted(customers, "customer")), \(Words.counted(events.count, "event"))\n\n"
      + TextTable.titled("Months", [head] + rows, hasNumbers: true)
      + (arms.isEmpty ? "" : "\n" + TextTable.titled("Arms", [["experiment", "arm", "customers"]] + rowsOfArms, hasNumbers: true))
      + (limitsOfArms.isEmpty ? "" : "\n" + limitsOfArms.joined())
  }

  private var rowsOfArms: [[String]] { arms.map { [$0.experiment.rawValue, $0.arm, Words.grouped($0.customers)] } }

  /// What each experiment can show with these numbers of customers, in sentences.
  private var limitsOfArms: [String] {
    let experiments = Dictionary(grouping: arms) { $0.experiment }.sorted { $0.key < $1.key }
    return experiments.compactMap { experiment, arms in
      let counts = arms.map(\.customers).sorted()
      guard counts.count > 1, conversion > 0, conversion < 1 else { return nil }
      let visible = ChanceInterval.smallestVisible(above: conversion.double, in: (counts[0], counts[1]))
      return "\(experiment): if \(Words.percent(conversion)) of the customers of one arm pay, "
        + (visible.map { "a difference shows from \(Words.percent($0)) of another on, in 80 of 100 experiments.\n" }
          ?? "no difference shows: the arms have too few customers.\n")
    }
  }

  /// The report for a program: a list of months.
  public var json: String {
    ToolJSON.text(
      months.enumerated().map { index, month -> ToolObject in
        [
          "month": index + 1, "payments": month.payments, "expected": (expected[index].payments * 100).rounded() / 100,
          "band": [bands[index].low, bands[index].high], "gross": Forecast.money(month.gross), "refunds": month.refunds,
          "uses": month.uses, "refused": month.denials,
        ]
      })
  }
}
