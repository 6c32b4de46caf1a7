// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  public import MonetizePaywalls
  public import SwiftUI

  /// The replacement for a feature that is not open: a lock to tap, a progress indicator, or the reason.
  public struct FeatureNoticeView: View {
    private let notice: FeatureNotice
    private let action: @MainActor () -> Void
    @Environment(\.colorSchemeContrast) private var contrast

    /// Makes the view of a notice.
    /// - Parameters:
    ///   - notice: The content.
    ///   - action: The action of its button.
    public init(_ notice: FeatureNotice, action: @escaping @MainActor () -> Void) {
      self.notice = notice
      self.action = action
    }

    /// The view.
    public var body: some View {
      if notice.sort == .locked {
        Button(action: action) { content }
          .buttonStyle(.plain)
          .accessibilityLabel(notice.accessibilityLabel)
          .accessibilityHint(notice.button ?? "")
      } else {
        content
      }
    }

    private var content: some View {
      VStack(spacing: 8) {
        symbol
        Text(verbatim: notice.title).font(.headline).multilineTextAlignment(.center)
        if notice.message != notice.title {
          Text(verbatim: notice.message).font(.subheadline).foregroundColor(.secondary).multilineTextAlignment(.center)
        }
        button
      }
      .padding()
      .frame(maxWidth: .infinity)
      .background(Color.primary.opacity(0.05), in: RoundedRectangle(cornerRadius: Metrics.corner))
      .overlay {
        if contrast == .increased { RoundedRectangle(cornerRadius: Metrics.corner).strokeBorder(Color.primary) }
      }
    }

    @ViewBuilder private var symbol: some View {
      switch notice.sort {
      case .checking: ProgressView().accessibilityHidden(true)
      case .locked: icon("lock.fill")
      case .unreachable: icon("wifi.slash")
      case .waitingForApproval: icon("hourglass")
      case .closed: icon("lock.slash")
      }
    }

    private func icon(_ name: String) -> some View {
      Image(systemName: name).font(.title2).foregroundColor(.accentColor).accessibilityHidden(true)
    }

    @ViewBuilder private var button: some View {
      if let label = notice.button {
        if notice.sort == .locked {
          Text(verbatim: label).font(.subheadline.bold()).foregroundColor(.accentColor)
        } else {
          Button(action: action) { Text(verbatim: label) }.buttonStyle(.bordered)
        }
      }
    }
  }
#endif
