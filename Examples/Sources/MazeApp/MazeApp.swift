// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import ExampleSetup
  import Foundation
  import MazePacks
  import Monetize
  import MonetizeUI
  import SwiftUI

  /// The maze app: a bookshelf of packs, three stories of each free, the rest bought once for each pack, behind a parental gate.
  @main struct MazeApp: App {
    // The file is part of the app: a mistake in it shows at the first launch of a build. The model is made at launch and once: every window
    // shows the same customer.
    private let maze = try? MazeCatalog(ExampleSetup.catalog("maze-packs"))
    private let model: MonetizerModel?

    init() { model = maze.map { ExampleSetup.model($0.catalog) } }

    var body: some Scene {
      WindowGroup {
        if let maze, let model {
          MazeHome(maze: maze, memory: Self.memory) { UserDefaults.standard.set($0.difficulty?.rawValue, forKey: "difficulty") }
            .monetizer(model)
        } else {
          Text("maze-packs.json is missing or has mistakes: monetize validate lists them.")
        }
      }
    }

    private static var memory: MazeMemory {
      MazeMemory(difficulty: UserDefaults.standard.string(forKey: "difficulty").flatMap(Difficulty.init(rawValue:)))
    }
  }

  /// One screen of the app: the route of the flow. The flow has no locks; each screen reads the access to what it shows.
  struct MazeHome: View {
    let maze: MazeCatalog
    let save: @MainActor (MazeMemory) -> Void
    @State private var flow: MazeFlow

    init(maze: MazeCatalog, memory: MazeMemory = MazeMemory(), save: @escaping @MainActor (MazeMemory) -> Void = { _ in }) {
      (self.maze, self.save) = (maze, save)
      _flow = State(wrappedValue: MazeFlow(memory))
    }

    var body: some View {
      ScrollView {
        VStack(spacing: 24) { screen }
          .padding(24)
          .frame(maxWidth: .infinity)
      }
    }

    @ViewBuilder private var screen: some View {
      switch flow.route {
      case .onboarding:
        title("How hard shall the mazes be?")
        DifficultyPicker(choice: nil) { handle(.choose($0)) }
      case .shelf:
        title("Mazes")
        DifficultyPicker(choice: flow.memory.difficulty) { handle(.choose($0)) }
        PackShelf(.storyPlay) { handle(.open(pack: $0)) }
        RestoreButton()
      case .grid(let pack, let difficulty):
        title(maze.pack(pack)?.title ?? "")
        DifficultyPicker(choice: difficulty) { handle(.choose($0)) }
        ItemGrid(.storyPlay, in: pack, part: difficulty.rawValue) { path in
          guard let story = maze.pack(pack)?.stories.first(where: { $0.path == path.whole }) else { return }
          handle(.play(story.level(difficulty)))
        }
        Button("Back to the shelf") { handle(.back) }
      case .story(let level):
        title("Maze \(level.path.description)")
        // A refund while the child plays closes the maze, too.
        FeatureGate(.storyPlay, item: level.path) { MazeBoard(level: level, handle: handle).id(level) }
        Button("Back to the stories") { handle(.back) }
      case .celebration(let story):
        title("Story \(story.id) is complete!")
        Button("Back to the shelf") { handle(.next) }
      }
    }

    private func title(_ text: String) -> some View { Text(text).font(.title.bold()).accessibilityAddTraits(.isHeader) }

    private func handle(_ event: MazeFlow.Event) {
      flow.handle(event)
      save(flow.memory)
    }
  }

  /// The three difficulties. A screen reader speaks which one is chosen.
  struct DifficultyPicker: View {
    let choice: Difficulty?
    let choose: @MainActor (Difficulty) -> Void

    var body: some View {
      HStack(spacing: 12) {
        ForEach(Difficulty.allCases, id: \.self) { difficulty in
          Button(difficulty.rawValue) { choose(difficulty) }
            .accessibilityAddTraits(difficulty == choice ? .isSelected : [])
        }
      }
    }
  }

  /// The maze itself, which is not part of this example: solving it is a button.
  struct MazeBoard: View {
    let level: StoryLevel
    let handle: @MainActor (MazeFlow.Event) -> Void
    @Environment(\.monetizer) private var monetizer
    @State private var isSolved = false

    var body: some View {
      if isSolved {
        Text("Solved!")
        Button("Next") { handle(.next) }
      } else {
        Button("Solve") { Task { await solve() } }
      }
    }

    private func solve() async {
      guard let solved = await monetizer?.solve(level) else { return }
      isSolved = true
      handle(.solved(solved))
    }
  }
#endif
