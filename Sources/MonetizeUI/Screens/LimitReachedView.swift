// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  public import Monetize
  import MonetizePaywalls
  public import SwiftUI

  /// The replacement for a button whose limit is used up: the catalog's texts for it, the reasons to buy, and a button to the paywall.
  /// Shows the reason when no purchase helps, and nothing while the feature is open.
  public struct LimitReachedView: View {
    private let request: AccessRequest
    private let onDismiss: @MainActor () -> Void

    /// Makes the view of a feature.
    /// - Parameters:
    ///   - feature: The feature.
    ///   - onDismiss: Called when the customer declines. Unlocks nothing.
    public init(_ feature: FeatureID, onDismiss: @escaping @MainActor () -> Void = {}) {
      request = AccessRequest(feature)
      self.onDismiss = onDismiss
    }

    /// The view.
    public var body: some View { LimitReached(request: request, onDismiss: onDismiss).presentsPaywalls() }
  }

  private struct LimitReached: View {
    let request: AccessRequest
    let onDismiss: @MainActor () -> Void
    @Environment(\.monetize) private var context
    @Environment(\.timeZone) private var zone

    var body: some View {
      let access = context.access(to: request)
      if let snapshot = context.model?.monetizer.snapshot {
        if let paywall = access.paywall {
          offer(PaywallScreen(of: paywall, snapshot: snapshot, loading: .loading))
        } else if let notice = FeatureNotice(for: request, access, in: snapshot.catalog, zone: zone) {
          FeatureNoticeView(notice) { Task { await context.model?.monetizer.refresh() } }
        }
      }
    }

    private func offer(_ screen: PaywallScreen) -> some View {
      VStack(spacing: Metrics.spacing) {
        PaywallHeader(screen: screen)
        PaywallBenefits(screen: screen)
        ForEach(screen.actions.filter { $0.isPrimary }) { action in
          Button {
            GateTap(context: context, request: request).open()
          } label: {
            Text(verbatim: action.label).font(.headline).frame(maxWidth: .infinity)
          }
          .buttonStyle(.borderedProminent).largeControls()
        }
        ForEach(screen.actions.filter { $0.id == .dismiss }) { action in
          Button(action: onDismiss) { Text(verbatim: action.label) }
        }
      }
      .padding(Metrics.margin)
    }
  }
#endif
