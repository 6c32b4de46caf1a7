// SPDX-License-Identifier: Apache-2.0
#if canImport(Combine) && canImport(SwiftUI)
  import Combine
  import Foundation
  public import Monetize
  import MonetizePaywalls
  public import SwiftUI

  /// Settings > Subscription: the plan, its status, the possible actions (see plans, restore, manage), and the app's support
  /// page. Place it in a `List` or a `Form`.
  public struct SubscriptionSettings: View {
    private let entitlement: EntitlementID
    private let placement: PlacementID
    private let onAction: (PaywallAction) -> Void

    /// Makes the settings of an entitlement.
    /// - Parameters:
    ///   - entitlement: The entitlement that the app's plans give.
    ///   - placement: The placement that lists the actions, and that `upgrade` opens. Default: `settings`.
    ///   - onAction: Called for the catalog's own actions, which the framework does not perform.
    public init(
      _ entitlement: EntitlementID, at placement: PlacementID = .settings, onAction: @escaping (PaywallAction) -> Void = { _ in }
    ) {
      (self.entitlement, self.placement, self.onAction) = (entitlement, placement, onAction)
    }

    /// The view.
    public var body: some View { SubscriptionRows(entitlement: entitlement, placement: placement, onAction: onAction) }
  }

  private struct SubscriptionRows: View {
    let entitlement: EntitlementID
    let placement: PlacementID
    let onAction: (PaywallAction) -> Void
    @StateObject private var restoring = Restoring()
    @StateObject private var presenter = Presenter()
    @Environment(\.monetize) private var context
    @Environment(\.timeZone) private var zone
    @Environment(\.openURL) private var openURL
    @Environment(\.hasBrowser) private var hasBrowser
    @Environment(\.hasCodeEntry) private var hasCodeEntry

    var body: some View {
      if let monetizer = context.model?.monetizer, let summary = monetizer.snapshot.summary(of: entitlement, at: placement) {
        let screen = SubscriptionScreen(summary, in: monetizer.snapshot.catalog, zone: zone)
        Section(screen.title) {
          VStack(alignment: .leading, spacing: 4) {
            if let plan = screen.plan { Text(verbatim: plan).font(.headline) }
            if let status = screen.status {
              Text(verbatim: status).font(.subheadline).foregroundColor(screen.needsAttention ? .red : .secondary)
            }
            ForEach(screen.notices, id: \.self) { Text(verbatim: $0).font(.subheadline).foregroundColor(.red) }
          }
          .accessibilityElement(children: .combine)
          // A list gives each row of a section the section's modifiers, so that every row would present a sheet of its own.
          .modifier(PaywallSheet(presenter))
          ForEach(screen.actions.filter { (hasBrowser || $0.id != .manage) && (hasCodeEntry || $0.id != .redeem) }) { action in
            Button {
              perform(action.id, monetizer)
            } label: {
              Text(verbatim: action.label)
            }
            .disabled(restoring.isBusy && action.id == .restore)
          }
          if let notice = restoring.notice { Text(verbatim: notice).font(.footnote).foregroundColor(.secondary).announced(notice) }
          if let url = screen.supportURL { support(screen.supportLabel, url, monetizer) }
        }
      }
    }

    @ViewBuilder private func support(_ label: String, _ url: URL, _ monetizer: Monetizer) -> some View {
      if hasBrowser {
        Button {
          leave(to: url, monetizer)
        } label: {
          Text(verbatim: label)
        }
      } else {
        Text(verbatim: "\(label): \(url.absoluteString)")
      }
    }

    private func perform(_ action: PaywallAction, _ monetizer: Monetizer) {
      switch action {
      case .restore: Task { await restoring.restore(monetizer, asking: presenter) }
      case .manage: leave(to: SubscriptionPage.url, monetizer)
      case .redeem: Task { await restoring.redeem(monetizer, in: context.place, asking: presenter) }
      case .purchase, .upgrade: Task { await presenter.open(monetizer, at: placement) }
      default: onAction(action)
      }
    }

    private func leave(to url: URL?, _ monetizer: Monetizer) {
      guard let url else { return }
      Task { if await monetizer.mayOpenLink(asking: presenter) { openURL(url) } }
    }
  }

  /// A button that restores purchases and reports the result. A second tap does nothing during a restore.
  public struct RestoreButton: View {
    /// Makes the button.
    public init() {}
    /// The view.
    public var body: some View { RestoreRow().presentsPaywalls() }
  }

  private struct RestoreRow: View {
    @StateObject private var restoring = Restoring()
    @Environment(\.monetize) private var context

    var body: some View {
      if let monetizer = context.model?.monetizer {
        VStack(spacing: 6) {
          Button {
            guard let presenter = context.presenter else { return }
            Task { await restoring.restore(monetizer, asking: presenter) }
          } label: {
            Text(verbatim: PaywallAction.restore.label(in: monetizer.snapshot.catalog.language))
          }
          .disabled(restoring.isBusy)
          if let notice = restoring.notice {
            Text(verbatim: notice).font(.footnote).foregroundColor(.secondary).multilineTextAlignment(.center).announced(notice)
          }
        }
      }
    }
  }

  /// A restore, or an entry of an offer code, at a person's request.
  @MainActor private final class Restoring: ObservableObject {
    @Published private(set) var isBusy = false
    @Published private(set) var notice: String?

    func restore(_ monetizer: Monetizer, asking presenter: any ChallengePresenter) async {
      guard !isBusy else { return }
      (isBusy, notice) = (true, nil)
      let outcome = await monetizer.behindGate(nil, asking: presenter) { pass async throws(GateRequired) -> RestoreOutcome in
        try await monetizer.restorePurchases(pass: pass)
      }
      let language = monetizer.snapshot.catalog.language
      isBusy = false
      notice = outcome.map { $0.text(in: language) } ?? ParentalChallenge.failureText(in: language)
    }

    func redeem(_ monetizer: Monetizer, in place: StoreObject?, asking presenter: any ChallengePresenter) async {
      guard !isBusy else { return }
      (isBusy, notice) = (true, nil)
      notice = await monetizer.redeem(in: place, pass: nil, asking: presenter)
      isBusy = false
    }
  }
#endif
