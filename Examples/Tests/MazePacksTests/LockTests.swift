// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazePacks
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct LockTests {
  @Test("MAZE-04: without a purchase 9 of 60 mazes are open: stories 1, 2, 3 at all difficulties")
  func matrix() async throws {
    let app = try await App.launch()
    #expect(app.playable() == [.easy: [1, 2, 3], .medium: [1, 2, 3], .hard: [1, 2, 3]])
    #expect(app.playable().values.joined().count == 9)
  }

  @Test("MAZE-05, DEF-M3: stories 4 to 20 have a lock with the product that opens them; 0 and 21 are not stories")
  func locks() async throws {
    let app = try await App.launch()
    let locks = try #require(app.grid).cells.map(\.access.lock)
    #expect(locks == Array(repeating: .open, count: 3) + Array(repeating: .locked(.denny), count: 17))
    #expect(await app.shop.tap(app.level(0)) == .closed(.unknownItem))
    #expect(await app.shop.tap(app.level(21)) == .closed(.unknownItem))
  }

  @Test("MAZE-06: the grid shows all 20 stories of a pack; 17 are locked before the purchase and none after it")
  func grid() async throws {
    let app = try await App.launch()
    let before = try #require(app.grid)
    #expect(before.cells.map(\.number) == Array(1...20))
    #expect(before.cells.filter { $0.access.lock == .locked(.denny) }.count == 17)
    #expect(try await app.buy()?.name == "completed")
    let after = try #require(app.grid)
    #expect(after.cells.count == 20)
    #expect(after.cells.allSatisfy { $0.access.lock == .open })
    #expect(app.shop.grid(of: "nobody", at: .easy) == nil)
  }

  @Test("MAZE-07: with two packs each has three free stories, and a purchase opens only its own")
  func twoPacks() async throws {
    let app = try await App.launch(MazeFile.twoPacks())
    #expect(app.playable(.denny, .easy) == [1, 2, 3])
    #expect(app.playable(.robin, .easy) == [1, 2, 3])
    #expect(try await app.buy(.denny)?.name == "completed")
    #expect(app.playable(.denny, .hard) == Array(1...20))
    #expect(app.playable(.robin, .hard) == [1, 2, 3])
    #expect(app.shop.grid(of: .robin, at: .easy)?.cells[3].access.lock == .locked(.robin))
  }

  @Test("MAZE-08: a pack opens with and without a purchase, also before the store's answer")
  func packOpen() async throws {
    #expect(try await App.launch().monetizer.decision(for: .packOpen).reason == .free)
    #expect(try await App.launch(answered: false).monetizer.allows(.packOpen))
  }

  @Test("MAZE-16: after the purchase 60 of 60 are open at once, and one event reports the 17 stories")
  func purchase() async throws {
    let app = try await App.launch()
    #expect(try await app.buy()?.name == "completed")
    #expect(app.playable().values.joined().count == 60)
    let changes = app.log.events.map(\.newlyAllowed).filter { !$0.isEmpty }
    #expect(changes.count == 1)
    #expect(changes.first?.compactMap(\.item) == (4...20).map { ItemPath(collection: .denny, item: "\($0)") })
  }

  @Test("MAZE-16: a watcher of snapshots gets the open grid without a request")
  func watcher() async throws {
    let app = try await App.launch()
    var snapshots = app.monetizer.snapshots.makeAsyncIterator()
    let pack = try #require(app.shop.maze.pack(.denny))
    let first = try #require(await snapshots.next())
    #expect(StoryGrid(pack, at: .easy, snapshot: first, progress: StoryProgress()).cells[3].access.lock == .locked(.denny))
    #expect(try await app.buy()?.name == "completed")
    let second = try #require(await snapshots.next())
    #expect(StoryGrid(pack, at: .easy, snapshot: second, progress: StoryProgress()).cells[3].access.lock == .open)
  }

  @Test("Before the store's answer nothing flashes: free stories play, the others wait, and no paywall appears")
  func waiting() async throws {
    let app = try await App.launch(answered: false)
    let locks = try #require(app.grid).cells.map(\.access.lock)
    #expect(locks == Array(repeating: .open, count: 3) + Array(repeating: .waiting(.unknown), count: 17))
    #expect(await app.shop.tap(app.level(4)) == .waiting(.unknown))
    #expect(await app.shop.tap(app.level(3)) == .play(app.level(3)))
    #expect(app.shop.shelf.cards.map(\.canBeBought) == [false])
    await app.monetizer.start()
    #expect(app.grid?.cells[3].access.lock == .locked(.denny))
  }

  @Test("Without a connection the grid shows it, and a retry helps")
  func offline() async throws {
    let store = ScriptedStore()
    store.set(.offline)
    let app = try await App.launch(store: store)
    #expect(app.grid?.cells[3].access.lock == .waiting(.storeUnreachable))
    #expect(await app.shop.tap(app.level(4)) == .waiting(.storeUnreachable))
    #expect(app.playable(.denny, .easy) == [1, 2, 3])
    store.set(.sells)
    await app.monetizer.refresh()
    #expect(app.grid?.cells[3].access.lock == .locked(.denny))
  }

  @Test("MAZE-30: time opens nothing", arguments: [0, 1, 30, 3650])
  func time(days: Double) async throws {
    let app = try await App.launch()
    app.clock.advance(days: days)
    #expect(app.playable(.denny, .easy) == [1, 2, 3])
  }

  @Test("MAZE-31: playing a free story uses up nothing")
  func replay() async throws {
    let app = try await App.launch()
    for _ in 1...100 {
      #expect(await app.shop.tap(app.level(1)) == .play(app.level(1)))
      _ = await app.monetizer.solve(app.level(1))
    }
    #expect(app.playable(.denny, .easy) == [1, 2, 3])
  }

  @Test("MAZE-32: stories added later belong to the owners of the pack only")
  func addedLater() async throws {
    let storage = MemoryStorage()
    let store = ScriptedStore()
    #expect(try await App.launch(store: store, storage: storage).buy()?.name == "completed")
    let longer = try MazeCatalog(json: MazeFile.json((#""items": 20"#, #""items": 22"#)))
    let owner = try await App.launch(longer, store: store, storage: storage)
    #expect(owner.playable(.denny, .easy) == Array(1...22))
    #expect(try await App.launch(longer).playable(.denny, .easy) == [1, 2, 3])
  }
}
