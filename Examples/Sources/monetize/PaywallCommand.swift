// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeReports
import MonetizeSimulator
import MonetizeTools

struct PaywallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paywall",
    abstract: "Shows the screen of a paywall: its products, prices and texts.",
    discussion: """
      The customer has the products of --owned, has used the amounts of --used, and has the facts of --state. Prices are those of the \
      simulated store, which uses the catalog's. Without --placement and --feature, shows the placement "default". \
      With --out, writes a page for each placement, for the first locked item of each collection, for each phase and language.

      EXAMPLES
        monetize paywall Products/maze-packs.json --feature story.play --item denny/4
        monetize paywall Products/magical-stories.json --owned monthly \\
          --placement settings
        monetize paywall Products/magical-stories.json --language de \\
          --format html > paywall.html
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: "The placement to open.")
  var placement: String?

  @Option(help: "The feature whose denial leads to the paywall.")
  var feature: String?

  @Option(help: "The item in question: collection/item or collection/item/part.")
  var item: String?

  @Option(help: "loading, failed, ready, buying, waitingForApproval or done. Default: ready.")
  var phase: String?

  @Option(help: ArgumentHelp("The selected product: its id, an end of it, or its name.", valueName: "product"))
  var select: String?

  @Option(help: "The language of the texts, from strings/<catalog>/<language>.json beside the catalog.")
  var language: String?

  @OptionGroup var customer: CustomerOptions
  @OptionGroup var variant: VariantOptions

  @Option(help: ArgumentHelp("The time of the question, such as 2026-03-01T12:00:00Z. Default: now.", valueName: "time"))
  var at: String?

  @Option(help: "text, json or html. Default: text.")
  var format: ReportFormat?

  @Option(
    help: ArgumentHelp("A folder to write pages to, one for each placement, phase and language.", valueName: "folder"),
    completion: .directory)
  var out: String?

  func run() async throws {
    try checkOptions()
    let input = try InputFile(file)
    let base = try input.catalog()
    let now = try at.map { try ToolOption.time($0, in: Calendar.storeCalendar.timeZone) } ?? Date()
    if let out { return try await write(base, to: URL(fileURLWithPath: out), now, from: input) }
    let phase = try phase.map(Self.phase) ?? .ready
    let stage = try await stage(language.map { try localized(base, $0) } ?? base, now, from: input)
    let selected = try select.map { name in
      let offered = try input.answering { try self.screen(stage, .ready, nil) }.options.map(\.id.rawValue)
      let names = Dictionary(base.products.map { ($0.id.rawValue, [$0.name]) }) { first, _ in first }
      return ProductID(try NameChoice("product", offered, others: names).one(name, missing: "This paywall has no product"))
    }
    let screen = try input.answering { try self.screen(stage, phase, selected) }
    guard screen.phase == phase else {
      throw ToolProblem("This paywall is never \(phase.rawValue): nothing that it offers can be owned. It stays \(screen.phase.rawValue).")
    }
    switch format ?? .text {
    case .text: Terminal.report(screen.text)
    case .json: Terminal.report(screen.json)
    case .html: Terminal.report(screen.page(app: stage.catalog.app.name))
    }
  }

  /// Refuses options that would have no effect.
  private func checkOptions() throws {
    if item != nil, feature == nil { throw ToolProblem("--item needs --feature: the feature whose denial leads to the paywall.") }
    if placement != nil, feature != nil { throw ToolProblem("--placement and --feature: write one of them.") }
    let one = [
      ("--placement", placement != nil), ("--feature", feature != nil), ("--item", item != nil), ("--phase", phase != nil),
      ("--select", select != nil), ("--format", format.map { $0 != .html } ?? false),
    ]
    if out != nil, let name = one.first(where: \.1)?.0 {
      throw ToolProblem("--out writes the HTML pages of all placements and phases. Remove \(name).")
    }
  }

  private static func phase(_ name: String) throws -> PaywallScreen.Phase {
    guard let phase = PaywallScreen.Phase(rawValue: name) else {
      throw ToolProblem(
        "--phase: There is no phase \"\(name)\". Write \(PaywallScreen.Phase.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return phase
  }

  private func screen(_ stage: PaywallStage, _ phase: PaywallScreen.Phase, _ selected: ProductID?) throws -> PaywallScreen {
    if let feature {
      let id = FeatureID(try NameChoice.features(of: stage.catalog).one(feature))
      let request = AccessRequest(id, item: item.map { ItemPath(stringLiteral: $0) })
      if let screen = stage.screen(for: request, phase: phase, selected: selected) { return screen }
      let decision = stage.decision(for: request)
      let locked = item == nil ? stage.itemRequests.first { $0.feature == id }?.item : nil
      let used = decision.limit.map { " --used \(id)=\($0) shows the paywall of a limit that is used up." } ?? ""
      let hint = locked.map { " Name an item with --item, such as \($0)." } ?? used
      let reason = decision.text(for: stage.catalog.feature(id), zone: Calendar.storeCalendar.timeZone)
      throw ToolProblem("\(id) leads to no paywall. \(reason)\(hint)")
    }
    let id = try placement.map { PlacementID(try NameChoice("placement", stage.catalog.allPlacements).one($0)) } ?? .default
    if let screen = stage.screen(at: id, phase: phase, selected: selected) { return screen }
    if stage.catalog.products.isEmpty {
      throw ToolProblem(
        Diagnostic(
          .error, "no-products", path: "products", position: nil,
          message: "The catalog sells nothing, so there is no paywall. Add a product."))
    }
    let why = customer.owned.isEmpty && customer.state == nil ? ": none of its products is sold now" : " to a customer who owns this"
    throw ToolProblem("The paywall \"\(id)\" has nothing to sell\(why).")
  }

  private func stage(_ base: Catalog, _ now: Date, from input: InputFile) async throws -> PaywallStage {
    let catalog = try variant.applied(to: base, from: input)
    let known = try customer.stateFile()?.facts(in: catalog, at: now)
    let now = known?.date ?? now
    let store = SimulatedStore(catalog: catalog, start: now)
    // A product without a price has no price to show: a store does not list it.
    var listings = try await store.device().products(for: catalog.products.filter { $0.isOnSale && $0.price != nil }.map(\.id))
    let bought = try customer.assumed.purchases(in: catalog, at: now)
    let facts = (known?.facts ?? []) + bought.map(Fact.transaction)
    let uses = try customer.assumed.uses(in: Snapshot(of: CustomerState(facts), catalog: catalog, at: now))
    // A customer has one introductory offer in each group, and used it with the first plan that has one.
    let used = Set(bought.compactMap { catalog.product($0.productID)?.subscription }.filter { $0.introductoryOffer != nil }.map(\.group))
    for (index, listing) in listings.enumerated() where catalog.product(listing.id)?.subscription.map({ used.contains($0.group) }) ?? false
    {
      listings[index].introductoryOffer = nil
    }
    // A customer who has left may use the offers to come back of that plan.
    let left = try AssumedCustomer(ended: customer.ended).purchases(in: catalog, at: now).map(\.productID)
    for index in listings.indices where left.contains(listings[index].id) {
      for offer in listings[index].offers.indices where listings[index].offers[offer].offer.type == .winBack {
        listings[index].offers[offer].eligibility = .eligible
      }
    }
    return PaywallStage(catalog: catalog, listings: listings, facts: facts + uses, now: now)
  }

  // MARK: Languages and pages

  private var tables: URL {
    let catalog = URL(fileURLWithPath: file)
    return catalog.deletingLastPathComponent().appendingPathComponent("strings/\(catalog.deletingPathExtension().lastPathComponent)")
  }

  /// The languages with a table, by the names of the files.
  private var languages: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: tables.path)) ?? []).filter { $0.hasSuffix(".json") }
      .map { String($0.dropLast(5)) }.sorted()
  }

  /// The catalog in a language, or in the language without a region: `de` for `de-AT`.
  private func localized(_ catalog: Catalog, _ wanted: String) throws -> Catalog {
    let known = languages + [catalog.language.rawValue]
    guard let language = Language.match([Language(wanted)], in: known.map(Language.init(rawValue:)))?.rawValue else {
      let missing = tables.appendingPathComponent("\(wanted).json").path
      throw ToolProblem(
        "--language: There are no texts in \"\(wanted)\": \(missing) is missing. Write \(known.sorted().joined(separator: ", ")).")
    }
    if language == catalog.language.rawValue { return catalog }
    let table = try InputFile(tables.appendingPathComponent("\(language).json").path, expecting: .texts)
    return try table.answering { try catalog.localized(by: CatalogStrings(json: table.data, of: catalog, file: table.path)) }
  }

  private func write(_ base: Catalog, to folder: URL, _ now: Date, from input: InputFile) async throws {
    var written = 0
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for language in self.language.map({ [$0] }) ?? [base.language.rawValue] + languages {
        let stage = try await stage(try localized(base, language), now, from: input)
        for phase in PaywallScreen.Phase.allCases {
          for (name, screen) in screens(stage, phase) where screen.phase == phase {
            let file = "\(name)-\(phase.rawValue)-\(language).html".replacingOccurrences(of: "/", with: "-")
            try Data(screen.page(app: base.app.name).utf8).write(to: folder.appendingPathComponent(file))
            written += 1
          }
        }
      }
    } catch is CocoaError {
      throw ToolProblem("\(folder.path) cannot be written. Name a folder that can be made here, or one that exists and is writable.")
    }
    Terminal.line("\(CatalogWords.counted(written, "page")) in \(folder.path)")
  }

  /// The screens of all placements, and those of a tapped item of each collection.
  private func screens(_ stage: PaywallStage, _ phase: PaywallScreen.Phase) -> [(name: String, screen: PaywallScreen)] {
    let opened = stage.placements.compactMap { id in stage.screen(at: id, phase: phase).map { (id.rawValue, $0) } }
    let tapped = stage.itemRequests.compactMap { request in
      stage.screen(for: request, phase: phase).map { ("\(request.feature)-\(request.item.map { "\($0)" } ?? "")", $0) }
    }
    return opened + tapped
  }
}
