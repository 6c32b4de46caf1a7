// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTesting
import StoreKit
import Testing

@testable import MonetizeStoreKit

/// The defects of the seeds' StoreKit code: each is shown in the seed's way, and absent in ours, over the same store.
@Suite("StoreKit: the seeds' defects", .timeLimit(.minutes(30)))
struct DefectTests {
  private let counter = Counter()
  private let defaults = SeedStore.Defaults()

  @Test("DEF-D1, XC-08: after a refund while the app was away, the next launch is closed, whatever was stored") func storedFlag()
    async throws
  {
    let storage = MemoryStorage()
    try await counter.run {
      let seed = await SeedStore(defaults)
      _ = await seed.purchase(Counter.products[0])
      let app = try counter.app(storage: storage)
      await app.start()
      #expect(app.allows("export"))
    }
    counter.owned.set([Counter.transaction(1, revoked: Counter.noon + 60, signed: Counter.noon + 60)])
    try await counter.run {
      let seed = await SeedStore(defaults)
      await seed.update()
      #expect(await seed.isUnlimited, "the seed's way: for ever")
      let app = try counter.app(storage: storage)
      await app.start()
      #expect(!app.allows("export"))
    }
  }

  @Test("DEF-D2, DEF-D3, DOZZI-10: a refund while the app runs closes at once, and a purchase opens again") func revocation() async throws {
    try await counter.run {
      let seed = await SeedStore(defaults)
      _ = await seed.purchase(Counter.products[0])
      let app = try counter.app()
      await app.start()
      #expect(app.allows("export"))
      await counter.refund(1)
      await seed.update()
      #expect(await seed.purchased == ["pack"], "the seed's way: inserted, never removed")
      #expect(!app.allows("export"))
      _ = try await app.purchase("pack")
      #expect(app.allows("export"))
    }
  }

  @Test("DEF-D4, DOZZI-11: two screens have one listener, and a transaction is finished once") func twoScreens() async throws {
    await counter.run {
      let (first, second) = (await SeedStore(defaults), await SeedStore(defaults))
      while counter.store.updates.listeners < 2 { await Task.yield() }
      counter.owned.set([Counter.transaction(1)])
      await counter.store.updates.send(.verified(Counter.transaction(1)))
      #expect(counter.finished.copy == [1, 1], "the seed's way: each instance finishes it")
      _ = (first, second)
    }
    let ours = Counter()
    try await ours.run {
      let app = try ours.app()
      await app.start()
      await app.start()
      ours.owned.set([Counter.transaction(1)])
      await ours.store.updates.send(.verified(Counter.transaction(1)))
      await ours.store.updates.send(.verified(Counter.transaction(1)))
      await app.refresh()
      #expect(ours.store.updates.listeners == 1 && ours.finished.copy == [1] && app.allows("export"))
    }
  }

  @Test("DEF-D5, DOZZI-24: closing a paywall reads what is owned and shows no sign-in prompt") func closing() async throws {
    try await counter.run {
      let app = try counter.app()
      await app.start()
      counter.owned.set([Counter.transaction(1)])
      await app.refresh()
      #expect(app.allows("export") && counter.count("sync") == 0)
      await SeedStore(defaults).closePaywall()
      #expect(counter.count("sync") == 1, "the seed's way: a password prompt")
    }
  }

  @Test("DEF-D9, DEF-D10, DOZZI-08: cancelled, waiting and failed are three outcomes, and a failure has a reason") func outcomes()
    async throws
  {
    let scripts: [(@Sendable () throws -> Product.PurchaseResult, PurchaseOutcome)] = [
      ({ .userCancelled }, .cancelled), ({ .pending }, .pending),
      ({ throw StoreKitError.networkError(URLError(.timedOut)) }, .failed(StoreError(.network))),
      ({ throw Product.PurchaseError.purchaseNotAllowed }, .failed(StoreError(.notAllowed))),
    ]
    for (script, outcome) in scripts {
      counter.store.script.purchase = { _, _, _ in try script() }
      try await counter.run {
        let app = try counter.app()
        await app.start()
        #expect(try await app.purchase("pack") == outcome)
        #expect(!app.allows("export") && counter.finished.copy.isEmpty)
        let seed = await SeedStore(defaults)
        #expect(await seed.purchase(Counter.products[0]) == nil, "the seed's way: all four are nil")
      }
    }
  }

