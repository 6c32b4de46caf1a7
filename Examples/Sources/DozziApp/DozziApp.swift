// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import Dozzi
  import ExampleSetup
  import Monetize
  import MonetizeUI
  import SwiftUI

  /// Bedtime stories: two are free, and one purchase lifts the limit for ever.
  @main struct DozziApp: App {
    // Made at launch and once: every window shows the same customer.
    private let model = try? ExampleSetup.model(ExampleSetup.catalog("dozzi"))

    var body: some Scene {
      WindowGroup {
        if let model { DozziHome(model: model) } else { Text("dozzi.json is missing or has mistakes.") }
      }
    }
  }

  /// The app's first view.
  struct DozziHome: View {
    let model: MonetizerModel

    var body: some View {
      ScrollView {
        VStack(spacing: 24) {
          Text("Dozzi").font(.largeTitle.bold()).accessibilityAddTraits(.isHeader)
          CreationView()
          Text("Premium voices").gated(by: AccessRequest(.voices, level: "premium"))
          RestoreButton()
        }
        .padding(24)
      }
      .monetizer(model)
    }
  }

  /// The status above the button that makes a story, and the button.
  struct CreationView: View {
    @Gate(.story) private var story
    @Environment(\.monetizerSnapshot) private var snapshot
    @State private var made = 0

    var body: some View {
      VStack(spacing: 12) {
        if let snapshot { StatusView(status: CreationStatus(snapshot)) }
        Button("Tell a story") {
          let number = made + 1
          Task { if case .done = await $story.perform(key: "story \(number)", { number }) { made = number } }
        }
        .buttonStyle(.borderedProminent)
        if made > 0 { Text("Story \(made): good night.") }
      }
    }
  }

  /// DOZZI-25: free stories have a clock in orange; without a limit an infinity sign in blue and a badge.
  struct StatusView: View {
    let status: CreationStatus

    var body: some View {
      HStack(spacing: 8) {
        Image(systemName: status.icon).foregroundColor(status.look == .free ? .orange : .blue).accessibilityHidden(true)
        Text(status.isChecking ? "Checking your purchases…" : status.counter.description)
        if let badge = status.badge { Text(badge).font(.caption.bold()).foregroundColor(.blue) }
      }
      .accessibilityElement(children: .combine)
    }
  }
#endif
