// SPDX-License-Identifier: Apache-2.0
import Combine
import Foundation
import Monetize
import MonetizePaywalls
import MonetizePreview
import MonetizeSimulator
import MonetizeTesting
import MonetizeUI
import StoreKit
import SwiftUI
import Testing

/// This file imports everything that an app with views imports, and uses the common names of each without their module. A public name of ours
/// that another module exports as well does not compile here.
@MainActor private struct CommonNames: View {
  @State private var state = 0
  @Environment(\.monetizerSnapshot) private var snapshot
  @Gate("export") private var export
  let transaction = Transaction()
  var binding: Binding<Int> { $state }
  var cancellable: AnyCancellable { AnyCancellable {} }
  let product: ProductID = "pro"
  let record: StoreTransaction? = nil
  let item: StoreProduct? = nil
  let kind: (any ProductKind)? = nil
  let menu: Menu<Text, Text>? = nil
  let grid: Grid<Text>? = nil
  let plan: Record<Int, Never>? = nil
  // The only name that two of these modules export. Docs/ApplePlatforms.md says so.
  let both: (Monetize.Subscription?, (any Combine.Subscription)?) = (nil, nil)

  var body: some View {
    Group {
      Label("Export", systemImage: "square.and.arrow.up")
      Text("Price").font(Font.body).foregroundColor(Color.accentColor)
      Image(systemName: "lock")
      Button("Buy") {}
      Section("Plans") { Spacer() }
      UsageMeterView("note")
    }
  }
}

@Suite("Names") struct NameTests {
  @Test("An app that imports StoreKit, SwiftUI, Combine and every module uses their common names without a clash")
  @MainActor func names() {
    #expect(ViewHost(CommonNames()).texts.contains("Price"))
  }
}
