// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import ExampleSetup
  import MagicalStories
  import Monetize
  import MonetizeUI
  import SwiftUI

  /// The story app: three stories a month are free, Premium has no limit and more themes.
  @main struct MagicalStoriesApp: App {
    // Made at launch and once: every window shows the same customer.
    private let model = try? ExampleSetup.model(ExampleSetup.catalog("magical-stories"))

    var body: some Scene {
      WindowGroup {
        if let model { StoriesHome(model: model) } else { Text("magical-stories.json is missing or has mistakes.") }
      }
    }
  }

  /// The app's first view.
  struct StoriesHome: View {
    let model: MonetizerModel

    var body: some View {
      ScrollView {
        VStack(spacing: 24) {
          Text("Magical Stories").font(.largeTitle.bold()).accessibilityAddTraits(.isHeader)
          UsageMeterView(.story)
          StoryForm()
          Text("Collections for growing up").gated(by: .growthPathCollections)
          Text("Themes of your own").gated(by: .customThemes)
          SubscriptionSettings(.premium)
        }
        .padding(24)
      }
      .monetizer(model)
    }
  }

  /// Makes a story: counted when it is made, and never when it fails.
  struct StoryForm: View {
    @Gate(.story) private var story
    @State private var theme = ""
    @State private var latest: Story?
    @State private var isMaking = false

    var body: some View {
      VStack(spacing: 12) {
        TextField("What is it about?", text: $theme)
        Button("Make a story") { Task { await make(StoryIdea(id: theme, theme: theme)) } }
          .buttonStyle(.borderedProminent)
          .disabled(isMaking || theme.isEmpty)
        if let latest { Text(latest.text) }
      }
    }

    private func make(_ idea: StoryIdea) async {
      isMaking = true
      defer { isMaking = false }
      // One idea is one story, however often the button is tapped. Without a story left this leads to the paywall.
      if case .done(let story) = await $story.perform(key: idea.id, { try await Teller().story(for: idea) }) { latest = story }
    }
  }

  /// Tells the same story each time, for this example.
  struct Teller: Sendable {
    func story(for idea: StoryIdea) async throws -> Story { Story(id: idea.id, text: "Once upon a time there was \(idea.theme).") }
  }
#endif
