// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import Monetize
import MonetizeStoreKit
import MonetizeUI
import SwiftUI

struct NotesApp: App {
  @StateObject private var shop = MonetizerModel(
    catalog: try! Catalog(contentsOf: Bundle.main.url(forResource: "notes", withExtension: "json")!)) { $0.store = .appStore; $0.storage = .file(Self.state) }
  static let state = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0].appendingPathComponent("notes.state")
  var body: some Scene { WindowGroup { NotesView().monetizer(shop) } }
}

struct NotesView: View {
  @Gate("note.create") private var note
  @State private var notes: [String] = []
  var body: some View {
    List {
      UsageMeterView("note.create")
      Button("New note") { Task { await $note.perform { notes.append("Note \(notes.count + 1)") } } }
      ForEach(notes, id: \.self) { Text($0) }
      Text("Export as PDF").gated(by: "export")
      RestoreButton()
    }
  }
}
