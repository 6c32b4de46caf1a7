// SPDX-License-Identifier: Apache-2.0
import Dozzi
import Foundation
import MazePacks
import Monetize
import MonetizeSimulator
import Testing

/// CARD-10: separate modules, one framework, one process.
@Suite(.timeLimit(.minutes(30)))
struct TwoAppsTests {
  private static let pack: ProductID = "com.example.mazes.pack.denny"

  /// Both apps of one customer, with a shared store or with one each.
  private func launch(sharedStore: Bool) async throws -> (dozzi: Dozzi, mazes: MazeShop, stores: [SimulatedStore]) {
    let catalog = try Catalog(contentsOf: Product.url("dozzi"))
    let maze = try MazeCatalog(contentsOf: Product.url("maze-packs"))
    let start = Date(timeIntervalSince1970: 1_772_366_400)
    let first = SimulatedStore(
      products: catalog.simulatedProducts + (sharedStore ? maze.catalog.simulatedProducts : []), start: start)
    let second = sharedStore ? first : SimulatedStore(catalog: maze.catalog, start: start)
    let dozzi = try Dozzi(contentsOf: Product.url("dozzi")) { configure(&$0, first.device("dozzi", customer: "ann", app: catalog.app.id)) }
    let mazes = MazeShop(maze) { configure(&$0, second.device("mazes", customer: "ann", app: maze.catalog.app.id)) }
    await dozzi.monetizer.start()
    await mazes.monetizer.start()
    return (dozzi, mazes, sharedStore ? [first] : [first, second])
  }

  private func configure(_ configuration: inout Monetizer.Configuration, _ device: SimulatedDevice) {
    configuration.store = device
    configuration.time = device.time
    configuration.parentalGate = Parent()
    configuration.startsByItself = false
  }

  @Test("CARD-10: a purchase, a use and a refund in one app change nothing in the other", arguments: [true, false])
  func sideBySide(sharedStore: Bool) async throws {
    let (dozzi, mazes, stores) = try await launch(sharedStore: sharedStore)
    let story = AccessRequest("story.play", item: "denny/4")
    let (mazesBefore, factsBefore) = (mazes.monetizer.snapshot, mazes.monetizer.state)

    _ = await dozzi.create(id: "bear") { true }
    let bought = try await dozzi.monetizer.purchase(.unlimited, pass: dozzi.monetizer.passParentalGate())
    #expect(bought.name == "completed")
    #expect(mazes.monetizer.snapshot == mazesBefore)
    #expect(mazes.monetizer.state == factsBefore)
    await mazes.monetizer.refresh()
    #expect(mazes.monetizer.decision(for: story).reason == .requiresPurchase)
    #expect(mazes.monetizer.state.transactions.isEmpty)

    let pack = try await mazes.monetizer.purchase(Self.pack, pass: mazes.monetizer.passParentalGate())
    #expect(pack.name == "completed")
    #expect(mazes.monetizer.decision(for: story).isAllowed)
    let dozziBefore = dozzi.monetizer.snapshot
    try await stores.last?.refund(Self.pack, customer: "ann")
    #expect(!mazes.monetizer.decision(for: story).isAllowed)
    await dozzi.monetizer.refresh()
    #expect(dozzi.monetizer.snapshot == dozziBefore)
    #expect(dozzi.status.badge == "PREMIUM")
  }

  @Test("CARD-10: a pass of one app's gate is not valid in the other") func passes() async throws {
    let (dozzi, mazes, _) = try await launch(sharedStore: true)
    let pass = try await dozzi.monetizer.passParentalGate()
    await #expect(throws: GateRequired.self) { try await mazes.monetizer.purchase(Self.pack, pass: pass) }
    #expect(try await dozzi.monetizer.purchase(.unlimited, pass: pass).name == "completed")
  }
}
