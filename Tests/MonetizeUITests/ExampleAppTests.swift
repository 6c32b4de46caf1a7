// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazePacks
import Monetize
import MonetizeSimulator
import MonetizeUI
import SwiftUI
import Testing
import WidgetKit

@testable import DozziApp
@testable import HeatlabApp
@testable import MagicalStoriesApp
@testable import MazeApp
@testable import PuzzlesApp

@Suite("The example apps", .timeLimit(.minutes(30)))
@MainActor struct ExampleAppTests {
  @Test("MAZE-09, MAZE-11, MAZE-25, MAZE-26: the maze app's screens in the order of its flow; a refund closes the maze that is played")
  func maze() async throws {
    let stage = try await Stage("maze-packs")
    var saved: [Difficulty?] = []
    let home = MazeHome(maze: try MazeCatalog(stage.catalog)) { saved.append($0.difficulty) }
    let host = stage.show(home, width: 1180, height: 820)
    var pieces: [String] = []
    func look(_ name: String) {
      pieces.append("== \(name)\n\(TreeText.of(host.tree))")
      #expect(LabelTests.mistakes(host.tree) == [], "\(name)")
    }
    func tap(_ names: String...) async { for name in names { #expect(await stage.tap(name, in: host), "\(name)") } }
    look("a new user")
    await tap("medium")
    #expect(saved == [.medium])
    look("the shelf, with one pack")
    await tap("Denny's Stories, 0 of 20 completed, locked")
    look("the stories, medium")
    await tap("1")
    look("a maze")
    await tap("Solve")
    look("a solved maze")
    await tap("Next", "Solve", "Next")
    look("Next after the last level of a story that is not complete: the shelf")
    await tap("Denny's Stories", "easy", "1", "Solve")
    look("the third level of a story")
    await tap("Back to the shelf", "Denny's Stories", "4, locked")
    await stage.passGate(host)
    await tap("Buy", "4")
    #expect(host.texts.contains("Maze denny/4/easy"))
    try await stage.store.refund("com.example.mazes.pack.denny")
    await stage.settle()
    look("a refund during a maze")
    await tap("Back to the stories", "Back to the shelf")
    #expect(host.control("Denny's Stories, 1 of 20 completed, locked") != nil && saved.last == .easy)
    let again = stage.show(MazeHome(maze: try MazeCatalog(stage.catalog), memory: MazeMemory(difficulty: .hard)))
    #expect(again.texts.contains("Mazes"), "AMB-07: a returning user starts at the shelf")
    let difference = try Golden.check(pieces.joined(separator: "\n\n"), "maze-app")
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test("HEAT-22: a week of sessions and locks, then Pro shows all of them")
  func heatlab() async throws {
    let stage = try await Stage("heatlab")
    let host = stage.show(HeatlabHome(model: stage.model))
    await stage.settle()
    #expect(WidgetCenter.shared.reloaded == ["com.heatlab.insight"])
    #expect(host.texts.contains("Unlock") && !host.texts.contains { $0.hasPrefix("12%") } && LabelTests.mistakes(host.tree) == [])
    #expect(await stage.tap("AI insights, locked", in: host) && WidgetCenter.shared.reloaded.count == 1)
    #expect(await stage.tap("Subscribe", in: host) && WidgetCenter.shared.reloaded.count == 2, "the widget follows the purchase")
    #expect(host.texts.contains { $0.hasPrefix("12%") } && host.texts.contains("Heatlab Pro Annual") && !host.texts.contains("Unlock"))
  }

  @Test("MAGIC-52: three stories, then the paywall; Premium has no limit")
  func stories() async throws {
    let stage = try await Stage("magical-stories")
    let host = stage.show(StoriesHome(model: stage.model))
    #expect(LabelTests.mistakes(host.tree) == [])
    for number in 1...3 {
      #expect(host.type("idea \(number)", into: "What is it about?"))
      #expect(await stage.tap("Make a story", in: host))
      #expect(host.texts.contains("Stories this month: \(number)/3"))
    }
    #expect(host.type("idea 4", into: "What is it about?"))
    #expect(await stage.tap("Make a story", in: host))
    await stage.passGate(host)
    #expect(host.texts.contains("You've used all your free stories this month!"))
    #expect(await stage.tap("Upgrade to Premium", in: host))
    #expect(!host.hasSheet && !host.texts.contains { $0.hasPrefix("Stories this month") })
    #expect(await stage.tap("Make a story", in: host))
    #expect(host.texts.contains { $0.contains("idea 4") })
  }

  @Test("DOZZI-23, DOZZI-25: two stories, then the paywall; the status turns from the orange clock into the blue sign with a badge")
  func dozzi() async throws {
    let stage = try await Stage("dozzi")
    let host = stage.show(DozziHome(model: stage.model))
    #expect(host.texts.contains("2 stories remaining") && LabelTests.mistakes(host.tree) == [])
    for _ in 0..<2 { #expect(await stage.tap("Tell a story", in: host)) }
    #expect(host.texts.contains("0 stories remaining") && host.texts.contains("Story 2: good night."))
    #expect(await stage.tap("Tell a story", in: host))
    await stage.passGate(host)
    #expect(await stage.tap("Unlock Unlimited Stories", in: host))
    #expect(host.texts.contains("PREMIUM") && host.texts.contains("Unlimited stories"))
  }

  @Test("PUZZ-01: what is released is open, what is not has no lock to buy, and nothing is sold")
  func puzzles() async throws {
    let stage = try await Stage("maxs-puzzles")
    let host = stage.show(PuzzlesHome(model: stage.model))
    #expect(host.texts.contains("Quick Play") && host.texts.contains("Not available yet.") && !host.texts.contains("Unlock"))
    #expect(host.controls.count == 11 && LabelTests.mistakes(host.tree) == [])
  }

  @Test("Each example makes its monetizer at launch, and not once for each window") func launch() throws {
    for app in ["MazeApp", "HeatlabApp", "MagicalStoriesApp", "DozziApp", "PuzzlesApp"] {
      let text = try String(contentsOf: Stage.root.appendingPathComponent("Examples/Sources/\(app)/\(app).swift"), encoding: .utf8)
      let launched = try #require(text.components(separatedBy: "var body: some Scene").first)
      #expect(launched.contains("ExampleSetup.model(") && text.components(separatedBy: "ExampleSetup.model(").count == 2, "\(app)")
    }
  }

  @Test("Each example is shorter than 150 lines")
  func short() throws {
    for app in ["MazeApp", "HeatlabApp", "HeatlabWidget", "MagicalStoriesApp", "DozziApp", "PuzzlesApp"] {
      let text = try String(contentsOf: Stage.root.appendingPathComponent("Examples/Sources/\(app)/\(app).swift"), encoding: .utf8)
      #expect(text.components(separatedBy: "\n").count < 150, "\(app)")
    }
  }
}
