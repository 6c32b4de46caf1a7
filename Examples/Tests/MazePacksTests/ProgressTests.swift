// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazePacks
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct ProgressTests {
  static let orders: [[Difficulty]] = [
    [.easy, .medium, .hard], [.easy, .hard, .medium], [.medium, .easy, .hard], [.medium, .hard, .easy], [.hard, .easy, .medium],
    [.hard, .medium, .easy],
  ]

  @Test("MAZE-25, AMB-08: a story is complete with its third distinct level, in any order, and only once", arguments: orders)
  func third(_ order: [Difficulty]) async throws {
    let app = try await App.launch()
    let story = Story(pack: .denny, id: "1")
    for difficulty in [order[0], order[0], order[1], order[0]] {
      #expect(await app.monetizer.solve(story.level(difficulty)) == .solved(story.level(difficulty)))
    }
    #expect(await app.monetizer.solve(story.level(order[2])) == .completedStory(story))
    for difficulty in order {
      #expect(await app.monetizer.solve(story.level(difficulty)) == .solved(story.level(difficulty)))
    }
  }

  @Test("MAZE-10: a card shows title, cover, theme and the complete stories: 5/20")
  func card() async throws {
    let app = try await App.launch()
    for number in 1...5 {
      for difficulty in Difficulty.allCases { _ = await app.monetizer.solve(app.level(number, difficulty)) }
    }
    _ = await app.monetizer.solve(app.level(6, .easy))
    let card = try #require(app.shop.shelf.cards.first)
    #expect(card.title == "Denny's Stories")
    #expect(card.cover == "denny-cover")
    #expect(card.theme == "denny")
    #expect(card.progress.description == "5/20")
    #expect(card.product == .denny)
  }

  @Test("MAZE-09: the shelf has a card for each pack, also for a single one")
  func shelf() async throws {
    #expect(try await App.launch().shop.shelf.cards.map(\.id) == [.denny])
    let two = try await App.launch(MazeFile.twoPacks())
    #expect(try await two.buy(.robin)?.name == "completed")
    #expect(two.shop.shelf.cards.map(\.product) == [.denny, nil])
    #expect(two.shop.shelf.cards.map(\.access.lock) == [.locked(.denny), .open])
  }

  @Test("MAZE-25: solved mazes are kept over a restart, and show in the grid at their difficulty")
  func restart() async throws {
    let storage = MemoryStorage()
    let first = try await App.launch(storage: storage)
    _ = await first.monetizer.solve(first.level(2, .hard))
    _ = await first.monetizer.solve(first.level(2, .easy))
    let second = try await App.launch(storage: storage)
    #expect(second.grid?.cells[1].solved == [.easy, .hard])
    #expect(second.grid?.cells.filter(\.isSolved).map(\.number) == [2])
    #expect(second.shop.grid(of: .denny, at: .medium)?.cells.filter(\.isSolved).count == 0)
    #expect(await second.monetizer.solve(second.level(2, .medium)) == .completedStory(Story(pack: .denny, id: "2")))
  }

  @Test("AMB-04: items missing from the catalog count nowhere")
  func unknown() async throws {
    let app = try await App.launch()
    for difficulty in Difficulty.allCases { _ = await app.monetizer.solve(app.level(21, difficulty)) }
    #expect(app.shop.shelf.cards.map(\.progress.description) == ["0/20"])
  }
}