  @Test("DEF-D9: a purchase that a parent approves later opens by itself") func approval() async throws {
    counter.store.script.purchase = { _, _, _ in .pending }
    try await counter.run {
      let app = try counter.app()
      await app.start()
      #expect(try await app.purchase("pack") == .pending)
      #expect(app.decision(for: "export").reason == .pending)
      counter.owned.set([Counter.transaction(1)])
      await counter.store.updates.send(.verified(Counter.transaction(1)))
      #expect(app.allows("export") && counter.finished.copy == [1])
    }
  }

  @Test("DEF-D10, DOZZI-07: products that cannot be loaded are an error, and come with the next attempt") func products() async throws {
    let works = counter.store.script.products
    counter.store.script.products = { _ in throw StoreKitError.networkError(URLError(.timedOut)) }
    try await counter.run {
      let app = try counter.app()
      await #expect(throws: StoreError(.network)) { try await app.storeProducts() }
      // The seed's way: `try?`, and a paywall without price, message or retry.
      #expect((try? await Product.products(for: ["pack"])) == nil)
      counter.store.script.products = works
      #expect(try await app.storeProducts().map(\.displayPrice) == ["$3.00", "$10.00"])
    }
  }

  @Test("DEF-D11: an app that is released listens no more") func released() async throws {
    try await counter.run {
      var app: Monetizer? = try counter.app()
      await app?.start()
      #expect(counter.store.updates.listeners == 1)
      app = nil
      while counter.store.updates.listeners > 0 { await Task.yield() }
    }
    let before = SeedStore.released.copy
    let seeds = Counter()
    await seeds.run {
      var seed: SeedStore? = await SeedStore(defaults)
      while seeds.store.updates.listeners < 1 { await Task.yield() }
      seed = nil
      #expect(seed == nil && seeds.store.updates.listeners == 1 && SeedStore.released.copy == before, "the seed's way: held for ever")
    }
  }

  @Test("DEF-H1, XC-03, HEAT-24: before the first answer a payer's question is unknown, and never a refusal with a paywall") func unknown()
    async throws
  {
    counter.owned.set([Counter.transaction(1)])
    try await counter.run {
      let app = try counter.app()
      let seed = await SeedStore(defaults)
      #expect(await !seed.isUnlimited, "the seed's way: a prompt for a payer")
      #expect(
        app.decision(for: "export").reason == .unknown
          && app.snapshot.paywall(for: app.decision(for: "export"), request: AccessRequest("export")) == nil)
      await app.start()
      #expect(app.allows("export"))
    }
  }

  @Test("DEF-H2: in the grace period access continues past the end, and in billing retry it does not") func grace() async throws {
    counter.owned.set([Counter.transaction(1, "month")])
    let end = Counter.noon + 30 * 86400
    counter.time.advance(to: end + 60)
    try await counter.run {
      counter.statuses.set([Counter.status(.inGracePeriod, expires: end, grace: end + 16 * 86400, signed: end + 1)])
      let app = try counter.app()
      await app.start()
      #expect(app.decision(for: "story").limit == nil)
      // The seed's way: the end of the period alone.
      #expect(counter.owned.copy[0].expirationDate.map { $0 < counter.time.now } == true)
      counter.owned.set([])
      counter.statuses.set([Counter.status(.inBillingRetryPeriod, expires: end, signed: end + 2)])
      counter.store.script.history = { [.verified(Counter.transaction(1, "month"))] }
      await app.refresh()
      #expect(app.decision(for: "story").limit == 2)
    }
  }

  @Test("DEF-H4, HEAT-14: a second device asks its own StoreKit and needs no message of the first") func secondDevice() async throws {
    let (phone, watch) = (Counter(), Counter())
    try await phone.run {
      let app = try phone.app()
      await app.start()
      _ = try await app.purchase("pack")
    }
    watch.owned.set(phone.owned.copy)
    try await watch.run {
      let app = try watch.app()
      await app.start()
      #expect(app.allows("export"))
      // The seed's way: a file of the phone's app group, which the watch does not have.
      #expect(try !watch.app(storage: MemoryStorage()).allows("export"))
    }
  }
}
