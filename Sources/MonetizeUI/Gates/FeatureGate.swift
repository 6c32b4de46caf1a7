// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  public import Monetize
  public import MonetizePaywalls
  public import SwiftUI

  /// Shows a feature, or a replacement for it: a lock that leads to the paywall, a progress indicator, or the reason.
  ///
  /// ```swift
  /// FeatureGate(.insights) { InsightsView() }
  /// FeatureGate(.insights) { InsightsView() } placeholder: { notice, tap in Button(notice.message, action: tap) }
  /// ```
  ///
  /// In a list, content and placeholder must be one view each, because a list gives the sheet of the gate to every row.
  ///
  /// The content is made only while the feature is allowed. The lock appears only after the store has answered that the feature was not
  /// bought.
  public struct FeatureGate<Content: View, Placeholder: View>: View {
    private let request: AccessRequest
    private let fallback: (@MainActor () -> Void)?
    private let content: () -> Content
    private let placeholder: (FeatureNotice, @escaping @MainActor () -> Void) -> Placeholder

    /// Makes a gate with a placeholder of the app's own.
    /// - Parameters:
    ///   - request: The question.
    ///   - fallback: Called for a tap on the lock, instead of the parental gate and the paywall.
    ///   - content: The feature.
    ///   - placeholder: The replacement, with its texts and the action of a tap.
    public init(
      _ request: AccessRequest, fallback: (@MainActor () -> Void)? = nil, @ViewBuilder content: @escaping () -> Content,
      @ViewBuilder placeholder: @escaping (FeatureNotice, @escaping @MainActor () -> Void) -> Placeholder
    ) {
      (self.request, self.fallback, self.content, self.placeholder) = (request, fallback, content, placeholder)
    }

    /// The view.
    public var body: some View {
      GatedContent(request: request, fallback: fallback, content: content, placeholder: placeholder).presentsPaywalls()
    }
  }

  extension FeatureGate {
    /// Makes a gate with a placeholder of the app's own.
    public init(
      _ feature: FeatureID, item: ItemPath? = nil, fallback: (@MainActor () -> Void)? = nil, @ViewBuilder content: @escaping () -> Content,
      @ViewBuilder placeholder: @escaping (FeatureNotice, @escaping @MainActor () -> Void) -> Placeholder
    ) {
      self.init(AccessRequest(feature, item: item), fallback: fallback, content: content, placeholder: placeholder)
    }
  }

  extension FeatureGate where Placeholder == FeatureNoticeView {
    /// Makes a gate with the framework's placeholder.
    public init(_ request: AccessRequest, fallback: (@MainActor () -> Void)? = nil, @ViewBuilder content: @escaping () -> Content) {
      self.init(request, fallback: fallback, content: content) { FeatureNoticeView($0, action: $1) }
    }

    /// Makes a gate with the framework's placeholder.
    public init(
      _ feature: FeatureID, item: ItemPath? = nil, fallback: (@MainActor () -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) {
      self.init(AccessRequest(feature, item: item), fallback: fallback, content: content)
    }
  }

  extension View {
    /// Shows this view only if a feature is allowed, and otherwise a lock, a progress indicator or the reason; see ``FeatureGate``.
    public func gated(by feature: FeatureID, item: ItemPath? = nil) -> some View { FeatureGate(feature, item: item) { self } }

    /// Shows this view only if a request is allowed; see ``FeatureGate``.
    public func gated(by request: AccessRequest) -> some View { FeatureGate(request) { self } }

    /// Shows this view only if a feature is allowed, and otherwise a placeholder of the app's own.
    public func gated(
      by feature: FeatureID, item: ItemPath? = nil,
      @ViewBuilder placeholder: @escaping (FeatureNotice, @escaping @MainActor () -> Void) -> some View
    ) -> some View {
      FeatureGate(feature, item: item, content: { self }, placeholder: placeholder)
    }
  }

  private struct GatedContent<Content: View, Placeholder: View>: View {
    let request: AccessRequest
    let fallback: (@MainActor () -> Void)?
    let content: () -> Content
    let placeholder: (FeatureNotice, @escaping @MainActor () -> Void) -> Placeholder
    @Environment(\.monetize) private var context
    @Environment(\.timeZone) private var zone

    var body: some View {
      let access = context.access(to: request)
      if access.isOpen {
        content()
      } else if let catalog = context.snapshot?.catalog, let notice = FeatureNotice(for: request, access, in: catalog, zone: zone) {
        placeholder(notice) { tap(notice) }
          .task(id: notice.sort) { await check(notice) }
      }
    }

    /// Reads the store when an answer became doubtful while the app is open. Nothing can be tapped meanwhile.
    private func check(_ notice: FeatureNotice) async {
      guard notice.sort == .checking, let model = context.model, model.snapshot.situation.store.hasAnswered else { return }
      await model.monetizer.refresh()
    }

    private func tap(_ notice: FeatureNotice) {
      guard let monetizer = context.model?.monetizer else { return }
      switch notice.sort {
      case .locked:
        if let fallback { fallback() } else { GateTap(context: context, request: request).open() }
      case .unreachable, .checking: Task { await monetizer.refresh() }
      case .waitingForApproval, .closed: break
      }
    }
  }
#endif
