// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  public import Monetize
  import MonetizePaywalls
  public import SwiftUI

  extension View {
    /// Provides a monetizer to this view and all views within it, and presents the parental gate and paywalls over it. Use it once, on an
    /// app's first view. Reads the customer's purchases again whenever the app comes back to the foreground.
    /// - Parameters:
    ///   - model: The owner of the monetizer.
    ///   - place: The scene or view controller in which a purchase is confirmed, for an app with several windows. Default: on visionOS
    ///     the scene in front; elsewhere the system decides.
    public func monetizer(_ model: MonetizerModel, confirmIn place: StoreObject? = nil) -> some View {
      modifier(MonetizerRoot(model: model, place: place))
    }

    /// Presents paywalls over this view and all views within it. The framework's own views present them automatically. Add it to the
    /// content of a sheet that calls `$gate.open()`.
    public func presentsPaywalls() -> some View { modifier(PaywallSheet()) }
  }

  /// Puts the owner into the environment, again for each snapshot, and reads the store again when the app comes back.
  private struct MonetizerRoot: ViewModifier {
    @ObservedObject var model: MonetizerModel
    let place: StoreObject?
    @Environment(\.scenePhase) private var phase
    @State private var wasAway = false

    func body(content: Content) -> some View {
      content
        .modifier(PaywallSheet(prompt: model.prompt))
        .environment(\.monetize, MonetizeContext(model: model, snapshot: model.snapshot, place: place))
        .task(id: phase) { await follow(phase) }
    }

    /// While the device sleeps no task wakes up, so access that ended meanwhile would stay on the screen. The monetizer makes the first
    /// read by itself.
    private func follow(_ phase: ScenePhase) async {
      let isBack = wasAway && phase == .active
      wasAway = phase != .active
      if isBack { await model.monetizer.refresh() }
    }
  }

  /// One sheet for the gate's task and the paywall after it.
  struct PaywallSheet: ViewModifier {
    private let prompt: ParentalPrompt?
    @StateObject private var presenter: Presenter
    @Environment(\.monetize) private var context

    init(_ presenter: @autoclosure @escaping () -> Presenter = Presenter(), prompt: ParentalPrompt? = nil) {
      _presenter = StateObject(wrappedValue: presenter())
      self.prompt = prompt
    }

    func body(content: Content) -> some View {
      var inner = context
      inner.presenter = presenter
      return
        content
        .environment(\.monetize, inner)
        .sheet(item: Binding(get: { presenter.sheet }, set: { if $0 == nil { presenter.dismiss() } })) { _ in
          SheetContent(presenter: presenter, language: context.snapshot?.catalog.language ?? .english)
            .environment(\.monetize, context)
        }
        .onAppear { prompt?.root = presenter }
    }
  }

  struct SheetContent: View {
    @ObservedObject var presenter: Presenter
    let language: Language

    var body: some View {
      switch presenter.shown {
      case .gate(let challenge): ParentalGateView(challenge, language: language).sheetSize()
      case .paywall(let paywall, let pass): PaywallView(paywall, pass: pass, onClose: { presenter.dismiss() })
      case nil: EmptyView()
      }
    }
  }
#endif
