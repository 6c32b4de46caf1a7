// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import Testing

@Suite("The five apps in German and Japanese")
struct ShippedStringsTests {
  static let apps = ["maze-packs", "heatlab", "magical-stories", "dozzi", "maxs-puzzles"]

  private func strings(_ app: String, _ language: String) throws -> CatalogStrings {
    try CatalogStrings(json: Data(contentsOf: Screens.products.appendingPathComponent("strings/\(app)/\(language).json")))
  }

  @Test("Every text of every catalog is translated, and no table has an unknown text", arguments: apps, ["de", "ja"])
  func complete(app: String, language: String) throws {
    let (catalog, table) = (try Screens.catalog(app), try strings(app, language))
    #expect(table.language == Language(language))
    #expect(catalog.textsMissing(in: table) == [])
    #expect(try catalog.localized(by: table).language == table.language)
  }

  @Test("A translated paywall has no English left", arguments: ["maze-packs", "heatlab", "magical-stories", "dozzi"])
  func translated(app: String) throws {
    let catalog = try Screens.catalog(app)
    for language in ["de", "ja"] {
      let translated = try catalog.localized(by: strings(app, language))
      let snapshots = [catalog, translated].map { Screens.snapshot($0) }
      for placement in catalog.paywalls.keys {
        let screens = snapshots.compactMap { snapshot in
          snapshot.paywall(at: placement).map {
            PaywallScreen(of: $0, snapshot: snapshot, loading: .loaded(Screens.products(snapshot.catalog)))
          }
        }
        guard screens.count == 2 else { continue }
        for (english, other) in zip(screens[0].actions, screens[1].actions) { #expect(english.label != other.label) }
        for (english, other) in zip(screens[0].options, screens[1].options) {
          #expect(english.priceText != other.priceText || english.cadence == nil)
          #expect(english.note == nil || english.note != other.note)
          #expect(english.renewal == nil || english.renewal != other.renewal)
        }
        #expect(screens[0].options.map(\.price) == screens[1].options.map(\.price))
      }
    }
  }
}
