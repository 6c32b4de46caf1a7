// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeReports
import MonetizeTools

/// A catalog, and behind a line `---` another catalog or a log of events: what the tools compute from them.
enum ToolInput {
  static func run(_ input: Data) {
    let parts = input.parts
    guard let catalog = Catalog.validating(parts[0]).catalog else { return }
    documents(of: catalog, parts[0])
    reports(of: catalog)
    experiments(of: catalog)
    changes(from: parts[0], to: parts[0])
    guard parts.count > 1 else { return }
    if let log = try? EventLog(parts[1]) {
      for split in [Funnel.Split?.none, .child, .experiment] {
        let funnel = Funnel(log, catalog, by: split)
        _ = (funnel.text, funnel.json, funnel.html)
      }
      let replay = Replay(log, catalog, zone: .gmt)
      _ = (replay.text, replay.json, replay.html)
    }
    if let strings = try? CatalogStrings(json: parts[1]) {
      let lint = Lint().report(on: [LintFile(name: "catalog", json: parts[0], tables: [("strings", parts[1])])])
      _ = (strings.language, lint.text)
    }
    changes(from: parts[0], to: parts[1])
    changes(from: parts[1], to: parts[0])
  }

  private static func documents(of catalog: Catalog, _ json: Data) {
    let lint = Lint().report(on: [LintFile(name: "catalog", json: json)])
    _ = (lint.text, lint.json, lint.output(as: "sarif"), lint.output(as: "github"))
    let documents = [CatalogDocument.overview(of: catalog), .reviewNotes(of: catalog), .testFlight(of: catalog)]
    for document in documents + [try? CatalogDocument.privacy(of: json)].compactMap({ $0 }) {
      _ = (document.text, document.markdown, document.html, document.json)
    }
    _ = SwiftIds(catalog, file: "catalog").text
    for language: Language in ["de", "ja"] {
      guard let table = try? TranslationTable(of: catalog, in: language) else { continue }
      law(
        (try? TranslationTable(of: catalog, continuing: Data(table.text.utf8)))?.text == table.text,
        "a table continued without a change is another")
    }
    var file = StoreKitFile(appID: catalog.app.id)
    _ = file.update(from: catalog)
    law(file.differences(from: catalog).isEmpty, "a StoreKit file differs from the catalog that it was made from")
    guard let again = try? StoreKitFile(Data(file.text.utf8)) else { return law(false, "a StoreKit file that was written cannot be read") }
    law(again.differences(from: catalog).isEmpty, "a StoreKit file that is written and read differs from its catalog")
    _ = again.imported(appName: catalog.app.name)
  }

  private static func reports(of catalog: Catalog) {
    var options = Forecast.Options()
    options.months = 13
    if let forecast = try? Forecast(catalog, options) { _ = (forecast.text, forecast.json, forecast.html) }
    var few = Population.Options()
    (few.customers, few.months) = (3, 3)
    if let population = try? Population(catalog, few) {
      let funnel = Funnel(EventLog(population.events), catalog, by: .experiment)
      _ = (population.text, population.json, funnel.text, funnel.html)
    }
    let listings = catalog.products.compactMap { product in
      product.price.map { StoreProduct(id: product.id, displayName: product.name, displayPrice: "$\($0.amountText)", price: $0) }
    }
    let stage = PaywallStage(catalog: catalog, listings: listings, now: CatalogInput.start)
    for phase in PaywallScreen.Phase.allCases {
      for screen in stage.placements.compactMap({ stage.screen(at: $0, phase: phase) }) {
        _ = (screen.text, screen.json, screen.page(app: "App"))
      }
    }
  }

  private static func experiments(of catalog: Catalog) {
    for experiment in catalog.experiments {
      for arm in experiment.arms.prefix(3) where experiment.stopped ?? arm.id == arm.id {
        law((try? catalog.applying(arms: [arm])) != nil, "an arm of a valid catalog breaks a rule")
        if let diff = try? CatalogDiff(of: catalog, arms: [arm], applying: []) { _ = DiffReport(diff, old: "old", new: "new").text }
        let ended = Catalog.validating(catalog.json(endingExperimentsAt: [experiment.id: arm.id])).catalog
        law(ended?.experiments.first { $0.id == experiment.id }?.stopped ?? arm.id == arm.id, "an experiment ended at another arm")
        var all = Population.Options()
        (all.customers, all.months, all.arms) = (2, 1, [arm])
        if let population = try? Population(catalog, all) { _ = population.text }
      }
    }
  }

  private static func changes(from old: Data, to new: Data) {
    guard let diff = try? CatalogDiff(old: old, new: new) else { return }
    law(old != new || diff.changes.isEmpty, "a catalog differs from itself")
    let report = DiffReport(diff, old: "old", new: "new")
    _ = (report.text, report.markdown, report.json)
  }
}
