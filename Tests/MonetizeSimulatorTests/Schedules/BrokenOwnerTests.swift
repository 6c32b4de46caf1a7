// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize
@testable import MonetizeSimulator

/// The laws about owners, exchanges, limits of parents and remote configuration detect an app that breaks them.
@Suite("Broken on purpose: owners", .timeLimit(.minutes(30)))
struct BrokenOwnerTests {
  @Test("An app that breaks a law about owners, exchanges, limits or overlays is noticed within a few steps", arguments: Flaw.allCases)
  func noticed(flaw: Flaw) async throws {
    let shelf = try Story.Shelf()
    let found = try await BrokenStoryTests.shortest(breaking: flaw.rawValue, among: 1...20_000, about: flaw.theme, of: shelf) { hooks in
      flaw.hooks(hooks, shelf)
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 6, "\(story.file(of: violation))")
    // An intact app has no violation.
    #expect(try await StoryRun.play(story, shelf).violation == nil)
  }

  /// The change of each broken app to its facts after a step, by the law that detects it.
  enum Flaw: String, CaseIterable {
    case keepMixes = "each-keeps-their-own"
    case shareForgets = "sharing-gives-nothing"
    case shareHidesCoins = "both-have-all"
    case transferDoubles = "a-transfer-moves-once"
    case syncAddsTwice = "uses-add-up"
    case syncLoses = "an-exchange-is-whole"
    case forgetsLater = "old-news-changes-nothing"
    case capGives = "caps-only-narrow"
    case overlayTakes = "overlays-take-nothing-paid"

    /// The stories that may show the defect.
    var theme: String {
      switch self {
      case .keepMixes: "\"account\""
      case .shareForgets, .shareHidesCoins: "\"share\""
      case .transferDoubles: "\"transfer\""
      case .syncAddsTwice, .syncLoses, .forgetsLater: "\"sync\""
      case .capGives: "\"cap\""
      case .overlayTakes: "\"overlay\""
      }
    }

    func hooks(_ hooks: ScenarioHooks, _ shelf: Story.Shelf) -> ScenarioHooks {
      var broken = hooks
      broken.after = { [self] world, step in breakIn(world, step, shelf) }
      return broken
    }

    private func breakIn(_ world: ScenarioWorld, _ step: ScenarioStep, _ shelf: Story.Shelf) {
      let session =
        if case .act(_, let frame) = step.content { world.sessions.first { $0.name == frame.device } } else { world.sessions.first }
      guard let monetizer = session?.monetizer else { return }
      let policy = step.does(ScenarioVerbs.Account.self)?.policy
      let (isSync, record) = (step.does(ScenarioVerbs.Sync.self) != nil, step.does(ScenarioVerbs.Record.self)?.content)
      let isOverlay = step.does(ScenarioVerbs.Update.self)?.overlay != nil
      switch self {
      case .keepMixes where policy == .keep:
        change(monetizer) { $0 + [.completion(Completion(item: "denny/1"))] }
      case .shareForgets where policy == .share:
        change(monetizer) { facts in facts.map(Self.lessCounted) }
      case .shareHidesCoins where policy == .share: change(monetizer) { $0.filter { if case .wallet = $0.sort { false } else { true } } }
      case .transferDoubles where policy == .transfer: change(monetizer) { $0 + $0.compactMap(Self.again) }
      case .syncAddsTwice where isSync:
        for other in world.sessions { if let monetizer = other.monetizer { change(monetizer) { $0 + $0.compactMap(Self.again) } } }
      case .syncLoses where isSync: change(monetizer) { $0.filter { if case .completion = $0.sort { false } else { true } } }
      case .forgetsLater where step.frame == nil: change(monetizer) { $0.filter { if case .completion = $0.sort { false } else { true } } }
      case .capGives:
        guard case .cap? = record else { return }
        change(monetizer) { $0.filter { if case .cap = $0.sort { false } else { true } } }
      case .overlayTakes where isOverlay:
        monetizer.parts.answers.change { core in
          core.catalog = shelf.nothingSold
          core.changed()
        }
      default: break
      }
    }

    private func change(_ monetizer: Monetizer, _ body: ([Fact]) -> [Fact]) {
      monetizer.parts.answers.change { core in
        core.facts = CustomerState(body(core.facts.facts))
        core.changed()
      }
      // Such an app shows its facts in every answer.
      _ = monetizer.snapshot
    }

    /// Counts a use again under another name.
    private static func again(_ fact: Fact) -> Fact? {
      guard var use = fact.use else { return nil }
      use.key += "-again"
      return .use(use)
    }

    /// Makes a use free.
    private static func lessCounted(_ fact: Fact) -> Fact {
      guard var use = fact.use else { return fact }
      use.counted = false
      return .use(use)
    }
  }
}
