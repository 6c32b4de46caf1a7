// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazePacks
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct FlowTests {
  let story = Story(pack: .denny, id: "3")

  /// A flow that shows a maze.
  func playing(_ difficulty: Difficulty) -> MazeFlow {
    var flow = MazeFlow(MazeMemory(difficulty: difficulty))
    flow.handle(.open(pack: .denny))
    flow.handle(.play(story.level(difficulty)))
    return flow
  }

  func expect(_ flow: inout MazeFlow, _ event: MazeFlow.Event, means: Bool = true, at location: SourceLocation = #_sourceLocation) {
    let meant = flow.handle(event)
    #expect(meant == means, sourceLocation: location)
  }

  @Test("MAZE-09, MAZE-11: a new user chooses a difficulty, sees the shelf, then the grid at that difficulty")
  func newUser() {
    var flow = MazeFlow()
    var routes = [flow.route]
    for event in [MazeFlow.Event.choose(.medium), .open(pack: .denny), .play(story.level(.medium))] {
      expect(&flow, event)
      routes.append(flow.route)
    }
    #expect(routes == [.onboarding, .shelf, .grid(pack: .denny, .medium), .story(story.level(.medium))])
  }

  @Test("MAZE-11: before a difficulty is chosen nothing else is possible")
  func onboardingFirst() {
    var flow = MazeFlow()
    let events: [MazeFlow.Event] = [
      .open(pack: .denny), .play(story.level(.easy)), .next, .back, .solved(.solved(story.level(.easy))), .solved(.completedStory(story)),
    ]
    for event in events { expect(&flow, event, means: false) }
    #expect(flow == MazeFlow())
  }

  @Test("AMB-07: a returning user starts at the shelf, with the stored difficulty")
  func returning() throws {
    var first = MazeFlow()
    first.handle(.choose(.hard))
    let stored = try JSONEncoder().encode(first.memory)
    var second = MazeFlow(try JSONDecoder().decode(MazeMemory.self, from: stored))
    #expect(String(decoding: stored, as: UTF8.self) == #"{"difficulty":"hard"}"#)
    #expect(second.route == .shelf)
    second.handle(.open(pack: .denny))
    #expect(second.route == .grid(pack: .denny, .hard))
  }

  @Test("MAZE-26, DEF-M10: next leads through the difficulties of one story, then to the shelf, never to the next story")
  func next() {
    var flow = playing(.easy)
    var routes: [MazeFlow.Route] = []
    for _ in 1...3 {
      flow.handle(.next)
      routes.append(flow.route)
    }
    #expect(routes == [.story(story.level(.medium)), .story(story.level(.hard)), .shelf])
    #expect(flow.memory.difficulty == .easy)
  }

  @Test("MAZE-25: the celebration leads to the shelf", arguments: [MazeFlow.Event.next, .back])
  func celebration(_ event: MazeFlow.Event) {
    var flow = playing(.hard)
    expect(&flow, .solved(.completedStory(story)))
    #expect(flow.route == .celebration(story))
    expect(&flow, event)
    #expect(flow.route == .shelf)
  }

  @Test("MAZE-25: solving a maze of an incomplete story changes no screen, and events of another story have no effect")
  func solved() {
    var flow = playing(.easy)
    expect(&flow, .solved(.solved(story.level(.easy))))
    #expect(flow.route == .story(story.level(.easy)))
    expect(&flow, .solved(.completedStory(Story(pack: .denny, id: "2"))), means: false)
    expect(&flow, .solved(.solved(story.level(.hard))), means: false)
    #expect(flow.route == .story(story.level(.easy)))
  }

  @Test("AMB-03: the difficulty can be changed on the shelf and in the grid, and back returns to the previous screen")
  func changing() {
    var flow = MazeFlow(MazeMemory(difficulty: .easy))
    flow.handle(.choose(.medium))
    #expect(flow.route == .shelf)
    flow.handle(.open(pack: .denny))
    flow.handle(.choose(.hard))
    #expect(flow.route == .grid(pack: .denny, .hard))
    flow.handle(.play(story.level(.hard)))
    flow.handle(.back)
    #expect(flow.route == .grid(pack: .denny, .hard))
    flow.handle(.back)
    #expect(flow.route == .shelf)
  }

  @Test("MAZE-11: this grid plays no story of another pack")
  func otherPack() {
    var flow = MazeFlow(MazeMemory(difficulty: .easy))
    flow.handle(.open(pack: .robin))
    expect(&flow, .play(story.level(.easy)), means: false)
  }
}
