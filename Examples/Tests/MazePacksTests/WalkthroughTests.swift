// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazePacks
import Monetize
import Testing

/// The steps of the README, from the first launch to the second, with a state file.
@Suite(.timeLimit(.minutes(30)))
struct WalkthroughTests {
  @Test("MAZE-11, MAZE-13, MAZE-16, MAZE-17, MAZE-25: from the first launch through a purchase and a celebration to the next launch")
  func firstDay() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("walk-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let stateURL = folder.appendingPathComponent("state.json")
    let store = ScriptedStore()

    let flow = try await firstLife(store, stateURL)

    let again = try await App.launch(store: store, storage: .file(stateURL))
    #expect(MazeFlow(flow.memory).route == .shelf)
    #expect(again.shop.shelf.cards.map(\.progress.description) == ["1/20"])
    #expect(again.playable(.denny, .hard) == Array(1...20))
  }

  /// The first run of the app. Its file is free for the next run when this function returns.
  private func firstLife(_ store: ScriptedStore, _ stateURL: URL) async throws -> MazeFlow {
    let app = try await App.launch(store: store, storage: .file(stateURL))
    var flow = MazeFlow()
    flow.handle(.choose(.easy))
    flow.handle(.open(pack: try #require(app.shop.shelf.cards.first).id))
    #expect(flow.route == .grid(pack: .denny, .easy))

    // Story 4 is locked: gate, paywall, purchase; then the same tap plays.
    let fourth = try #require(app.grid).cells[3].level
    guard case .offer(let offer) = await app.shop.tap(fourth) else {
      Issue.record("Story 4 led to no offer.")
      return flow
    }
    #expect(try await app.shop.buy(offer).name == "completed")
    guard case .play(let level) = await app.shop.tap(fourth) else {
      Issue.record("Story 4 is not open after the purchase.")
      return flow
    }
    flow.handle(.play(level))

    // Its three mazes, with "Next" between them; the third one celebrates and leads back to the shelf.
    var routes: [MazeFlow.Route] = []
    while case .story(let level) = flow.route {
      flow.handle(.solved(await app.monetizer.solve(level)))
      if case .story = flow.route { flow.handle(.next) }
      routes.append(flow.route)
    }
    #expect(routes == [.story(app.level(4, .medium)), .story(app.level(4, .hard)), .celebration(level.story)])
    flow.handle(.next)
    #expect(flow.route == .shelf)
    return flow
  }
}
