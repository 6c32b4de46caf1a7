// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import ExampleSetup
  import MaxsPuzzles
  import Monetize
  import MonetizeUI
  import SwiftUI

  /// The puzzle app: nothing is sold. Modules, what is released, what a parent may see, and presets, all from the catalog.
  @main struct PuzzlesApp: App {
    // Made at launch and once: every window shows the same customer.
    private let model = try? ExampleSetup.model(ExampleSetup.catalog("maxs-puzzles"))

    var body: some Scene {
      WindowGroup {
        if let model { PuzzlesHome(model: model) } else { Text("maxs-puzzles.json is missing or has mistakes.") }
      }
    }
  }

  /// The app's first view.
  struct PuzzlesHome: View {
    let model: MonetizerModel

    var body: some View {
      ScrollView {
        VStack(spacing: 24) {
          Text("Max's Puzzles").font(.largeTitle.bold()).accessibilityAddTraits(.isHeader)
          ForEach(model.monetizer.catalog.modules, id: \.id) { module in Text(module.title ?? module.id).font(.title2) }
          Text("Quick Play").gated(by: .circuitChallenge("quickPlay"))
          ItemGrid(.circuitChallenge("presets"), in: "presets") { _ in }
          Text("Shop").gated(by: .shop)
          Text("How the children play").gated(by: .parentDashboard)
        }
        .padding(24)
      }
      .monetizer(model)
    }
  }
#endif
