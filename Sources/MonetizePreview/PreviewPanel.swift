// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import Monetize
  import MonetizeUI
  public import SwiftUI

  extension View {
    /// Runs this view with the simulated App Store.
    public func preview(_ store: PreviewStore) -> some View { monetizer(store.model).task { await store.start() } }
  }

  /// A panel for debug builds: buy, refund, approve, wait a month, ask to buy, go offline.
  public struct PreviewPanel: View {
    @ObservedObject private var store: PreviewStore
    @Environment(\.monetizerSnapshot) private var snapshot

    /// Makes the panel of a store.
    public init(_ store: PreviewStore) { self.store = store }

    /// The view.
    public var body: some View {
      List {
        Section("Store") {
          Toggle("Offline", isOn: Binding(get: { store.isOffline }, set: { isOn in Task { await store.setOffline(isOn) } }))
          Toggle("Ask to Buy", isOn: Binding(get: { store.asksToBuy }, set: { isOn in Task { await store.setAsksToBuy(isOn) } }))
        }
        Section("Time: \(ISODate.text(store.date))") {
          Button("Wait a day") { Task { await store.wait(Period(days: 1)) } }
          Button("Wait a month") { Task { await store.wait(Period(months: 1)) } }
          Button("Wait a year") { Task { await store.wait(Period(years: 1)) } }
        }
        ForEach(snapshot?.products ?? [], id: \.product) { status in
          Section("\(status.product.rawValue): \(status.state.rawValue)") {
            Button("Buy \(status.product.rawValue)") { Task { await store.buy(status.product) } }
            if status.isOwned {
              Button("Refund \(status.product.rawValue)", role: .destructive) { Task { await store.refund(status.product) } }
            }
            if status.isPending {
              Button("Approve \(status.product.rawValue)") { Task { await store.approve(status.product) } }
              Button("Decline \(status.product.rawValue)") { Task { await store.decline(status.product) } }
            }
          }
        }
        if let problem = store.problem { Text(verbatim: problem).font(.footnote).foregroundColor(.red) }
      }
    }
  }
#endif
