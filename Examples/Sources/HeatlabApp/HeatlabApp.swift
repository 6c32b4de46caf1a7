// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && canImport(WidgetKit)
  import ExampleSetup
  import Foundation
  import Heatlab
  import Monetize
  import MonetizeUI
  import SwiftUI
  import WidgetKit

  /// The fitness app: a week of history is free, Pro shows all of it and what the app finds in it.
  @main struct HeatlabApp: App {
    // Made at launch and once: every window shows the same customer.
    private let model = try? ExampleSetup.model(ExampleSetup.catalog("heatlab"), group: ExampleSetup.heatlabGroup)

    var body: some Scene {
      WindowGroup {
        if let model { HeatlabHome(model: model) } else { Text("heatlab.json is missing or has mistakes.") }
      }
    }
  }

  /// The app's first view.
  struct HeatlabHome: View {
    @ObservedObject var model: MonetizerModel

    var body: some View {
      List {
        HistorySection(sessions: SessionRepository(ThisMonth(), for: model.monetizer))
        Section("Insights") { Text("You recover fastest after sessions in the morning.").gated(by: .aiInsights) }
        Section("Compared") { Text("12% more than last month").gated(by: .periodComparisons) }
        SubscriptionSettings(.pro)
      }
      .monetizer(model)
      // The widget reads the file that the app has just written.
      .task(id: model.snapshot.decision(for: .aiInsights)) { WidgetCenter.shared.reloadTimelines(ofKind: ExampleSetup.heatlabWidget) }
    }
  }

  /// Past sessions, as far back as the customer's plan shows them.
  struct HistorySection: View {
    let sessions: SessionRepository
    @Gate(.history) private var history
    @Environment(\.monetizerSnapshot) private var snapshot

    var body: some View {
      let fetched = sessions.sessions(for: .history)
      Section("Sessions") {
        ForEach(fetched.sessions) { session in Text("Session \(session.id)") }
        if fetched.hidden > 0 {
          // A soft prompt: the older sessions are kept, and Pro shows them.
          Text("\(fetched.hidden) older sessions").gated(by: AccessRequest(.history, date: .distantPast))
        }
      }
    }
  }

  /// Sessions of the last thirty days, for this example.
  struct ThisMonth: SessionStore {
    var now = Date()

    func sessions() -> [Session] { (0..<30).map { Session(id: 30 - $0, start: now.addingTimeInterval(-Double($0) * 86400)) } }
  }
#endif
