// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  public import Monetize
  public import MonetizePaywalls
  public import SwiftUI

  /// The appearance of paywalls. An app writes its own in the same way as a `ButtonStyle`:
  ///
  /// ```swift
  /// struct NightStyle: PaywallStyle {
  ///   func makeBody(configuration: Configuration) -> some View {
  ///     VStack {
  ///       Text(configuration.screen.headline ?? "")
  ///       ForEach(configuration.screen.actions) { action in
  ///         Button(action.label) { configuration.perform(action.id) }.disabled(!action.isEnabled)
  ///       }
  ///     }
  ///   }
  /// }
  /// ContentView().monetizer(shop).paywallStyle(NightStyle())
  /// ```
  @MainActor @preconcurrency public protocol PaywallStyle {
    /// The view of a paywall.
    associatedtype Body: View
    /// Makes the view of a paywall.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
    /// The values that a style draws.
    typealias Configuration = PaywallStyleConfiguration
  }

  /// The values that a paywall's style draws, and the actions of its taps.
  @MainActor public struct PaywallStyleConfiguration {
    /// The content of the paywall.
    public let screen: PaywallScreen
    /// The result of the last tap, in words; `nil` when there is nothing to report.
    public let notice: String?
    /// Whether the paywall is wider than high, as on an iPad in landscape.
    public let isWide: Bool
    /// Selects the product of the purchase button.
    public let select: (ProductID) -> Void
    /// Performs the action of a button. Does nothing for a disabled button.
    public let perform: (PaywallAction) -> Void
    /// Opens a link, behind the parental gate if it covers links. tvOS and watchOS have no browser: show the link's address there.
    public let open: (PaywallScreen.Link) -> Void

    /// Makes a configuration, for a preview or a test of a style.
    public init(
      screen: PaywallScreen, notice: String? = nil, isWide: Bool = false, select: @escaping (ProductID) -> Void = { _ in },
      perform: @escaping (PaywallAction) -> Void = { _ in }, open: @escaping (PaywallScreen.Link) -> Void = { _ in }
    ) {
      (self.screen, self.notice, self.isWide) = (screen, notice, isWide)
      (self.select, self.perform, self.open) = (select, perform, open)
    }
  }

  /// The default style, which resembles the system's own store screens.
  public struct AutomaticPaywallStyle: PaywallStyle {
    /// Makes the style.
    nonisolated public init() {}
    /// Makes the view of a paywall.
    public func makeBody(configuration: Configuration) -> some View { AutomaticPaywall(configuration: configuration) }
  }

  extension PaywallStyle where Self == AutomaticPaywallStyle {
    /// The default style.
    nonisolated public static var automatic: AutomaticPaywallStyle { AutomaticPaywallStyle() }
  }

  extension View {
    /// Draws the paywalls within this view in a style. `monetizer(_:confirmIn:)` presents those of `$gate.open` and `$gate.perform`, so use
    /// the style outside of it: `ContentView().monetizer(shop).paywallStyle(NightStyle())`.
    public func paywallStyle(_ style: some PaywallStyle) -> some View {
      environment(\.paywallBody) { AnyView(style.makeBody(configuration: $0)) }
    }
  }

  private enum PaywallBodyKey: EnvironmentKey {
    static var defaultValue: @MainActor (PaywallStyleConfiguration) -> AnyView {
      { AnyView(AutomaticPaywallStyle().makeBody(configuration: $0)) }
    }
  }

  extension EnvironmentValues {
    var paywallBody: @MainActor (PaywallStyleConfiguration) -> AnyView {
      get { self[PaywallBodyKey.self] }
      set { self[PaywallBodyKey.self] = newValue }
    }
  }
#endif
