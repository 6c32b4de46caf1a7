// SPDX-License-Identifier: Apache-2.0
#if canImport(Combine) && canImport(SwiftUI)
  import Combine
  import Monetize

  /// What one place of an app presents: the parental gate's task, then a paywall, in one sheet. Whether something is presented is this value
  /// and nothing else.
  @MainActor final class Presenter: ObservableObject {
    enum Step {
      case gate(ChallengeModel)
      case paywall(Paywall, GatePass?)
    }

    struct Sheet: Identifiable {
      let id: Int
      var step: Step
    }

    /// What is in the sheet; `nil` while there is none. Setting it to `nil` closes it, and gives up a task.
    @Published private(set) var sheet: Sheet?
    /// Whether a tap is handled that may lead to a paywall.
    private var isHandling = false
    private var count = 0

    /// A tap on something that may be locked: runs `content` where it is open, presents the gate and the paywall where a purchase helps.
    /// A second tap does nothing while the first one is handled.
    func open(_ monetizer: Monetizer, _ request: AccessRequest, content: () -> Void = {}) async {
      await handle {
        await monetizer.open(request)
      } content: {
        content()
      }
    }

    /// A tap on an offer that no feature led to.
    func open(_ monetizer: Monetizer, at placement: PlacementID) async {
      await handle {
        await monetizer.openPaywall(at: placement)
      } content: {
      }
    }

    /// Work that uses a feature; see ``Monetize/Monetizer/perform(_:item:count:key:_:)``. Presents the paywall when nothing is left.
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
      // After a tap that may lead to a paywall the sheet stays up for it.
      if !isPassed || !isHandling, case .gate(let shown) = sheet?.step, shown === challenge { sheet = nil }
      return isPassed
    }
  }
#endif
