// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeTools

/// The arms of experiments that a customer has.
struct ArmOptions: ParsableArguments {
  @Option(
    name: .customLong("arm"),
    help: ArgumentHelp("An arm of an experiment that the customer has. May be repeated.", valueName: "experiment=arm"))
  var choices: [String] = []

  /// The named arms by experiment.
  func byExperiment(of catalog: Catalog) throws -> [ExperimentID: Experiment.Arm] {
    var arms: [ExperimentID: Experiment.Arm] = [:]
    for choice in choices {
      let parts = choice.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ToolProblem("--arm: \"\(choice)\" is no arm. Write experiment=arm, for example \(Self.example(catalog)).")
      }
      let id = ExperimentID(try NameChoice("experiment", catalog.experiments.map(\.id.rawValue)).one(parts[0]))
      let known = catalog.experiments.first { $0.id == id }?.arms ?? []
      let name = try NameChoice("arm of \"\(id)\"", known.map(\.id)).one(parts[1])
      if let other = arms[id] {
        throw ToolProblem("--arm: A customer has one arm of \(id), not \(other.id) and \(name). Remove one of them.")
      }
      arms[id] = known.first { $0.id == name }
    }
    return arms
  }

  /// The JSON of a valid catalog in which all customers have the named arms.
  func json(of catalog: Catalog) throws -> Data {
    let json = catalog.json(endingExperimentsAt: try byExperiment(of: catalog).mapValues(\.id))
    // An arm of all customers can set a value that another experiment sets for the customers of its own part of a namespace.
    if !choices.isEmpty, case let reading = Catalog.validating(json), reading.catalog == nil {
      let mistakes = reading.diagnostics.filter { $0.severity == .error }.map(\.message)
      throw ToolProblem("--arm: Not all customers can have this arm. \(mistakes.first ?? "") Name an arm of the other experiment as well.")
    }
    return json
  }

  private static func example(_ catalog: Catalog) -> String {
    guard let experiment = catalog.experiments.first, let arm = experiment.arms.last else { return "cta=b" }
    return "\(experiment.id)=\(arm.id)"
  }
}

/// The variant of a catalog that a customer has: arms of experiments, and remote configuration over them.
struct VariantOptions: ParsableArguments {
  @OptionGroup var arms: ArmOptions

  @Option(
    help: ArgumentHelp(
      "A list of overlays, as an app fetches it. All apply, whatever their share of the customers.", valueName: "overlays"),
    completion: .file(extensions: ["json"]))
  var overlay: String?

  /// The variant in words, such as `price=high`.
  var name: String { (arms.choices + [overlay].compactMap(\.self)).joined(separator: ", ") }

  /// The option that makes this another catalog than that of the file; `nil` without one.
  var first: String? { arms.choices.isEmpty ? overlay.map { _ in "--overlay" } : "--arm" }

  /// The catalog as a customer with this variant has it.
  func applied(to catalog: Catalog, from source: InputFile) throws -> Catalog {
    let arms = try arms(of: catalog)
    let catalog = try source.answering { try catalog.applying(arms: arms) }
    return try withOverlays { try $0.reduce(catalog) { try $0.applying($1) } }
  }

  /// The changes for a customer with this variant.
  func changes(of catalog: Catalog, from source: InputFile) throws -> CatalogDiff {
    let arms = try arms(of: catalog)
    // A mistake in the arms is one of the catalog's file.
    _ = try source.answering { try catalog.applying(arms: arms) }
    return try withOverlays { try CatalogDiff(of: catalog, arms: arms, applying: $0) }
  }

  /// The overlays; none without the option.
  func overlays() throws -> [Overlay] { try withOverlays { $0 } }

  /// Works with the overlays. A mistake is one of their file.
  private func withOverlays<Result>(_ work: ([Overlay]) throws -> Result) throws -> Result {
    guard let overlay else { return try work([]) }
    let file = try InputFile(overlay, expecting: .overlays)
    return try file.answering { try work(Overlay.list(json: file.data)) }
  }

  /// The named arms, in the order of the experiments.
  func arms(of catalog: Catalog) throws -> [Experiment.Arm] {
    let arms = try arms.byExperiment(of: catalog)
    return catalog.experiments.compactMap { arms[$0.id] }
  }
}
