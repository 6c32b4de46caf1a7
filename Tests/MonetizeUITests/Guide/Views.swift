// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import Foundation
import Monetize
import MonetizePaywalls
import MonetizePreview
import MonetizeUI
import SwiftUI
import WidgetKit

@MainActor private let catalogURL = Stage.root.appendingPathComponent("Products/heatlab.json")

struct NightStyle: PaywallStyle {
  func makeBody(configuration: Configuration) -> some View {
    VStack {
      Text(configuration.screen.headline ?? "")
      ForEach(configuration.screen.actions) { action in
        Button(action.label) { configuration.perform(action.id) }.disabled(!action.isEnabled)
      }
    }
  }
}

struct InsightsSection: View {
  var body: some View {
    Text("Your insights").gated(by: "insights") { notice, tap in
      Button(action: tap) { Label(notice.message, systemImage: "lock") }
    }
  }
}

struct NotesPreviews: PreviewProvider {
  static let store = PreviewStore(catalog: try! Catalog(contentsOf: catalogURL), owns: ["com.example.notes.pro"])
  static var previews: some View {
    VStack {
      Text("Export").gated(by: "export")
      PreviewPanel(store)
    }
    .preview(store)
  }
}

struct ExportEntry: TimelineEntry {
  let date: Date
  let access: FeatureAccess?

  static func timeline(_ catalog: Catalog, _ file: FileStorage, at now: Date) -> Timeline<ExportEntry> {
    func entry(at date: Date) -> ExportEntry {
      let snapshot = try? Snapshot(storedIn: file, catalog: catalog, at: date)
      return ExportEntry(date: date, access: snapshot?.access(to: "export"))
    }
    let first = entry(at: now)
    guard let change = first.access?.decision.validUntil else { return Timeline(entries: [first], policy: .never) }
    return Timeline(entries: [first, entry(at: change)], policy: .atEnd)
  }
}
