// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct CoinsTests {
  private let feature = #"{ "allowance": "coins", "in": ["shop"] }"#
  private let extra = #""collections": { "shop": { "title": "Shop", "items": [{ "id": "hat", "coins": 40 }, "sticker"] } },"#

  private func decide(_ catalog: Catalog, _ item: ItemPath?, _ facts: [Fact] = []) -> Decision {
    Snapshot(of: CustomerState(facts), catalog: catalog, at: t0).decision(for: AccessRequest("f", item: item))
  }
  private func coins(_ earned: Int, spent: Int = 0) -> Fact { .wallet(WalletEntry(id: "w", earned: earned, spent: spent)) }

  @Test("A part of the feature is opened by no coins, and has no balance to show") func part() throws {
    let catalog = try Catalog.small(
      feature + #", "window": { "of": "f", "atLeast": true, "title": "Window" }"#, free: "true", extra: extra)
    let snapshot = Snapshot(of: CustomerState([coins(7)]), catalog: catalog, at: t0)
    let (whole, part) = (snapshot.decision(for: "f"), snapshot.decision(for: "window"))
    #expect(whole.isAllowed && whole.balance == 7 && part.isAllowed && part.balance == nil && part.price == nil)
  }

  @Test func priceAgainstBalance() throws {
    let catalog = try Catalog.small(feature, free: "true", paid: "\"unlimited\"", extra: extra)
    let enough = decide(catalog, "shop/hat", [coins(40)])
    #expect(enough.isAllowed && enough.balance == 40 && enough.price == 40)
    let short = decide(catalog, "shop/hat", [coins(39)])
    #expect(short.reason == .insufficientCoins && short.balance == 39 && short.price == 40 && short.unlockedBy == ["p"])
    #expect(decide(catalog, "shop/sticker").isAllowed && decide(catalog, "shop/sticker").price == 0)
    let plain = decide(catalog, nil, [coins(7)])
    #expect(plain.isAllowed && plain.balance == 7 && plain.price == nil)
    #expect(decide(catalog, "shop/cape").reason == .unknownItem)
    #expect(decide(catalog, "shop/hat", [bought("p")]).isAllowed, "unlimited is free of charge")
  }

  @Test func withoutMoneyPricesInCoinsStay() throws {
    let catalog = try Catalog.small(feature, paid: "true", extra: extra + #""monetization": "off","#)
    #expect(decide(catalog, "shop/hat").reason == .insufficientCoins)
    #expect(decide(catalog, "shop/sticker").reason == .monetizationOff)
  }

  @Test("Coins spent on an item buy it; coins earned for it do not") func onlySpendingBuys() throws {
    let catalog = try Catalog.small(feature, free: "true", extra: extra)
    func hat(earned: Int, spent: Int) -> Decision {
      decide(catalog, "shop/hat", [.wallet(WalletEntry(id: "item:shop/hat", earned: earned, spent: spent))])
    }
    #expect(hat(earned: 0, spent: 1).isAllowed && hat(earned: 0, spent: 1).price == 0)
    #expect(hat(earned: 39, spent: 0).reason == .insufficientCoins && hat(earned: 39, spent: 0).price == 40)
  }

  @Test("PUZZ-10: the balance stops at zero") func theBalanceStopsAtZero() throws {
    let catalog = try Catalog.small(feature, free: "true", extra: extra)
    #expect([coins(10), coins(10, spent: 30), coins(15, spent: 10)].map { decide(catalog, nil, [$0]).balance } == [10, 0, 5])
  }

  @Test("PUZZ-33 PUZZ-06: shop items") func shopItems() throws {
    let off = Snapshot(of: CustomerState([coins(50)]), catalog: try Shipped.catalog("maxs-puzzles"), at: t0)
    #expect(off.decision(for: "shop", item: "avatarItems/hat").reason == .notAvailable)
    let catalog = try Shipped.catalog("maxs-puzzles", releases: ["v1", "v2", "v3"])
    func shop(_ item: ItemPath, _ earned: Int, _ spent: Int = 0) -> Decision {
      Snapshot(of: CustomerState([coins(earned, spent: spent), coins(earned)]), catalog: catalog, at: t0).decision(for: "shop", item: item)
    }
    #expect(shop("avatarItems/hat", 50).isAllowed && shop("avatarItems/hat", 50).price == 40)
    let denied = shop("avatarItems/cape", 50, 40)
    #expect(denied.reason == .insufficientCoins, "a stale device's word does not undo the spend")
    #expect(denied.balance == 10 && denied.price == 11)
    #expect(denied.unlockedBy.isEmpty && denied.placement == nil)
  }

  @Test("An item is paid once, when the coins suffice; a denied purchase costs nothing") func paying() async throws {
    let monetizer = Monetizer(catalog: try Catalog.small(feature, free: "true", extra: extra)) { $0.startsByItself = false }
    await monetizer.access.earn(39, for: "level 1")
    let denied = await #expect(throws: AccessDenied.self) { try await monetizer.access.buy("shop/hat", of: "f") }
    #expect(denied?.decision.reason == .insufficientCoins)
    #expect(monetizer.access.coins == 39 && !monetizer.access.hasBought("shop/hat"))
    await monetizer.access.earn(41, for: "level 2")
    for _ in 0..<2 {
      #expect(try await monetizer.access.buy("shop/hat", of: "f") == 40)
      #expect(monetizer.access.coins == 40 && monetizer.access.hasBought("shop/hat"))
    }
  }
}
