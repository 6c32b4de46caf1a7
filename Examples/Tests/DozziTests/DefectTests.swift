// SPDX-License-Identifier: Apache-2.0
import Dozzi
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Defects of the plan's own code. `SeedCodeTests` runs that code against the laws behind the first of these.
@Suite(.timeLimit(.minutes(30)))
struct DefectTests {
  @Test("DEF-D1, DOZZI-54: after a refund while the app was away, the next launch is not unlimited, whatever is stored") func flag()
    async throws
  {
    let app = try await App.launch()
    _ = await app.make()
    try await app.buy()
    try await app.store.refund(.unlimited, customer: "ann")
    #expect(try await app.restart().counter == "1 story remaining")
  }

  @Test("DEF-D2, DEF-D3, DOZZI-10: ownership changes in both directions while the app runs") func bothWays() async throws {
    let app = try await App.launch()
    try await app.buy()
    #expect(app.counter == "Unlimited stories")
    try await app.store.refund(.unlimited, customer: "ann")
    #expect(app.counter == "2 stories remaining")
    #expect(app.monetizer.snapshot.status(of: .unlimited)?.isOwned == false)
    try await app.buy()
    #expect(app.counter == "Unlimited stories")
  }

  @Test("DOZZI-10: a purchase of another product opens nothing") func otherProduct() throws {
    let catalog = try Catalog(contentsOf: Product.url("dozzi"))
    let now = Date(timeIntervalSince1970: 1_772_366_400)
    let other = StoreTransaction(id: "1", productID: "com.dozzi.sticker", purchaseDate: now)
    #expect(Snapshot(of: CustomerState([.transaction(other)]), catalog: catalog, at: now).decision(for: .story).limit == 2)
  }

  @Test("DEF-D4, XC-06, DOZZI-11: two screens of one app share two stories, and a purchase on one shows on the other")
  func twoScreens() async throws {
    let app = try await App.launch()
    let (screen, paywall) = (app.dozzi, app.dozzi)
    var made = 0
    for (number, view) in [screen, paywall, screen, paywall].enumerated() {
      if case .done = await view.create(id: "\(number)", { true }) { made += 1 }
    }
    #expect(made == 2)
    try await app.buy()
    for view in [screen, paywall] { #expect(CreationStatus(view.monetizer.snapshot).badge == "PREMIUM") }
    #expect(try await app.restart().counter == "Unlimited stories")
    #expect(app.device.calls["finish"] == 1)
  }

  @Test("DEF-D5, DOZZI-24: closing the paywall reads purchases and never asks the store to synchronize") func closing() async throws {
    let app = try await App.launch()
    await app.dozzi.paywallClosed()
    try await app.buy()
    await app.dozzi.paywallClosed()
    #expect(app.counter == "Unlimited stories")
    #expect(app.device.calls["synchronize"] == 0)
  }

  @Test("DEF-D8, XC-05: a reinstallation brings no stories back, and a higher limit applies to those who used theirs up") func remaining()
    async throws
  {
    let app = try await App.launch()
    _ = await app.make()
    _ = await app.make()
    #expect(try await app.reinstall().counter == "0 stories remaining")
    try app.monetizer.apply([Overlay(json: Data(#"{ "id": "three", "patch": { "freeTier": { "grants": { "story": 3 } } } }"#.utf8))])
    #expect(app.counter == "1 story remaining")
  }

  @Test("DEF-D9, DEF-D10: pending, cancelled and failed are three outcomes, and a failure has a reason") func outcomes() async throws {
    let app = try await App.launch()
    app.device.nextSheet = .cancel
    #expect(try await app.buy().name == "cancelled")
    app.device.nextSheet = .askToBuy
    #expect(try await app.buy().name == "pending")
    try await app.store.approve(.unlimited, customer: "ann")
    #expect(app.counter == "Unlimited stories")
    let other = try await App.launch()
    try await other.store.setNetwork(.offline)
    guard case .failed(let error) = try await other.buy() else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .network)
  }

  @Test("DOZZI-15: two simultaneous taps ask the store once, and have one outcome") func twoTaps() async throws {
    let app = try await App.launch()
    let passes = [try await app.monetizer.passParentalGate(), try await app.monetizer.passParentalGate()]
    let outcomes = await withTaskGroup(of: String.self) { group in
      for pass in passes { group.addTask { (try? await app.monetizer.purchase(.unlimited, pass: pass).name) ?? "refused" } }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(app.device.calls["purchase"] == 1)
    #expect(Set(outcomes).isSubset(of: ["completed", "alreadyOwned"]))
    #expect(app.store.transactions(of: "ann").count == 1)
  }

  @Test("DEF-D11: releasing the app releases its listener") func listener() async throws {
    var app: App? = try await App.launch()
    let device = try #require(app?.device)
    #expect(device.listenerCount == 1)
    app = nil
    #expect(device.listenerCount == 0)
  }

  @Test("DEF-D12: of three simultaneous uses with one left, one succeeds") func lostUpdate() async throws {
    let app = try await App.launch()
    _ = await app.make()
    let made = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<3 { group.addTask { await app.make() == "story" } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 1)
  }

  @Test("DEF-D21: the date of a purchase is the store's, for any number of deliveries") func purchaseDate() async throws {
    let app = try await App.launch()
    try await app.buy()
    let bought = app.monetizer.state.transactions.values.map(\.purchaseDate)
    await app.store.advance(by: Period(days: 30))
    await app.store.deliverAgain(customer: "ann", times: 3)
    await app.monetizer.refresh()
    #expect(app.monetizer.state.transactions.values.map(\.purchaseDate) == bought)
  }

  @Test("DEF-D14, DEF-D17, DEF-D18, DOZZI-29: a purchase counts by app, account, world and revocation, not by its product id alone")
  func foreign() throws {
    let catalog = try Catalog(contentsOf: Product.url("dozzi"))
    let now = Date(timeIntervalSince1970: 1_772_366_400)
    let situation = Situation(environment: .production, account: "ann")
    func isUnlimited(_ change: (inout StoreTransaction) -> Void) -> Bool {
      var transaction = StoreTransaction(id: "1", productID: .unlimited, purchaseDate: now)
      change(&transaction)
      let state = CustomerState([.transaction(transaction)])
      return Snapshot(of: state, catalog: catalog, situation: situation, at: now).decision(for: .story).limit == nil
    }
    #expect(isUnlimited { _ in })
    #expect(isUnlimited { $0.account = "ann" })
    #expect(!isUnlimited { $0.account = "bob" })
    #expect(!isUnlimited { $0.appID = "com.example.other" })
    #expect(!isUnlimited { $0.environment = .sandbox })
    #expect(!isUnlimited { $0.revocation = .init(date: now) })
    #expect(!isUnlimited { $0.ownership = .familyShared })
  }

  @Test("DEF-D28, DOZZI-02: a one-time product is not a subscription, whatever its name in code") func kind() throws {
    let product = try #require(try Catalog(contentsOf: Product.url("dozzi")).product(.unlimited))
    #expect(product.storeType == .nonConsumable && product.subscription == nil)
    #expect(product.referenceName == "Unlimited Bedtime Stories" && product.name == "Unlimited Stories")
    #expect(product.price?.amountText == "2.99" && product.price?.currency == "USD" && !product.isFamilyShareable)
  }
}
