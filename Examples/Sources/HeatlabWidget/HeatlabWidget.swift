// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && canImport(WidgetKit)
  import ExampleSetup
  import Foundation
  import Heatlab
  import Monetize
  import SwiftUI
  import WidgetKit

  /// The widget of the fitness app: what the app finds in the sessions, for customers with Pro.
  @main struct HeatlabWidget: Widget {
    var body: some WidgetConfiguration {
      StaticConfiguration(kind: ExampleSetup.heatlabWidget, provider: InsightProvider()) { InsightView(entry: $0) }
        .configurationDisplayName("Insight")
        .description("What Heatlab finds in your sessions.")
        .supportedFamilies([.systemSmall, .systemMedium])
    }
  }

  /// The answer from one moment on, until the next entry.
  struct InsightEntry: TimelineEntry {
    let date: Date
    /// What to show; `nil` while the app's state cannot be read.
    let access: FeatureAccess?
  }

  /// Reads the state file that the app writes. Asks no store, writes nothing and waits for no lock.
  struct InsightProvider: TimelineProvider {
    private let catalog: Catalog?
    private let storage: (any StateStorage)?
    private let now: @Sendable () -> Date

    init(
      catalog: Catalog? = try? ExampleSetup.catalog("heatlab"), storage: (any StateStorage)? = nil,
      now: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.catalog = catalog
      self.storage = storage ?? catalog.map { FileStorage(ExampleSetup.state(of: $0, group: ExampleSetup.heatlabGroup)) }
      self.now = now
    }

    func placeholder(in context: Context) -> InsightEntry { InsightEntry(date: now(), access: nil) }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (InsightEntry) -> Void) { completion(read(at: now()).entry) }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<InsightEntry>) -> Void) { completion(timeline()) }

    /// The present answer, and the next one at the instant when it changes by itself. All other changes come from the app, which reloads
    /// the widget.
    func timeline() -> Timeline<InsightEntry> {
      let (entry, change) = read(at: now())
      guard let change else { return Timeline(entries: [entry], policy: .never) }
      return Timeline(entries: [entry, read(at: change).entry], policy: .atEnd)
    }

    private func read(at date: Date) -> (entry: InsightEntry, change: Date?) {
      guard let catalog, let storage, let snapshot = try? Snapshot(storedIn: storage, catalog: catalog, at: date) else {
        return (InsightEntry(date: date, access: nil), nil)
      }
      let access = snapshot.access(to: .aiInsights)
      return (InsightEntry(date: date, access: access), access.decision.validUntil)
    }
  }

  struct InsightView: View {
    let entry: InsightEntry

    var body: some View {
      VStack(alignment: .leading, spacing: 4) {
        Text("Heatlab").font(.headline)
        switch entry.access {
        case .open: Text("You recover fastest after sessions in the morning.")
        case .offer: Text("Insights are part of Pro.")
        // Neither content nor a prompt: only the app can read the store.
        case .waiting, .closed, nil: Text("Open Heatlab to see your sessions.")
        }
      }
      .widgetBackground()
    }
  }

  extension View {
    /// From iOS 17 and macOS 14 on, the system draws only widgets that name their background.
    @ViewBuilder func widgetBackground() -> some View {
      if #available(iOS 17.0, macOS 14.0, *) {
        containerBackground(Color.primary.opacity(0.05), for: .widget)
      } else {
        padding()
      }
    }
  }
#endif
