// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazePacks
import Monetize
import MonetizeSimulator
import MonetizeUI
import SwiftUI
import Testing

@testable import DozziApp
@testable import HeatlabApp
@testable import MagicalStoriesApp
@testable import MazeApp
@testable import PuzzlesApp

@Suite("The example apps", .timeLimit(.minutes(30)))
@MainActor struct ExampleAppTests {
  @Test("MAZE: from the shelf to a locked story, through the gate to the purchase, and on to the maze")
  func maze() async throws {
    let stage = try await Stage("maze-packs")
    let host = stage.show(MazeHome(maze: try MazeCatalog(stage.catalog), model: stage.model), width: 1180, height: 820)
    #expect(await stage.tap("Denny's Stories, 0 of 20 completed, locked", in: host))
    #expect(await stage.tap("1", in: host) && host.texts.contains("Maze denny/1/easy"))
    #expect(await stage.tap("Solved", in: host))
    #expect(host.control("1, completed") != nil)
    #expect(await stage.tap("4, locked", in: host))
    await stage.passGate(host)
    #expect(await stage.tap("Buy", in: host))
    #expect(await stage.tap("4", in: host) && host.texts.contains("Maze denny/4/easy"))
    #expect(LabelTests.mistakes(host.tree) == [])
  }

  @Test("HEAT-22: a week of sessions and locks, then Pro shows all of them")
  func heatlab() async throws {
    let stage = try await Stage("heatlab")
    let host = stage.show(HeatlabHome(model: stage.model))
    #expect(host.texts.contains("Unlock") && !host.texts.contains { $0.hasPrefix("12%") })
    #expect(await stage.tap("AI insights, locked", in: host))
    #expect(await stage.tap("Subscribe", in: host))
    #expect(host.texts.contains { $0.hasPrefix("12%") } && host.texts.contains("Heatlab Pro Annual") && !host.texts.contains("Unlock"))
  }

  @Test("MAGIC-52: three stories, then the paywall; Premium has no limit")
  func stories() async throws {
    let stage = try await Stage("magical-stories")
    let host = stage.show(StoriesHome(model: stage.model))
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
    #expect(host.texts.contains("2 stories remaining"))
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
    #expect(host.controls.count == 11)
  }

  @Test("Each example is shorter than 150 lines")
  func short() throws {
    for app in ["MazeApp", "HeatlabApp", "MagicalStoriesApp", "DozziApp", "PuzzlesApp"] {
      let text = try String(contentsOf: Stage.root.appendingPathComponent("Examples/Sources/\(app)/\(app).swift"), encoding: .utf8)
      #expect(text.components(separatedBy: "\n").count < 150, "\(app)")
    }
  }
}
