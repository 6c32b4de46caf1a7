// SPDX-License-Identifier: Apache-2.0
#if canImport(Combine) && canImport(SwiftUI)
  public import Combine
  public import Monetize
  public import MonetizePaywalls

  /// The parental gate of an app with views. Shows its task in the paywall or sheet of the tap.
  ///
  /// ``MonetizerModel/init(catalog:_:)`` makes one. Make one yourself for a monetizer that is made elsewhere:
  ///
  /// ```swift
  /// let prompt = ParentalPrompt()
  /// let monetizer = Monetizer(catalog: catalog) { $0.parentalGate = prompt }
  /// ContentView().monetizer(MonetizerModel(monetizer, prompt: prompt))
  /// ```
  public final class ParentalPrompt: ParentalGate {
    /// Shows the task of the tap that is being handled.
    @TaskLocal static var presenter: (any ChallengePresenter)?
    /// Shows the task of a tap outside the framework's views.
    @MainActor weak var root: (any ChallengePresenter)?
    @MainActor private var generator: any RandomNumberGenerator & Sendable

    /// Makes a gate.
    /// - Parameter generator: The source of the numbers in tasks. Default: the system's.
    @MainActor public init(generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) { self.generator = generator }

    /// Shows the task. Returns `false` when no view could show it.
    public func challenge() async -> Bool { await ask(Self.presenter) }

    @MainActor private func ask(_ presenter: (any ChallengePresenter)?) async -> Bool {
      guard let presenter = presenter ?? root else { return false }
      return await presenter.present(ChallengeModel(generator: generator))
    }
  }

  /// A view that can show the parental gate's task.
  @MainActor protocol ChallengePresenter: AnyObject, Sendable {
    /// Shows the task until it is done. Returns whether an adult solved it.
    func present(_ challenge: ChallengeModel) async -> Bool
  }

  /// A task of the parental gate on the screen.
  @MainActor public final class ChallengeModel: ObservableObject {
    /// The task, with the typed digits.
    @Published public private(set) var challenge: ParentalChallenge
    private var generator: any RandomNumberGenerator & Sendable
    private var answer: CheckedContinuation<Bool, Never>?

    /// Makes a task.
    /// - Parameter generator: The source of its numbers.
    public init(generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
      self.generator = generator
      challenge = Self.make(&self.generator)
    }

    private static func make(_ generator: inout any RandomNumberGenerator & Sendable) -> ParentalChallenge {
      ParentalChallenge(using: &generator)
    }

    /// Types a digit.
    public func type(_ digit: Int) { challenge.type(digit) }
    /// Deletes the last digit.
    public func delete() { challenge.delete() }
    /// Gives up.
    public func cancel() { finish(false) }

    /// Checks the answer. Ends after a correct answer, or after the third wrong one.
    public func confirm() {
      var next = challenge
      next.confirm(using: &generator)
      challenge = next
      if next.state != .asking { finish(next.state == .passed) }
    }

    /// Waits until the task is done. A second call cancels the first.
    func outcome() async -> Bool {
      finish(false)
      return await withCheckedContinuation { answer = $0 }
    }

    private func finish(_ isPassed: Bool) {
      answer?.resume(returning: isPassed)
      answer = nil
    }
  }

  extension Monetizer {
    /// Makes a call behind the gate, with the given pass or else with a new one from the gate. Returns `nil` when the gate was not passed.
    @MainActor func behindGate<Value>(
      _ pass: GatePass?, asking presenter: any ChallengePresenter, _ call: (GatePass?) async throws(GateRequired) -> Value
    ) async -> Value? {
      do throws(GateRequired) { return try await call(pass) } catch {
        let fresh = await ParentalPrompt.$presenter.withValue(presenter) { try? await passParentalGate() }
        guard let fresh else { return nil }
        return try? await call(fresh)
      }
    }

    /// Shows the store's entry of an offer code, behind the gate. Returns the text for the customer; `nil` when there is nothing to report.
    @MainActor func redeem(in place: StoreObject?, pass: GatePass?, asking presenter: any ChallengePresenter) async -> String? {
      let language = snapshot.catalog.language
      let shown = await behindGate(pass, asking: presenter) { pass async throws(GateRequired) -> StoreError? in
        try await show(.code, in: place, pass: pass)
      }
      guard let shown else { return ParentalChallenge.failureText(in: language) }
      return shown.flatMap { $0.code == .userCancelled ? nil : PurchaseOutcome.failed($0).text(in: language) }
    }

    /// Returns whether a link that leaves the app may be opened: at once, or after the gate if it covers links.
    @MainActor func mayOpenLink(asking presenter: any ChallengePresenter) async -> Bool {
      await behindGate(nil, asking: presenter) { pass async throws(GateRequired) in try usePass(pass, for: .links) } != nil
    }
  }
#endif
