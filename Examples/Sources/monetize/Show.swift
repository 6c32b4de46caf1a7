// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools
import TerminalLine

/// The documents about a catalog.
enum ShowDocument: String, ExpressibleByArgument, CaseIterable {
  case overview
  case reviewNotes = "review-notes"
  case privacy, testflight
}

/// The format of a document.
enum ShowFormat: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, html }

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows products with prices, the free tier, and what each product adds.",
    discussion: """
      Each column is a customer with nothing, or with one product. Products that grant the same share a column.
      – means not included, and "later" means in a later release.
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Flag(help: "Show ids instead of names.")
  var ids = false

  @Flag(help: "The steps of the first start.")
  var onboarding = false

  @Option(name: .customLong("as"), help: ArgumentHelp("overview, or a document: review-notes, privacy, testflight.", valueName: "document"))
  var document = ShowDocument.overview

  @OptionGroup var variant: VariantOptions

  @Option(help: "text, json (of the overview), markdown or html.")
  var format = ShowFormat.text

  /// The maximum number of kinds of customers. Each column costs time proportional to the products, and people do not read more.
  static let mostColumns = 100

  func run() throws {
    let input = try InputFile(file)
    let catalog = try variant.applied(to: input.catalog(), from: input)
    if onboarding, document != .overview { throw ToolProblem("--onboarding and --as are two drawings. Write one of them.") }
    if document == .privacy, let option = variant.first {
      throw ToolProblem("The privacy document is the same for all customers. Remove \(option).")
    }
    if onboarding { return try draw(OnboardingDrawing(of: catalog, ids: ids)) }
    if document != .overview || format == .markdown || format == .html { return try print(catalog, input.data) }
    if format == .json {
      return Terminal.report(ToolJSON.text(report(catalog, AccessTable(of: catalog, most: Self.mostColumns))))
    }
    let table = AccessTable(of: catalog, most: 6)
    let words = CatalogWords(catalog, ids: ids)
    Terminal.line(Style.output.bold(catalog.app.name) + "  \(catalog.app.id)")
    for collection in catalog.collections {
      let parts = collection.parts.isEmpty ? "" : " × \(collection.parts.joined(separator: ", "))"
      Terminal.line("  \(ids ? collection.id.rawValue : collection.title): \(CatalogWords.counted(collection.items.count, "item"))\(parts)")
    }
    if !catalog.products.isEmpty {
      Terminal.line("\n" + Style.output.bold("Products"))
      Terminal.line(Terminal.table(catalog.products.map { [words.product($0.id), words.terms($0)] }))
    }
    Terminal.line("\n" + Style.output.bold("Features"))
    Terminal.line(features(catalog, words, table))
    if table.hidden > 0 { Terminal.line(Style.output.dim("  and \(CatalogWords.counted(table.hidden, "more column"))")) }
    printPaywalls(catalog, words)
  }

  private func draw(_ drawing: OnboardingDrawing) throws {
    switch format {
    case .text: Terminal.report(drawing.text)
    case .json: Terminal.report(drawing.json)
    case .markdown, .html: throw ToolProblem("A drawing of the onboarding is text or JSON. Write --format text or json.")
    }
  }

  private func print(_ catalog: Catalog, _ json: Data) throws {
    let page =
      switch document {
      case .overview: CatalogDocument.overview(of: catalog)
      case .reviewNotes: CatalogDocument.reviewNotes(of: catalog)
      case .privacy: try CatalogDocument.privacy(of: json)
      case .testflight: CatalogDocument.testFlight(of: catalog)
      }
    if format == .json { throw ToolProblem("A document has no JSON. Write --format text, markdown or html.") }
    try page.show(format)
  }

  private func features(_ catalog: Catalog, _ words: CatalogWords, _ table: AccessTable) -> String {
    let width = LineReader.width(of: 1)
    let heads = table.columns.dropFirst().map { column in
      let names = column.products.map { words.product($0.id) }
      return ["with \(names[0])"] + (names.count == 2 ? ["or \(names[1])"] : names.count > 2 ? ["or \(names.count - 1) others"] : [])
    }
    let rows = catalog.features.indices.map { row in
      let texts = table.columns.map { $0.cells[row].text }
      // What a product does not change is dim.
      return [words.feature(catalog.features[row].id), texts[0]] + texts.dropFirst().map { $0 == texts[0] ? Style.output.dim($0) : $0 }
    }
    let wide = [["", catalog.freeTierTitle] + heads.map { $0.joined(separator: " ") }] + rows
    let narrow = [["", catalog.freeTierTitle] + heads.map { $0[0] }, ["", ""] + heads.map { $0.count > 1 ? $0[1] : "" }] + rows
    return Terminal.table(Terminal.isWide(wide, width: width) ? narrow : wide, keeping: 2, within: width)
  }

  private func printPaywalls(_ catalog: Catalog, _ words: CatalogWords) {
    guard !catalog.paywalls.isEmpty else { return }
    Terminal.line("\n" + Style.output.bold("Paywalls"))
    let rows = catalog.paywalls.keys.map(\.rawValue).sorted().compactMap { name -> [String]? in
      guard let paywall = catalog.paywall(PlacementID(name)) else { return nil }
      let title = [paywall.title, paywall.headline].compactMap { $0 }.joined(separator: ": ")
      let actions = (paywall.actions ?? PaywallDefinition.usualActions).map { paywall.labels?[$0.rawValue] ?? $0.rawValue }
      let products = paywall.products.map { $0.map(words.product).joined(separator: ", ") }
      return [name, "“\(title)”", products.map { "offers \($0)" } ?? "", actions.isEmpty ? "" : "can: \(actions.joined(separator: ", "))"]
        .filter { !$0.isEmpty }
    }
    Terminal.line(Terminal.table(rows))
  }

  // MARK: JSON

  private func report(_ catalog: Catalog, _ table: AccessTable) -> ToolObject {
    let free = Snapshot(of: CustomerState(), catalog: catalog, at: Date(timeIntervalSince1970: 1_772_366_400))
    let collections = catalog.collections.map {
      ["id": $0.id, "title": $0.title, "items": $0.items.count, "parts": $0.parts] as ToolObject
    }
    let features = catalog.features.enumerated().map { row, feature -> ToolObject in
      let cells = table.columns.flatMap { column in column.products.map { ($0.id.rawValue, column.cells[row]) } }
      return [
        "id": feature.id, "title": feature.title, "description": Self.description(feature, free), "free": table.columns[0].cells[row],
        "with": ToolObject(cells),
      ]
    }
    return [
      "app": catalog.app.id, "kinds": Set(catalog.products.map(\.kindName)).sorted(), "collections": collections,
      "products": catalog.products.map(Self.object), "features": features,
    ]
  }

  private static func object(_ product: CatalogProduct) -> ToolObject {
    func price(_ money: Money?) -> ToolObject? { money.map { ["amount": $0.amountText, "currency": $0.currency] } }
    let offer = product.subscription?.introductoryOffer.map { offer -> ToolObject in
      ["mode": offer.mode.rawValue, "period": offer.period.description, "periods": offer.periods, "price": price(offer.price)]
    }
    let credits = ToolObject(product.credits.map { ($0.key.rawValue, $0.value) })
    return [
      "id": product.id, "kind": product.kindName, "name": product.name, "referencePrice": price(product.price),
      "period": product.kind.length?.description, "group": product.subscription?.group, "level": product.subscription?.level,
      "onSale": product.isOnSale, "familyShareable": product.isFamilyShareable, "introductoryOffer": offer,
      "credits": product.credits.isEmpty ? nil : credits,
    ]
  }

  /// A feature's description with its limit filled in, so that the text matches the catalog.
  private static func description(_ feature: Feature, _ snapshot: Snapshot) -> String? {
    let whole = feature.part?.whole ?? feature.id
    let limit = snapshot.decision(for: whole).limit.map(String.init) ?? "unlimited"
    return feature.description?.replacingOccurrences(of: "{limit}", with: limit)
  }
}
