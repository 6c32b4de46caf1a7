// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  public import Monetize
  import MonetizePaywalls
  public import SwiftUI

  /// The used part of a limit: `Stories this month: 1/3` with a bar. Shows nothing for a customer without a limit.
  public struct UsageMeterView: View {
    private let feature: FeatureID
    @Environment(\.monetize) private var context
    @Environment(\.dynamicTypeSize) private var textSize

    /// Makes the indicator of a counted feature.
    public init(_ feature: FeatureID) { self.feature = feature }

    /// The view.
    public var body: some View {
      if let meter = context.model?.monetizer.snapshot.meter(of: feature) {
        VStack(alignment: .leading, spacing: 6) {
          if textSize.isAccessibilitySize {
            texts(meter)
          } else {
            HStack {
              texts(meter)
              Spacer(minLength: 0)
            }
          }
          ProgressView(value: meter.progress).tint(meter.progress >= 1 ? .orange : .accentColor)
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(meter.text)
        .accessibilityValue(meter.remainingText)
      }
    }

    @ViewBuilder private func texts(_ meter: UsageMeter) -> some View {
      Text(verbatim: meter.text).font(.subheadline.weight(.semibold))
      Text(verbatim: meter.remainingText).font(.footnote).foregroundColor(.secondary)
    }
  }
#endif
