// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@Suite("Documents of show", .timeLimit(.minutes(30)))
struct DocumentTests {
  static func catalog(_ name: String) throws -> Catalog { try Catalog(json: Data(ToolFixtures.shipped(name).utf8)) }

  @Test("Features × tiers with prices, limits and offers, as text and as Markdown", arguments: ToolFixtures.shipped)
  func overview(_ name: String) throws {
    let page = CatalogDocument.overview(of: try Self.catalog(name))
    try ToolFixtures.expectGolden(page.text + "\n" + page.markdown, "show-\(name).txt")
  }

  @Test("HTML is one self-contained page, light and dark, and escapes names") func html() throws {
    let text = try ToolFixtures.replacing(
      "Denny's Stories\", \"cover\"", "<script>alert(1)</script>\", \"cover\"", in: ToolFixtures.shipped("maze-packs")
    )
    .replacingOccurrences(of: "\"name\": \"Denny's Stories\"", with: "\"name\": \"<b>&\\\"\"")
    let html = CatalogDocument.overview(of: try Catalog(json: Data(text.utf8))).html
    #expect(html.contains("&lt;b&gt;&amp;&quot;") && !html.contains("<b>") && !html.contains("<script"))
    #expect(html.contains("prefers-color-scheme: dark") && !html.contains("http"))
    try ToolFixtures.expectGolden(CatalogDocument.overview(of: Self.catalog("heatlab")).html, "show-heatlab.html")
  }

  @Test("MAZE-37, HEAT-42, DOZZI-48: notes for App Review", arguments: ToolFixtures.shipped)
  func reviewNotes(_ name: String) throws {
    try ToolFixtures.expectGolden(CatalogDocument.reviewNotes(of: try Self.catalog(name)).text, "review-notes-\(name).txt")
  }

