// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import ExampleSetup
  import MazePacks
  import Monetize
  import MonetizeUI
  import SwiftUI

  /// The maze app: a bookshelf of packs, three stories of each free, the rest bought once for each pack, behind a parental gate.
  @main struct MazeApp: App {
    // The file is part of the app: a mistake in it shows at the first launch of a build.
    private let maze = try? MazeCatalog(ExampleSetup.catalog("maze-packs"))

    var body: some Scene {
      WindowGroup {
        if let maze { MazeHome(maze: maze) } else { Text("maze-packs.json is missing or has mistakes: monetize validate lists them.") }
      }
    }
  }

  /// The app's first view, with the owner of the monetizer.
  struct MazeHome: View {
    let maze: MazeCatalog
    @StateObject private var model: MonetizerModel

    init(maze: MazeCatalog, model: MonetizerModel? = nil) {
      self.maze = maze
      _model = StateObject(wrappedValue: model ?? ExampleSetup.model(maze.catalog))
    }

    var body: some View { Bookshelf(maze: maze).monetizer(model) }
  }

  /// The shelf, or the stories of the pack that was tapped.
  struct Bookshelf: View {
    let maze: MazeCatalog
    @State private var pack: CollectionID?
    @State private var playing: StoryLevel?
    @State private var difficulty = Difficulty.easy

    var body: some View {
      if let playing {
        MazeBoard(level: playing) { self.playing = nil }
      } else if let pack = pack.flatMap(maze.pack) {
        stories(of: pack)
      } else {
        ScrollView {
          VStack(spacing: 24) {
            Text("Mazes").font(.largeTitle.bold()).accessibilityAddTraits(.isHeader)
            PackShelf(.storyPlay) { pack = $0 }
            RestoreButton()
          }
          .padding(24)
        }
      }
    }

    private func stories(of pack: Pack) -> some View {
      ScrollView {
        VStack(spacing: 20) {
          Text(pack.title).font(.title2.bold()).accessibilityAddTraits(.isHeader)
          HStack(spacing: 12) {
            ForEach(Difficulty.allCases, id: \.self) { choice in
              Button(choice.rawValue) { difficulty = choice }
                .accessibilityAddTraits(choice == difficulty ? .isSelected : [])
            }
          }
          ItemGrid(.storyPlay, in: pack.id, part: difficulty.rawValue) { path in
            playing = pack.stories.first { $0.path == path.whole }?.level(difficulty)
          }
          Button("Back to the shelf") { self.pack = nil }
        }
        .padding(24)
      }
    }
  }

  /// The maze itself, which is not part of this example: solving it is a button.
  struct MazeBoard: View {
    let level: StoryLevel
    let close: @MainActor () -> Void
    @Environment(\.monetizer) private var monetizer

    var body: some View {
      VStack(spacing: 16) {
        Text("Maze \(level.path.description)").font(.title2)
        Button("Solved") {
          Task {
            await monetizer?.complete(level.path)
            close()
          }
        }
        Button("Give up", action: close)
      }
    }
  }
#endif
