// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeReports
import MonetizeSimulator

struct PaywallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paywall",
    abstract: "Shows the screen of a paywall: its products, prices and texts.",
    discussion: """
      Prices are those of the simulated store, which uses the catalog's. Without --placement and --feature, shows the placement "default". \
      With --out, writes a page for each placement, phase and language.

      EXAMPLES
        monetize paywall Products/maze-packs.json --feature story.play --item denny/4
        monetize paywall Products/magical-stories.json --language de --format html > paywall.html
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: "The placement to open.")
  var placement: String?

  @Option(help: "The feature whose denial leads to the paywall.")
  var feature: String?

  @Option(help: "The item in question: collection/item or collection/item/part.")
  var item: String?

  @Option(help: "loading, failed, ready, buying, waitingForApproval or done.")
  var phase = "ready"

  @Option(help: "The selected product: its id, or the end of it.")
  var select: String?

  @Option(help: "The language of the texts, from strings/<catalog>/<language>.json beside the catalog.")
  var language: String?

  @Option(help: "text, json or html.")
  var format = PageFormat.text

  @Option(help: "A folder to write pages to, one for each placement, phase and language.", completion: .directory)
  var out: String?

  func run() async throws {
    let base = try InputFile(file).catalog()
    guard let phase = PaywallScreen.Phase(rawValue: phase) else {
      throw Problem(
        "--phase: There is no phase \"\(phase)\". Write \(PaywallScreen.Phase.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    if let out { return try await write(base, to: URL(fileURLWithPath: out)) }
    let stage = try await stage(language.map { try localized(base, $0) } ?? base)
    let selected = try select.map { ProductID(try NameChoice.one($0, of: stage.catalog.products.map(\.id.rawValue), "product")) }
    guard let screen = try screen(stage, phase, selected) else { return }
    switch format {
    case .text: Terminal.line(String(screen.text.dropLast()))
    case .json: Terminal.line(String(screen.json.dropLast()))
    case .html: Terminal.line(String(screen.page(app: stage.catalog.app.name).dropLast()))
    }
  }

  private func screen(_ stage: PaywallStage, _ phase: PaywallScreen.Phase, _ selected: ProductID?) throws -> PaywallScreen? {
    if let feature {
      let name =
        try stage.catalog.feature(FeatureID(feature))?.id.rawValue
        ?? NameChoice.one(feature, of: stage.catalog.features.map(\.id.rawValue), "feature")
      let id = FeatureID(name)
      let request = AccessRequest(id, item: item.map { ItemPath(stringLiteral: $0) })
      if let screen = stage.screen(for: request, phase: phase, selected: selected) { return screen }
      let decision = stage.decision(for: request)
      throw Problem("\(id) leads to no paywall: \(decision.text(for: stage.catalog.feature(id), zone: Calendar.storeCalendar.timeZone))")
    }
    let id = try placement.map { PlacementID(try NameChoice.one($0, of: stage.placements.map(\.rawValue), "placement")) } ?? .default
    if let screen = stage.screen(at: id, phase: phase, selected: selected) { return screen }
    throw Problem(
      stage.catalog.products.isEmpty
        ? "The catalog sells nothing, so there is no paywall." : "The catalog has no paywall at \"\(id)\". Add one under \"paywalls\".")
  }

  private func stage(_ catalog: Catalog) async throws -> PaywallStage {
    let now = Date()
    let store = SimulatedStore(catalog: catalog, start: now)
    // A product without a price has no price to show: a store does not list it.
    let listings = try await store.device().products(for: catalog.products.filter { $0.isOnSale && $0.price != nil }.map(\.id))
    return PaywallStage(catalog: catalog, listings: listings, now: now)
  }

  // MARK: Languages and pages

  private var tables: URL {
    let catalog = URL(fileURLWithPath: file)
    return catalog.deletingLastPathComponent().appendingPathComponent("strings/\(catalog.deletingPathExtension().lastPathComponent)")
  }

  private func localized(_ catalog: Catalog, _ language: String) throws -> Catalog {
    if language == catalog.language.rawValue { return catalog }
    let table = try InputFile(tables.appendingPathComponent("\(language).json").path)
    do throws(CatalogError) { return try catalog.localized(by: CatalogStrings(json: table.data)) } catch {
      table.report(error.diagnostics)
      throw ExitCode.no
    }
  }

  private func write(_ base: Catalog, to folder: URL) async throws {
    let others = ((try? FileManager.default.contentsOfDirectory(atPath: tables.path)) ?? []).filter { $0.hasSuffix(".json") }
    let languages = [base.language.rawValue] + others.map { String($0.dropLast(5)) }.sorted()
    var written = 0
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for language in self.language.map({ [$0] }) ?? languages {
        let stage = try await stage(try localized(base, language))
        for placement in stage.placements {
          for phase in PaywallScreen.Phase.allCases {
            guard let screen = stage.screen(at: placement, phase: phase) else { continue }
            let name = "\(placement)-\(phase.rawValue)-\(language).html"
            try Data(screen.page(app: base.app.name).utf8).write(to: folder.appendingPathComponent(name))
            written += 1
          }
        }
      }
    } catch is CocoaError {
      throw Problem("\(folder.path) cannot be written. Name a folder that can be made here, or one that exists and is writable.")
    }
    Terminal.line("\(CatalogWords.counted(written, "page")) in \(folder.path)")
  }
}

/// The formats of a page.
enum PageFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, html
}
