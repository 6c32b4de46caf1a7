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
      /// The tap that it belongs to; `nil` for a task outside of the taps below.
      fileprivate let tap: Tap?
    }

    /// The content of the sheet; `nil` while it is closed. Setting it to `nil` closes the sheet and cancels a task.
    @Published private(set) var sheet: Sheet? {
      didSet { if let sheet { shown = sheet.step } }
    }
    /// The content that the sheet shows. Stays when the sheet closes, so that it is not blank while it slides away.
    private(set) var shown: Step?
    /// The number of taps that may lead to a paywall, until that is decided.
    private var undecided = 0
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

    /// Runs work that uses a feature; see ``Monetize/AccessControl/perform(_:item:count:key:_:)``. Presents the paywall when nothing is left.
    func perform<Value>(
      _ monetizer: Monetizer, _ feature: FeatureID, item: ItemPath?, key: String?, _ work: () async throws -> Value
    ) async -> WorkOutcome<Value> {
      let tap = Tap(self)
      undecided += 1
      let outcome = await ParentalPrompt.$presenter.withValue(tap) {
        await monetizer.perform(feature, item: item, key: key) {
          // The work may take a long time, and other taps have sheets of their own meanwhile.
          decide(tap)
          return try await work()
        }
      }
      decide(tap, outcome.shown)
      return outcome
    }

    private func handle(_ open: () async -> Monetizer.Opening, content: () -> Void) async {
      guard undecided == 0 else { return }
      let tap = Tap(self)
      undecided += 1
      let opening = await ParentalPrompt.$presenter.withValue(tap, operation: open)
      if case .paywall(let paywall, let pass) = opening { decide(tap, .paywall(paywall, pass)) } else { decide(tap) }
      if case .content = opening { content() }
    }

    /// Ends a tap with a paywall, or else closes its own sheet.
    private func decide(_ tap: Tap, _ step: Step? = nil) {
      if !tap.isDecided { undecided -= 1 }
      tap.isDecided = true
      if let step { show(step, for: tap) } else if sheet?.tap === tap { dismiss() }
    }

    private func show(_ step: Step, for tap: Tap?) {
      // The paywall follows the gate in the same sheet.
      if sheet == nil { count += 1 }
      sheet = Sheet(id: count, step: step, tap: tap)
    }

    func dismiss() {
      if case .gate(let challenge) = sheet?.step { challenge.cancel() }
      if sheet != nil { sheet = nil }
    }
  }

  extension Presenter: ChallengePresenter {
    func present(_ challenge: ChallengeModel) async -> Bool { await present(challenge, for: nil) }

    fileprivate func present(_ challenge: ChallengeModel, for tap: Tap?) async -> Bool {
      if case .gate(let earlier) = sheet?.step { earlier.cancel() }
      show(.gate(challenge), for: tap)
      let isPassed = await challenge.outcome()
      // The sheet stays open for the paywall that may follow.
      if !isPassed || tap?.isDecided != false, case .gate(let shown) = sheet?.step, shown === challenge { sheet = nil }
      return isPassed
    }
  }

  /// A tap, which may show the parental gate's task and then a paywall. It closes no sheet of another tap.
  @MainActor private final class Tap: ChallengePresenter {
    private weak var presenter: Presenter?
    /// Whether it is decided if the tap leads to a paywall.
    var isDecided = false

    init(_ presenter: Presenter) { self.presenter = presenter }

    func present(_ challenge: ChallengeModel) async -> Bool { await presenter?.present(challenge, for: self) ?? false }
  }

  extension WorkOutcome {
    /// The content of a sheet about the outcome.
    @MainActor fileprivate var shown: Presenter.Step? {
      if case .paywall(let paywall, let pass) = self { .paywall(paywall, pass) } else { nil }
    }
  }
#endif
