// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import Foundation
  public import Monetize
  import MonetizePaywalls
  public import SwiftUI

  /// The selling screen: prices from the store, the chosen plan, every state, the parental gate, restore, terms and privacy.
  ///
  /// The modifier `gated(by:item:)`, ``FeatureGate`` and ``Gate`` present it automatically. Place it yourself in an app with its own
  /// navigation:
  ///
  /// ```swift
  /// case .paywall(let paywall, let pass): PaywallView(paywall, pass: pass)
  /// ```
  public struct PaywallView: View {
    private let paywall: Paywall
    private let pass: GatePass?
    private let onAction: (PaywallAction) -> Void
    private let onClose: (() -> Void)?
    @Environment(\.monetize) private var context

    /// Makes the screen of a paywall.
    /// - Parameters:
    ///   - paywall: The paywall.
    ///   - pass: The pass that came with the paywall, valid for one purchase or restore.
    ///   - onAction: Called for the catalog's own actions, which the framework does not perform.
    ///   - onClose: Called when the customer closes it, and when nothing is left to sell. Default: closes its sheet.
    public init(
      _ paywall: Paywall, pass: GatePass? = nil, onAction: @escaping (PaywallAction) -> Void = { _ in }, onClose: (() -> Void)? = nil
    ) {
      (self.paywall, self.pass, self.onAction, self.onClose) = (paywall, pass, onAction, onClose)
    }

    /// The view.
    public var body: some View {
      if let monetizer = context.model?.monetizer {
        // A different paywall gets a new model. Other values of the paywall may change while it is shown.
        PaywallContent(PaywallModel(paywall, pass: pass, monetizer: monetizer), onAction: onAction, onClose: onClose)
          .id(paywall.request).id(paywall.placement)
      }
    }
  }

  /// The paywall with its model, which lives while the paywall is shown.
  private struct PaywallContent: View {
    @StateObject private var model: PaywallModel
    private let onAction: (PaywallAction) -> Void
    private let onClose: (() -> Void)?
    @Environment(\.monetize) private var context
    @Environment(\.paywallBody) private var paywallBody
    @Environment(\.dismiss) private var dismiss
    @Environment(\.openURL) private var openURL

    init(_ model: @autoclosure @escaping () -> PaywallModel, onAction: @escaping (PaywallAction) -> Void, onClose: (() -> Void)?) {
      _model = StateObject(wrappedValue: model())
      (self.onAction, self.onClose) = (onAction, onClose)
    }

    var body: some View {
      GeometryReader { proxy in
        Group {
          if let challenge = model.challenge {
            ParentalGateView(challenge, language: model.screen.language)
          } else {
            paywallBody(configuration(isWide: proxy.size.width > proxy.size.height && proxy.size.width >= Metrics.wide))
          }
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
      }
      .environment(\.layoutDirection, model.screen.isRightToLeft ? .rightToLeft : .leftToRight)
      .sheetSize()
      .task { await model.follow() }
      .task(id: model.screen.isDone) { if model.screen.isDone { close() } }
    }

    private func configuration(isWide: Bool) -> PaywallStyleConfiguration {
      PaywallStyleConfiguration(
        screen: model.screen, notice: model.notice, isWide: isWide, select: { model.select($0) }, perform: { perform($0) },
        open: { link in leave(to: URL(string: link.url)) })
    }

    private func perform(_ action: PaywallAction) {
      guard model.screen.actions.first(where: { $0.id == action })?.isEnabled == true else { return }
      switch action {
      case .purchase, .upgrade: Task { await model.buy(confirmIn: context.place) }
      case .restore: Task { await model.restore() }
      case .retry: Task { await model.retry() }
      case .manage: leave(to: SubscriptionPage.url)
      case .redeem: Task { await model.redeem(in: context.place) }
      case .dismiss: close()
      default: onAction(action)
      }
    }

    private func leave(to url: URL?) {
      guard let url else { return }
      Task { if await model.mayOpenLink() { openURL(url) } }
    }

    private func close() { if let onClose { onClose() } else { dismiss() } }
  }

  /// The App Store's list of the customer's subscriptions.
  enum SubscriptionPage {
    /// Source: https://developer.apple.com/documentation/storekit/handling-subscriptions-billing
    static let url = URL(string: "https://apps.apple.com/account/subscriptions")
  }
#endif
