// SPDX-License-Identifier: Apache-2.0
#if canImport(Combine) && canImport(SwiftUI)
  import Combine
  import Monetize

  /// The presentation of one part of an app: the parental gate's task, then a paywall, in one sheet. The only source of whether something
  /// is presented.
  @MainActor final class Presenter: ObservableObject {
    enum Step {
      case gate(ChallengeModel)
      case paywall(Paywall, GatePass?)
    }

    struct Sheet: Identifiable {
      let id: Int
      var step: Step
    }

    /// The content of the sheet; `nil` while it is closed. Setting it to `nil` closes the sheet and cancels a task.
    @Published private(set) var sheet: Sheet? {
      didSet { if let sheet { shown = sheet.step } }
    }
    /// What the sheet shows. Stays when it closes, so that it is not blank while it slides away.
    private(set) var shown: Step?
    /// Whether a tap that may lead to a paywall is being handled.
    private var isHandling = false
    private var count = 0

    /// Handles a tap on something that may be locked: runs `content` if it is open, or presents the gate and the paywall if a purchase
    /// helps. A second tap does nothing while the first one is being handled.
    func open(_ monetizer: Monetizer, _ request: AccessRequest, content: () -> Void = {}) async {
      await handle {
        await monetizer.open(request)
      } content: {
        content()
      }
    }

    /// Handles a tap on an offer that no feature led to.
    func open(_ monetizer: Monetizer, at placement: PlacementID) async {
      await handle {
        await monetizer.openPaywall(at: placement)
      } content: {
      }
    }

    /// Runs work that uses a feature; see ``Monetize/Monetizer/perform(_:item:count:key:_:)``. Presents the paywall when nothing is left.
    func perform<Value>(
      _ monetizer: Monetizer, _ feature: FeatureID, item: ItemPath?, key: String?, _ work: () async throws -> Value
    ) async -> WorkOutcome<Value> {
      isHandling = true
      let outcome = await ParentalPrompt.$presenter.withValue(self) { await monetizer.perform(feature, item: item, key: key, work) }
      isHandling = false
      if case .paywall(let paywall, let pass) = outcome { show(.paywall(paywall, pass)) } else { dismiss() }
      return outcome
    }

    private func handle(_ open: () async -> Monetizer.Opening, content: () -> Void) async {
      guard !isHandling else { return }
      isHandling = true
      defer { isHandling = false }
      switch await ParentalPrompt.$presenter.withValue(self, operation: open) {
      case .paywall(let paywall, let pass): show(.paywall(paywall, pass))
      case .content:
        dismiss()
        content()
      case .denied, .gateFailed: dismiss()
      }
    }

    private func show(_ step: Step) {
      // The paywall follows the gate in the same sheet.
      if sheet == nil { count += 1 }
      sheet = Sheet(id: count, step: step)
    }

    func dismiss() {
      if case .gate(let challenge) = sheet?.step { challenge.cancel() }
      if sheet != nil { sheet = nil }
    }
  }

  extension Presenter: ChallengePresenter {
    func present(_ challenge: ChallengeModel) async -> Bool {
      if case .gate(let earlier) = sheet?.step { earlier.cancel() }
      show(.gate(challenge))
      let isPassed = await challenge.outcome()
      // The sheet stays open for the paywall that may follow.
      if !isPassed || !isHandling, case .gate(let shown) = sheet?.step, shown === challenge { sheet = nil }
      return isPassed
    }
  }
#endif