  @Test("MAZE-37: the pack's id, its price, that it is bought once, and story 4, gate, paywall") func maze() throws {
    let text = CatalogDocument.reviewNotes(of: try Self.catalog("maze-packs")).text
    for words in ["com.example.mazes.pack.denny", "9.99 USD", "one-time"] { #expect(text.contains(words), "\(words)") }
    for document in [text, CatalogDocument.testFlight(of: try Self.catalog("maze-packs")).text] {
      let places = ["(denny/4)", "The parental gate appears", "The paywall", "Buy with"].map { document.range(of: $0)?.lowerBound }
      #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(document)")
    }
  }

  @Test("HEAT-41, DOZZI-47: privacy labels list the catalog's collected data, and none if it sends nothing")
  func privacy() throws {
    let dozzi = try CatalogDocument.privacy(of: Data(ToolFixtures.shipped("dozzi").utf8)).text
    for label in ["Purchase History", "User ID", "Product Interaction"] { #expect(dozzi.contains(label)) }
    for label in ["Location", "Contact", "Name  "] { #expect(!dozzi.contains(label)) }
    let heatlab = try ToolFixtures.shipped("heatlab")
    #expect(try CatalogDocument.privacy(of: Data(heatlab.utf8)).text.contains("Data Not Collected"))
    let sending = try ToolFixtures.patched(heatlab, #"{ "events": { "sinks": ["firstParty"] } }"#)
    #expect(try CatalogDocument.privacy(of: Data(sending.utf8)).text.contains("Product Interaction"))
    let local = try ToolFixtures.patched(heatlab, #"{ "events": { "sinks": ["local"] } }"#)
    #expect(try CatalogDocument.privacy(of: Data(local.utf8)).text.contains("Data Not Collected"))
    try ToolFixtures.expectGolden(dozzi, "privacy-dozzi.txt")
  }

  @Test("HEAT-39, MAZE-24: the privacy page promises nothing that lint finds broken")
  func brokenPromises() throws {
    func page(_ name: String, _ patch: String) throws -> String {
      try CatalogDocument.privacy(of: Data(ToolFixtures.patched(ToolFixtures.shipped(name), patch).utf8)).text
    }
    let kids = try page("maze-packs", #"{ "privacy": { "tracking": true, "ads": "behavioral" } }"#)
    #expect(kids.contains("NOT MET: For children") && kids.contains("(kids-ads and kids-tracking of monetize lint)"), "\(kids)")
    let health = try page("heatlab", #"{ "sync": { "merge": { "heartRate": "max" } } }"#)
    #expect(health.contains("NOT MET: Health values") && health.contains("(health-data of monetize lint)"), "\(health)")
    #expect(try !page("heatlab", "{}").contains("NOT MET") && !page("maze-packs", "{}").contains("NOT MET"))
  }

  @Test("The overview lists the offers that only some customers have")
  func offers() throws {
    let offer =
      #"{ "type": "promotional", "id": "back", "mode": "payUpFront", "period": "P3M", "price": { "amount": "9.99", "currency": "USD" } }, "#
    var text = try ToolFixtures.shipped("heatlab")
    let list = try #require(text.range(of: #""offers": ["#))
    text.insert(contentsOf: offer, at: list.upperBound)
    let page = CatalogDocument.overview(of: try Catalog(json: Data(text.utf8))).text
    #expect(page.contains("4.99 USD a month; promotional offer “back”: 3 months for 9.99 USD"), "\(page)")
  }

  @Test("A tip is listed with its price for each time, and has no column, because it gives nothing")
  func tips() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "s": { "title": "S" } },
        "products": [{ "kind": "nonConsumable", "id": "p", "name": "Pro", "price": { "amount": "4.99", "currency": "USD" }, "grants": { "s": true } },
          { "kind": "consumable", "id": "c", "name": "Coffee", "price": { "amount": "0.99", "currency": "USD" } }] }
      """#
    let page = CatalogDocument.overview(of: try Catalog(json: Data(json.utf8))).text
    #expect(page.contains("0.99 USD each time") && page.contains("With Pro") && !page.contains("With Coffee"), "\(page)")
  }

  @Test("Documents of a catalog without texts: no empty heading, a paywall without a name, credits and tips in their own words")
  func withoutTexts() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "edit": { "title": "Edits", "allowance": "count", "per": "day" } },
        "freeTier": { "grants": { "edit": 2 } },
        "products": [{ "kind": "consumable", "id": "c", "name": "Ten", "credits": { "edit": 10 } }, { "kind": "consumable", "id": "t", "name": "Tip" }] }
      """#
    let catalog = try Catalog(json: Data(json.utf8))
    let notes = CatalogDocument.reviewNotes(of: catalog).text
    #expect(notes.contains("The paywall appears and offers Ten.") && notes.contains("Tap “Restore Purchases” on the paywall"), "\(notes)")
    #expect(!notes.contains("Texts and addresses"))
    let tests = CatalogDocument.testFlight(of: catalog).text
    #expect(tests.contains("the credits are added at once") && tests.contains("nothing is unlocked"), "\(tests)")
    #expect(!tests.contains("install it again"), "no store lists consumables again")
  }

  @Test("HEAT-43, HEAT-44, DOZZI-53: the checklist has the floor, the SDKs and both dates") func testFlight() throws {
    let text = CatalogDocument.testFlight(of: try Self.catalog("heatlab")).text
    for words in ["26.0", "iOS 26 SDK", "watchOS 26 SDK", "31 January 2026", "April 2026"] { #expect(text.contains(words), "\(words)") }
    try ToolFixtures.expectGolden(text, "testflight-heatlab.txt")
  }

  @Test("Review notes call a purchase permanent only if it is, and list what is no longer sold apart")
  func soldNow() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "s": { "allowance": "count" } },
        "products": [{ "kind": "nonRenewing", "id": "w", "name": "Week", "period": "P7D", "grants": { "s": 9 } },
          { "kind": "consumable", "id": "c", "name": "Ten", "credits": { "s": 10 } },
          { "kind": "nonConsumable", "id": "o", "name": "Old", "onSale": false, "grants": { "s": 9 } }] }
      """#
    let notes = CatalogDocument.reviewNotes(of: try Catalog(json: Data(json.utf8))).text
    #expect(notes.contains("sells one consumable and one non-renewing subscription. Nothing renews by itself."), "\(notes)")
    #expect(notes.contains("No longer sold, but kept by its owners: Old (o)."), "\(notes)")
  }

  @Test("The overview has the products that an arm sells, and says of a variant where it is sold")
  func arms() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "s": {} },
        "products": [{ "kind": "nonConsumable", "id": "u", "name": "U", "price": { "amount": "2.99", "currency": "USD" }, "grants": { "s": true } },
          { "kind": "nonConsumable", "id": "u.high", "variantOf": "u", "name": "U", "price": { "amount": "4.99", "currency": "USD" }, "grants": { "s": true } }],
        "experiments": { "price": { "arms": [{ "id": "low", "weight": 0.5 }, { "id": "high", "weight": 0.5, "products": ["u.high"] }] } } }
      """#
    let catalog = try Catalog(json: Data(json.utf8))
    func overview(_ arm: String) throws -> String {
      CatalogDocument.overview(of: try catalog.applying(arms: catalog.experiments[0].arms.filter { $0.id == arm })).text
    }
    #expect(try overview("low").contains("4.99 USD once; only in arm high of price"))
    #expect(try !overview("high").contains("2.99") && !overview("high").contains("only in"))
  }

  @Test("A name with a line end stays on its row") func lineEnd() throws {
    let text = try ToolFixtures.replacing(
      #""name": "Unlimited Stories""#, #""name": "Unlimited\nStories""#, in: ToolFixtures.shipped("dozzi"))
    #expect(CatalogDocument.overview(of: try Catalog(json: Data(text.utf8))).text.contains("\n  Unlimited Stories  2.99 USD once "))
  }

  @Test("The overview and the review notes distinguish a free trial from what is bought for ever") func trial() throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "Draw" }, "features": { "f": {} }, "products": [
          { "kind": "nonConsumable", "id": "t.trial", "name": "14-day Trial", "period": "P14D", "price": { "amount": "0", "currency": "USD" },
            "grants": { "f": true } },
          { "kind": "nonConsumable", "id": "t.full", "name": "Full", "price": { "amount": "9.99", "currency": "USD" }, "grants": { "f": true } }] }
        """.utf8))
    let notes = CatalogDocument.reviewNotes(of: catalog).text
    #expect(notes.contains("purchases are permanent. The free trial 14-day Trial ends by itself, without a charge."))
    #expect(notes.contains("non-consumable, free trial  free for 14 days, once") && notes.contains("non-consumable, one-time"))
  }
}
