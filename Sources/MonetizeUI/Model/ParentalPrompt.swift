// SPDX-License-Identifier: Apache-2.0
#if canImport(Combine) && canImport(SwiftUI)
  public import Combine
  public import Monetize
  public import MonetizePaywalls

  /// The parental gate of an app with views: asks its task where the tap came from, a paywall or a sheet.
  ///
  /// ``MonetizerModel/init(catalog:_:)`` makes one. Make one yourself to give a monetizer that is made elsewhere this gate:
  ///
  /// ```swift
  /// let prompt = ParentalPrompt()
  /// let monetizer = Monetizer(catalog: catalog) { $0.parentalGate = prompt }
  /// ContentView().monetizer(MonetizerModel(monetizer, prompt: prompt))
  /// ```
  public final class ParentalPrompt: ParentalGate {
    /// What shows the task of the tap that is handled now.
    @TaskLocal static var presenter: (any ChallengePresenter)?
    /// What shows the task of a tap that no view of the framework handles.
    @MainActor weak var root: (any ChallengePresenter)?
    @MainActor private var generator: any RandomNumberGenerator & Sendable

    /// Makes one.
    /// - Parameter generator: Where the numbers of the tasks come from. Default: the system's.
    @MainActor public init(generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) { self.generator = generator }

    /// Shows the task. `false` where no view could show it.
    public func challenge() async -> Bool { await ask(Self.presenter) }

    @MainActor private func ask(_ presenter: (any ChallengePresenter)?) async -> Bool {
      guard let presenter = presenter ?? root else { return false }
      return await presenter.present(ChallengeModel(generator: generator))
    }
  }

  /// A view that can show the parental gate's task.
  @MainActor protocol ChallengePresenter: AnyObject, Sendable {
    /// Shows the task until it is done. Returns whether an adult did it.
    func present(_ challenge: ChallengeModel) async -> Bool
  }

  /// A task of the parental gate on the screen.
  @MainActor public final class ChallengeModel: ObservableObject {
    /// The task, with what was typed.
    @Published public private(set) var challenge: ParentalChallenge
    private var generator: any RandomNumberGenerator & Sendable
    private var answer: CheckedContinuation<Bool, Never>?

    /// Makes a task.
    /// - Parameter generator: Where its numbers come from.
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

    /// Checks the answer, and ends when it is right, or the third one is wrong.
    public func confirm() {
      var next = challenge
      next.confirm(using: &generator)
      challenge = next
      if next.state != .asking { finish(next.state == .passed) }
    }

    /// Waits until it is done. A second call gives up the first.
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
    /// Makes a call behind the gate: with the pass at hand, else with a fresh one, which a person has to pass the gate for. `nil` where the
    /// gate was not passed.
    @MainActor func behindGate<Value>(
      _ pass: GatePass?, asking presenter: any ChallengePresenter, _ call: (GatePass?) async throws(GateRequired) -> Value
    ) async -> Value? {
      do throws(GateRequired) { return try await call(pass) } catch {
        let fresh = await ParentalPrompt.$presenter.withValue(presenter) { try? await passParentalGate() }
        guard let fresh else { return nil }
        return try? await call(fresh)
      }
    }
  }
#endif
