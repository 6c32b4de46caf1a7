// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import Monetize
  import MonetizePaywalls
  import SwiftUI

  /// The default paywall: one column, with the purchase button below it always visible, or two columns on a wide screen. At the largest
  /// text sizes and on a watch, one column that scrolls.
  struct AutomaticPaywall: View {
    let configuration: PaywallStyleConfiguration
    @Environment(\.dynamicTypeSize) private var textSize
    @Environment(\.accessibilityReduceMotion) private var reducesMotion
    private var screen: PaywallScreen { configuration.screen }

    var body: some View {
      Group {
        if configuration.isWide { columns } else if isOneColumn { single } else { pinned }
      }
      .animation(reducesMotion ? nil : .default, value: screen.selected?.id)
    }

    private var isOneColumn: Bool {
      #if os(watchOS)
        true
      #else
        textSize.isAccessibilitySize
      #endif
    }

    private var columns: some View {
      HStack(alignment: .top, spacing: Metrics.margin) {
        ScrollView {
          VStack(spacing: Metrics.spacing) {
            PaywallHeader(screen: screen)
            PaywallBenefits(screen: screen)
          }
          .padding(Metrics.margin)
        }
        .frame(maxWidth: .infinity)
        ScrollView {
          VStack(spacing: Metrics.spacing) {
            PaywallOptions(configuration: configuration)
            PaywallPurchase(configuration: configuration)
            PaywallFooter(configuration: configuration)
          }
          .padding(Metrics.margin)
        }
        .frame(maxWidth: Metrics.column)
      }
      .frame(maxWidth: Metrics.column * 2)
      .padding(.vertical, Metrics.margin)
    }

    private var single: some View {
      ScrollView {
        VStack(spacing: Metrics.spacing) {
          PaywallHeader(screen: screen)
          PaywallBenefits(screen: screen)
          PaywallOptions(configuration: configuration)
          PaywallPurchase(configuration: configuration)
          PaywallFooter(configuration: configuration)
        }
        .padding(Metrics.margin)
      }
    }

    private var pinned: some View {
      VStack(spacing: 0) {
        ScrollView {
          VStack(spacing: Metrics.spacing) {
            PaywallHeader(screen: screen)
            PaywallBenefits(screen: screen)
            PaywallOptions(configuration: configuration)
          }
          .frame(maxWidth: Metrics.column)
          .padding(Metrics.margin)
          .frame(maxWidth: .infinity)
        }
        Divider()
        VStack(spacing: 12) {
          PaywallPurchase(configuration: configuration)
          PaywallFooter(configuration: configuration)
        }
        .frame(maxWidth: Metrics.column)
        .padding(.horizontal, Metrics.margin)
        .padding(.vertical, 16)
      }
    }
  }
#endif
