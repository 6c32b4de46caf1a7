// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import Monetize
  import MonetizePaywalls
  public import SwiftUI

  extension View {
    /// Provides a monetizer to this view and all views within it, and presents the parental gate and paywalls over it. Use it once, on an
    /// app's first view.
    public func monetizer(_ model: MonetizerModel) -> some View { modifier(MonetizerRoot(model: model)) }

    /// Presents paywalls over this view and all views within it. The framework's own views present them automatically. Add it to the
    /// content of a sheet that calls `$gate.open()`.
    public func presentsPaywalls() -> some View { modifier(PaywallSheet()) }
  }

  /// Puts the owner into the environment, again for each snapshot.
  private struct MonetizerRoot: ViewModifier {
    @ObservedObject var model: MonetizerModel

    func body(content: Content) -> some View {
      content
        .modifier(PaywallSheet(prompt: model.prompt))
        .environment(\.monetize, MonetizeContext(model: model, snapshot: model.snapshot))
    }
  }

  /// One sheet for the gate's task and the paywall after it.
  private struct PaywallSheet: ViewModifier {
    var prompt: ParentalPrompt?
    @StateObject private var presenter = Presenter()
    @Environment(\.monetize) private var context

    func body(content: Content) -> some View {
      var inner = context
      inner.presenter = presenter
      return
        content
        .environment(\.monetize, inner)
        .sheet(item: Binding(get: { presenter.sheet }, set: { if $0 == nil { presenter.dismiss() } })) { sheet in
          SheetContent(presenter: presenter, language: context.snapshot?.catalog.language ?? .english)
            .environment(\.monetize, context)
        }
        .onAppear { prompt?.root = presenter }
    }
  }

  private struct SheetContent: View {
    @ObservedObject var presenter: Presenter
    let language: Language

    var body: some View {
      switch presenter.sheet?.step {
      case .gate(let challenge): ParentalGateView(challenge, language: language).sheetSize()
      case .paywall(let paywall, let pass): PaywallView(paywall, pass: pass, onClose: { presenter.dismiss() })
      case nil: EmptyView()
      }
    }
  }
#endif
