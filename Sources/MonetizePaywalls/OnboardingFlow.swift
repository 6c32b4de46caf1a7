// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The way of one customer through the onboarding: a pure state machine over the catalog's steps.
///
/// ```swift
/// let flow = monetizer.onboarding
/// if let place = flow.place { … } else { open(flow.exit) }
/// ```
/// A step counts as done when all of its places were completed or skipped. The order of steps may change between versions and arms; done
/// steps stay done.
public struct OnboardingFlow: Sendable, Hashable {
  /// The outcome of a place.
  public enum Outcome: Int, Sendable, Hashable, Comparable {
    /// The customer skipped it.
    case skipped = 1
    /// The customer completed it.
    case completed = 2

    /// A completed place stays completed.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// One screen of the onboarding: a step, or one page of it.
  public struct Place: Sendable, Hashable, Identifiable {
    /// The step.
    public let step: OnboardingStep
    /// The page; `nil` for a step without pages.
    public let page: OnboardingStep.Page?
    /// The number of the page, from 1; 1 for a step without pages.
    public let number: Int
    /// The number of pages; 1 for a step without pages.
    public let count: Int

    /// The id: `step`, or `step/page`.
    public var id: String { page.map { "\(step.id)/\($0.id)" } ?? step.id }
    /// The share of the step that this page completes, from 0 to 1: 1/5 on the first of five pages.
    public var progress: Double { Double(number) / Double(count) }
  }

  /// The steps that this customer can see, in order. Excludes steps that are hidden from customers with an entitlement.
  public let steps: [OnboardingStep]
  /// The outcomes of places, by id.
  public private(set) var outcomes: [String: Outcome]
  /// The place in the app to which a button led out of the onboarding; `nil` before that.
  public private(set) var exitTaken: String?
  /// Whether the onboarding has ended before. It ends once: a new step, or one that is shown again, does not restart it.
  public let hasEnded: Bool
  private let lastExit: String?

  /// Starts or continues an onboarding.
  /// - Parameters:
  ///   - steps: The catalog's steps.
  ///   - outcomes: The earlier outcomes of places.
  ///   - exit: The exit that was taken earlier.
  ///   - hasEnded: Whether the onboarding has ended before.
  ///   - sells: Whether anything is sold. Otherwise steps and buttons that open a paywall are hidden.
  ///   - isHidden: Whether a step for customers without an entitlement is hidden, because they have it or may have it.
  public init(
    _ steps: [OnboardingStep], outcomes: [String: Outcome] = [:], exit: String? = nil, hasEnded: Bool = false,
    sells: Bool = true, hiding isHidden: (EntitlementID) -> Bool = { _ in false }
  ) {
    (self.outcomes, self.hasEnded) = (outcomes, hasEnded)
    exitTaken = exit
    var shown: [OnboardingStep] = []
    var index = 0
    while index < steps.count {
      let step = steps[index]
      let isShown = (sells || step.placement == nil) && !(step.unlessEntitled.map(isHidden) ?? false)
      if isShown { shown.append(sells ? step : step.withoutOffers) }
      // A step that ends the onboarding is the last one. A hidden step still leads to its next step.
      if step.exit != nil, isShown { break }
      index = step.next.flatMap { next in steps[(index + 1)...].firstIndex { $0.id == next } } ?? index + 1
    }
    self.steps = shown
    lastExit = shown.last?.exit ?? steps.last?.exit
  }

  /// The customer's current place; `nil` when the onboarding is over, or there is none.
  public var place: Place? { exitTaken == nil && !hasEnded ? places.first { outcomes[$0.id] == nil } : nil }
  /// Whether the onboarding is over, or there is none. The app then shows ``exit``.
  public var isOver: Bool { place == nil }
  /// The place in the app to which the onboarding leads: the exit that was taken, or that of the last step.
  public var exit: String? { exitTaken ?? lastExit }

  /// All places of the shown steps, in order.
  public var places: [Place] {
    steps.flatMap { step in
      step.pages.isEmpty
        ? [Place(step: step, page: nil, number: 1, count: 1)]
        : step.pages.enumerated().map { Place(step: step, page: $1, number: $0 + 1, count: step.pages.count) }
    }
  }

  /// The outcome of a step: skipped when any of its places was, completed when all were; `nil` while it is not done.
  public func outcome(of step: String) -> Outcome? {
    guard let step = steps.first(where: { $0.id == step }) else { return nil }
    let known = step.places.map { outcomes[$0] }
    return known.contains(nil) ? nil : known.compactMap { $0 }.min()
  }

  // MARK: Moves. Each returns whether it changed anything, so that a second tap on the same place does nothing.

  /// The customer completed a place.
  @discardableResult
  public mutating func complete(_ id: String) -> Bool {
    guard place?.id == id else { return false }
    outcomes[id] = .completed
    return true
  }

  /// The customer skipped the step of a place, with its remaining pages.
  @discardableResult
  public mutating func skip(_ id: String) -> Bool {
    guard let place, place.id == id, place.step.isSkippable else { return false }
    for id in place.step.places where outcomes[id] == nil { outcomes[id] = .skipped }
    return true
  }

  /// The customer skipped the rest of the onboarding, from a place that can be skipped.
  @discardableResult
  public mutating func skipAll(from id: String) -> Bool {
    guard let place, place.id == id, place.step.isSkippable else { return false }
    for place in places where outcomes[place.id] == nil { outcomes[place.id] = .skipped }
    return true
  }

  /// The customer tapped a button of a place that leads on: to the next place, or out of the onboarding. A button that opens a paywall does
  /// not leave the place: the customer comes back to it.
  @discardableResult
  public mutating func take(_ action: String, at id: String) -> Bool {
    guard let place, place.id == id, let action = place.step.actions.first(where: { $0.id == action }), action.placement == nil
    else { return false }
    outcomes[id] = .completed
    exitTaken = action.exit
    return true
  }
}
