// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import Monetize
  import MonetizePaywalls
  import SwiftUI

  /// Title, greeting, headline and subtitle.
  struct PaywallHeader: View {
    let screen: PaywallScreen

    var body: some View {
      VStack(spacing: 8) {
        if let title = screen.title { Text(verbatim: title).font(.subheadline.weight(.semibold)).foregroundColor(.accentColor) }
        if let greeting = screen.greeting { Text(verbatim: greeting).font(.subheadline).foregroundColor(.secondary) }
        if let headline = screen.headline {
          Text(verbatim: headline).font(.largeTitle.bold()).accessibilityAddTraits(.isHeader)
        }
        if let subtitle = screen.subtitle { Text(verbatim: subtitle).font(.body).foregroundColor(.secondary) }
      }
      .multilineTextAlignment(.center)
      .frame(maxWidth: .infinity)
    }
  }

  /// The reasons to buy.
  struct PaywallBenefits: View {
    let screen: PaywallScreen

    var body: some View {
      if !screen.benefits.isEmpty {
        VStack(alignment: .leading, spacing: 14) {
          if let title = screen.benefitsTitle { Text(verbatim: title).font(.headline).accessibilityAddTraits(.isHeader) }
          ForEach(screen.benefits, id: \.self) { benefit in
            HStack(alignment: .top, spacing: 12) {
              Image(systemName: benefit.icon ?? "checkmark.circle.fill").font(.title3).foregroundColor(.accentColor).frame(minWidth: 28)
                .accessibilityHidden(true)
              VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: benefit.title).font(.body.weight(.semibold))
                if let text = benefit.description { Text(verbatim: text).font(.subheadline).foregroundColor(.secondary) }
              }
            }
            .accessibilityElement(children: .combine)
          }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
      }
    }
  }

  /// The offer: a card for each product. If there are several, and a button that buys, a tap selects one.
  struct PaywallOptions: View {
    let configuration: PaywallStyleConfiguration

    var body: some View {
      VStack(spacing: 10) {
        ForEach(configuration.screen.options) { option in
          if configuration.screen.options.count > 1, configuration.screen.selected != nil {
            Button {
              configuration.select(option.id)
            } label: {
              OptionCard(option: option, isChoice: true)
            }
            .buttonStyle(.plain)
            .disabled(configuration.screen.phase == .buying)
            .accessibilityLabel(option.accessibilityLabel)
            .accessibilityAddTraits(option.isSelected ? .isSelected : [])
          } else {
            OptionCard(option: option, isChoice: false).accessibilityElement(children: .ignore).accessibilityLabel(
              option.accessibilityLabel)
          }
        }
      }
    }
  }

  /// One product with its price.
  private struct OptionCard: View {
    let option: PaywallOption
    let isChoice: Bool
    @Environment(\.colorSchemeContrast) private var contrast
    @Environment(\.dynamicTypeSize) private var textSize

    var body: some View {
      HStack(alignment: .center, spacing: 12) {
        if isChoice {
          Image(systemName: option.isSelected ? "checkmark.circle.fill" : "circle").font(.title3)
            .foregroundColor(option.isSelected ? .accentColor : .secondary)
        }
        if textSize.isAccessibilitySize {
          VStack(alignment: .leading, spacing: 6) {
            names
            prices(.leading)
          }
          Spacer(minLength: 0)
        } else {
          names
          Spacer(minLength: 8)
          prices(.trailing).fixedSize(horizontal: true, vertical: false)
        }
      }
      .padding(16)
      .frame(maxWidth: .infinity)
      .background(fill, in: RoundedRectangle(cornerRadius: Metrics.corner))
      .overlay { RoundedRectangle(cornerRadius: Metrics.corner).strokeBorder(border, lineWidth: isChosen ? 2 : 1) }
    }

    private var isChosen: Bool { isChoice && option.isSelected }
    private var fill: Color { isChosen ? .accentColor.opacity(0.1) : .primary.opacity(0.03) }
    private var border: Color { isChosen ? .accentColor : contrast == .increased ? .primary : .primary.opacity(0.15) }

    private var names: some View {
      VStack(alignment: .leading, spacing: 4) {
        Text(verbatim: option.name).font(.headline)
        if let badge = option.badge { capsule(badge) }
        if let trial = option.trial { Text(verbatim: trial).font(.subheadline).foregroundColor(.secondary) }
        if let note = option.note { Text(verbatim: note).font(.subheadline).foregroundColor(.secondary) }
        if let saving = option.saving { capsule(saving) }
      }
      .multilineTextAlignment(.leading)
    }

    private func capsule(_ text: String) -> some View {
      Text(verbatim: text).font(.caption.bold()).foregroundColor(.white).padding(.horizontal, 8).padding(.vertical, 3)
        .background(Color.accentColor, in: Capsule())
    }

    private func prices(_ alignment: HorizontalAlignment) -> some View {
      VStack(alignment: alignment, spacing: 4) {
        if let price = option.price { Text(verbatim: price).font(.headline) }
        if let cadence = option.cadence { Text(verbatim: cadence).font(.footnote).foregroundColor(.secondary) }
        if let monthly = option.pricePerMonth { Text(verbatim: monthly).font(.footnote).foregroundColor(.secondary) }
      }
    }
  }

  /// The message of the phase, the result of the last tap, the purchase button, and the legal text beside it.
  struct PaywallPurchase: View {
    let configuration: PaywallStyleConfiguration
    private var screen: PaywallScreen { configuration.screen }

    var body: some View {
      VStack(spacing: 10) {
        if let message = screen.message { PaywallMessage(text: message, isWaiting: screen.phase == .loading || screen.phase == .buying) }
        if let notice = configuration.notice { PaywallMessage(text: notice, isWaiting: false) }
        ForEach(screen.actions.filter { $0.isPrimary || $0.id == .retry }) { action in
          Button {
            configuration.perform(action.id)
          } label: {
            Text(verbatim: action.label).font(.headline).frame(maxWidth: .infinity)
          }
          .buttonStyle(.borderedProminent).largeControls()
          .disabled(!action.isEnabled)
          .accessibilityLabel(action.accessibilityLabel)
        }
        if screen.options.count > 1 || screen.purchaseNote != screen.options.first?.note, let note = screen.purchaseNote {
          Text(verbatim: note).font(.footnote).foregroundColor(.secondary)
        }
        ForEach(screen.disclosures, id: \.self) { text in
          Text(verbatim: text).font(.caption).foregroundColor(.secondary).multilineTextAlignment(.center)
        }
      }
      .multilineTextAlignment(.center)
      .frame(maxWidth: .infinity)
    }
  }

  /// A line about the state. VoiceOver speaks it when it appears, except during a purchase or a load.
  private struct PaywallMessage: View {
    let text: String
    let isWaiting: Bool

    var body: some View {
      HStack(spacing: 8) {
        if isWaiting { ProgressView().accessibilityHidden(true) }
        Text(verbatim: text).font(.subheadline).multilineTextAlignment(.center)
      }
      .accessibilityElement(children: .combine)
      .accessibilityAddTraits(.updatesFrequently)
      .announced(isWaiting ? nil : text)
    }
  }

  /// The other buttons, the lines that build trust, and the links.
  struct PaywallFooter: View {
    let configuration: PaywallStyleConfiguration
    @Environment(\.dynamicTypeSize) private var textSize
    @Environment(\.hasBrowser) private var hasBrowser
    @Environment(\.hasCodeEntry) private var hasCodeEntry
    private var screen: PaywallScreen { configuration.screen }
    private var buttons: [PaywallScreen.Action] {
      screen.actions.filter { action in
        switch action.id {
        case .retry: false
        case .manage: hasBrowser
        case .redeem: hasCodeEntry
        default: !action.isPrimary
        }
      }
    }

    var body: some View {
      VStack(spacing: 10) {
        ForEach(screen.trust, id: \.self) { line in
          Text(verbatim: line).font(.footnote).foregroundColor(.secondary).multilineTextAlignment(.center)
        }
        row {
          ForEach(buttons) { action in
            Button {
              configuration.perform(action.id)
            } label: {
              Text(verbatim: action.label).font(.subheadline)
            }
            .disabled(!action.isEnabled)
            .accessibilityLabel(action.accessibilityLabel)
          }
        }
        if hasBrowser {
          row { ForEach(screen.links, id: \.self) { button(to: $0) } }
        } else {
          ForEach(screen.links, id: \.self) { link in
            Text(verbatim: "\(link.label): \(link.url)").font(.footnote).foregroundColor(.secondary).multilineTextAlignment(.center)
          }
        }
      }
    }

    private func button(to link: PaywallScreen.Link) -> some View {
      Button {
        configuration.open(link)
      } label: {
        Text(verbatim: link.label).font(.footnote).foregroundColor(.secondary)
      }
      .accessibilityAddTraits(.isLink)
    }

    /// A row of views; a column at the largest text sizes.
    @ViewBuilder private func row(@ViewBuilder _ content: () -> some View) -> some View {
      if textSize.isAccessibilitySize {
        VStack(spacing: 12) { content() }
      } else {
        HStack(spacing: 20) { content() }
      }
    }
  }
#endif
