// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazePacks
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct ShopTests {
  /// The offer after a tap on story 4.
  func offer(in app: App) async throws -> PackOffer {
    guard case .offer(let offer) = await app.shop.tap(app.level(4)) else {
      Issue.record("A tap on a locked story led to no offer.")
      throw CancellationError()
    }
    return offer
  }

  @Test("MAZE-13: a tap on a locked story leads to the gate and then to the paywall")
  func gateThenPaywall() async throws {
    let app = try await App.launch()
    #expect(try await offer(in: app).pack.id == "denny")
    #expect(app.log.events.map(\.name) == [.gatePresented, .gatePassed, .paywallShown])
  }

  @Test("MAZE-13: a failed gate leads to no paywall")
  func gateFailed() async throws {
    let app = try await App.launch(gateOpens: false)
    #expect(await app.shop.tap(app.level(4)) == .gateFailed)
    #expect(app.log.events.map(\.name) == [.gatePresented, .gateFailed])
  }

  @Test("MAZE-14: without a pass no entry point reaches the store")
  func noEntryWithoutPass() async throws {
    let app = try await App.launch(gateOpens: false)
    #expect(await app.shop.tap(app.level(4)) == .gateFailed)
    #expect(await app.shop.offer(for: .denny) == .gateFailed)
    #expect(await app.shop.promotion(of: .denny) == .gateFailed)
    #expect(await app.shop.restore() == .gateFailed)
    #expect(await !app.shop.mayOpenLink())
    await #expect(throws: GateRequired.self) { try await app.monetizer.purchase(.denny) }
    await #expect(throws: GateRequired.self) { try await app.monetizer.restorePurchases() }
    #expect(app.store.purchaseCalls == 0)
    #expect(app.store.restoreCalls == 0)
  }

  @Test("MAZE-14: an offer is valid for one attempt: a retry after an error goes through the gate again")
  func retry() async throws {
    let app = try await App.launch()
    let first = try await offer(in: app)
    app.store.set(.offline)
    #expect(try await app.shop.buy(first) == .failed(StoreError(.network)))
    app.store.set(.sells)
    await #expect(throws: GateRequired.self) { try await app.shop.buy(first) }
    #expect(await app.shop.restore(from: first) == .gateFailed)
    #expect(app.store.purchaseCalls == 1)
    #expect(app.store.restoreCalls == 0)
    #expect(try await app.buy()?.name == "completed")
    #expect(app.store.purchaseCalls == 2)
  }

  @Test("MAZE-14: an offer expires after ten minutes")
  func old() async throws {
    let app = try await App.launch()
    let offer = try await offer(in: app)
    app.clock.advance(days: 1)
    await #expect(throws: GateRequired.self) { try await app.shop.buy(offer) }
    #expect(app.store.purchaseCalls == 0)
  }

  @Test("MAZE-15: the paywall offers one product, the tapped pack's, bought once, at the store's price")
  func paywall() async throws {
    let app = try await App.launch(MazeFile.twoPacks())
    guard case .offer(let offer) = await app.shop.tap(app.level(4, in: .robin)) else {
      Issue.record("There is no offer.")
      return
    }
    #expect(offer.paywall.products == ["com.example.mazes.pack.robin"])
    #expect(offer.headline == "All of Robin's Stories")
    #expect(offer.purchaseLabel == "One-time purchase")
    #expect(offer.benefits == ["Every story of this pack"])
    #expect(offer.actions == ["purchase", "restore", "dismiss"])
    #expect(await app.shop.price(of: offer) == "9,99 €")
    app.store.set(.offline)
    #expect(await app.shop.price(of: offer) == nil)
  }

  @Test("An owned pack has no offer, nor has one that is not on sale")
  func nothingToOffer() async throws {
    let app = try await App.launch()
    #expect(try await app.buy()?.name == "completed")
    #expect(await app.shop.offer(for: .denny) == .closed(.owned))
    #expect(await app.shop.promotion(of: .denny) == .closed(.owned))
    #expect(await app.shop.promotion(of: "com.example.other") == .closed(.notOffered))
    #expect(await app.shop.offer(for: "nobody") == .closed(.unknownItem))
  }

  @Test("MAZE-17, MAZE-18: a purchase is kept over a restart, also offline; a refund locks again")
  func restartAndRefund() async throws {
    let storage = MemoryStorage()
    let store = ScriptedStore()
    #expect(try await App.launch(store: store, storage: storage).buy()?.name == "completed")
    store.set(.offline)
    #expect(try await App.launch(store: store, storage: storage).playable(.denny, .easy) == Array(1...20))
    store.set(.sells)
    store.refundAll()
    #expect(try await App.launch(store: store, storage: storage).playable(.denny, .easy) == [1, 2, 3])
  }

  @Test("MAZE-19: Restore brings a purchase back after a reinstallation, but not a refunded one, and reports if there is none")
  func restore() async throws {
    let store = ScriptedStore()
    #expect(try await App.launch(store: store).shop.restore() == .finished(.nothingToRestore))
    store.sell(.denny)
    store.set(.offline)
    let app = try await App.launch(store: store)
    #expect(app.playable(.denny, .easy) == [1, 2, 3])
    #expect(await app.shop.restore() == .finished(.failed(StoreError(.network))))
    store.set(.sells)
    #expect(await app.shop.restore() == .finished(.restored([.denny])))
    #expect(app.playable(.denny, .easy) == Array(1...20))
    store.refundAll()
    #expect(await app.shop.restore() == .finished(.nothingActive))
    #expect(app.playable(.denny, .easy) == [1, 2, 3])
  }

  @Test("MAZE-19, AMB-05: Restore on a paywall needs no second gate and uses up the offer")
  func restoreFromPaywall() async throws {
    let app = try await App.launch()
    let offer = try await offer(in: app)
    #expect(await app.shop.restore(from: offer) == .finished(.nothingToRestore))
    await #expect(throws: GateRequired.self) { try await app.shop.buy(offer) }
  }

  @Test("MAZE-39: a pending purchase opens nothing and is no failure; the approval opens the pack")
  func askToBuy() async throws {
    let app = try await App.launch()
    app.store.set(.pends)
    #expect(try await app.buy() == .pending)
    #expect(app.grid?.cells[3].access.lock == .waiting(.pending))
    #expect(await app.shop.tap(app.level(4)) == .waiting(.pending))
    app.clock.advance(days: 20 / 24)
    await app.store.approve(.denny)
    #expect(app.playable(.denny, .easy) == Array(1...20))
  }

  @Test("A cancelled purchase changes nothing")
  func cancelled() async throws {
    let app = try await App.launch()
    app.store.set(.cancels)
    #expect(try await app.buy() == .cancelled)
    #expect(app.grid?.cells[3].access.lock == .locked(.denny))
  }

  @Test("MAZE-14: a gate that does not cover restoring is not shown for it")
  func ungatedRestore() async throws {
    let maze = try MazeCatalog(json: MazeFile.json((#"["purchase", "restore", "links"]"#, #"["purchase"]"#)))
    let app = try await App.launch(maze, gateOpens: false)
    #expect(await app.shop.restore() == .finished(.nothingToRestore))
    #expect(await app.shop.mayOpenLink())
    #expect(await app.shop.tap(app.level(4)) == .gateFailed)
  }
}
