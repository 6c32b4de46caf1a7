// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import Monetize
  public import MonetizePaywalls
  public import SwiftUI

  /// The onboarding of the catalog, screen by screen: titles, progress, teasers and buttons. The current screen is stored, so that the next
  /// launch continues there. A step that a purchase makes unnecessary disappears.
  ///
  /// ```swift
  /// OnboardingView { place in
  ///   if place.id == "firstStoryCreation/theme" { ThemePicker() }
  /// } onEnd: { exit in
  ///   isOnboarding = false
  /// }
  /// ```
  public struct OnboardingView<Content: View>: View {
    private let content: (OnboardingFlow.Place) -> Content
    private let onEnd: @MainActor (_ exit: String?) -> Void

    /// Makes the view.
    /// - Parameters:
    ///   - content: The app's own part of a screen, between its texts and its buttons.
    ///   - onEnd: Called when the onboarding ends, or at once without one, with the place in the app that the catalog names.
    public init(
      @ViewBuilder content: @escaping (OnboardingFlow.Place) -> Content, onEnd: @escaping @MainActor (_ exit: String?) -> Void
    ) {
      (self.content, self.onEnd) = (content, onEnd)
    }

    /// The view.
    public var body: some View { OnboardingPages(content: content, onEnd: onEnd).presentsPaywalls() }
  }

  extension OnboardingView where Content == EmptyView {
    /// Makes the view of an onboarding without content from the app.
    /// - Parameter onEnd: Called when the onboarding ends.
    public init(onEnd: @escaping @MainActor (_ exit: String?) -> Void) { self.init(content: { _ in EmptyView() }, onEnd: onEnd) }
  }

  private struct OnboardingPages<Content: View>: View {
    let content: (OnboardingFlow.Place) -> Content
    let onEnd: @MainActor (_ exit: String?) -> Void
    @Environment(\.monetize) private var context
    /// The number of moves in this view. A move changes no snapshot, so a change of this number draws the view again.
    @State private var moves = 0

    var body: some View {
      let _ = moves
      let flow = context.model?.monetizer.onboarding
      VStack(spacing: Metrics.spacing) {
        if let place = flow?.place, let catalog = context.snapshot?.catalog {
          let screen = OnboardingScreen(place, in: catalog)
          header(screen)
          content(place)
          teasers(screen)
          buttons(screen, at: place.id)
        }
      }
      .padding(Metrics.margin)
      .frame(maxWidth: Metrics.column)
      .task(id: flow?.place?.id) { await show() }
    }

    @ViewBuilder private func header(_ screen: OnboardingScreen) -> some View {
      if let progress = screen.progress, let text = screen.progressText {
        ProgressView(value: progress).accessibilityLabel(text)
        Text(verbatim: text).font(.footnote).foregroundColor(.secondary).accessibilityHidden(true)
      }
      if let title = screen.title {
        Text(verbatim: title).font(.title.bold()).multilineTextAlignment(.center).accessibilityAddTraits(.isHeader)
      }
      if let text = screen.text { Text(verbatim: text).multilineTextAlignment(.center) }
    }

    private func teasers(_ screen: OnboardingScreen) -> some View {
      ForEach(screen.teasers) { teaser in
        VStack(alignment: .leading, spacing: 4) {
          Text(verbatim: teaser.title).font(.headline)
          Text(verbatim: teaser.text).font(.subheadline).foregroundColor(.secondary)
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityElement(children: .combine)
      }
    }

    private func buttons(_ screen: OnboardingScreen, at place: String) -> some View {
      ForEach(screen.buttons) { button in
        if button.isPrimary {
          Button {
            move(button.move, at: place)
          } label: {
            Text(verbatim: button.label).font(.headline).frame(maxWidth: .infinity)
          }
          .buttonStyle(.borderedProminent).largeControls()
        } else {
          Button {
            move(button.move, at: place)
          } label: {
            Text(verbatim: button.label)
          }
        }
      }
    }

    private func move(_ move: OnboardingScreen.Move, at place: String) {
      guard let monetizer = context.model?.monetizer else { return }
      let presenter = context.presenter
      Task {
        switch move {
        case .next: await monetizer.moveOnboarding { $0.complete(place) }
        case .skip: await monetizer.moveOnboarding { $0.skip(place) }
        case .take(let action): await monetizer.moveOnboarding { $0.take(action, at: place) }
        case .paywall(let placement): await presenter?.open(monetizer, at: placement)
        }
        moves += 1
      }
    }

    private func show() async {
      guard let flow = await context.model?.monetizer.showOnboarding() else { return }
      if flow.isOver { onEnd(flow.exit) }
    }
  }
#endif
