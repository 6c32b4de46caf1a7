// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The content of one place of an onboarding, as a value: the catalog's texts, the progress, and the buttons in order.
public struct OnboardingScreen: Sendable, Hashable {
  /// The action of a button.
  public enum Move: Sendable, Hashable {
    /// Completes the place.
    case next
    /// Skips the step, with its remaining pages.
    case skip
    /// Presses a button of the catalog, by its id: continues to the next place, or leaves the onboarding.
    case take(String)
    /// Opens a paywall. The customer comes back to the place.
    case paywall(PlacementID)
  }

  /// A button.
  public struct Button: Sendable, Hashable, Identifiable {
    /// `next`, `skip`, `paywall`, or the id in the catalog.
    public let id: String
    /// The text.
    public let label: String
    /// The action of a tap.
    public let move: Move
    /// Whether it is highlighted. At most one button is.
    public let isPrimary: Bool
  }

  /// A paid feature in a sentence.
  public struct Teaser: Sendable, Hashable, Identifiable {
    /// The feature.
    public let id: FeatureID
    /// Its name.
    public let title: String
    /// The sentence.
    public let text: String
  }

  /// The title of the page or of the step; `nil` without one.
  public let title: String?
  /// The text below it; `nil` without one.
  public let text: String?
  /// The paid features that it presents, in order.
  public let teasers: [Teaser]
  /// The number of the page and of all pages of the step, such as `2/5`; `nil` for a step with one page.
  public let progressText: String?
  /// The completed share of the step, from 0 to 1; `nil` for a step with one page.
  public let progress: Double?
  /// The buttons, the most important first.
  public let buttons: [Button]

  /// Makes the screen of a place. O(size of the step).
  /// - Parameters:
  ///   - place: The step, and its page, to show.
  ///   - catalog: The catalog, in the language of the customer.
  public init(_ place: OnboardingFlow.Place, in catalog: Catalog) {
    let (step, language) = (place.step, catalog.language)
    (title, text) = (place.page?.title ?? step.title, place.page?.text)
    teasers = step.teasers.map { Teaser(id: $0.feature, title: catalog.feature($0.feature)?.title ?? $0.feature.rawValue, text: $0.text) }
    progress = place.count > 1 ? place.progress : nil
    progressText = place.count > 1 ? "\(place.number)/\(place.count)" : nil
    var buttons = step.actions.enumerated().map { index, action in
      Button(id: action.id, label: action.title, move: action.placement.map(Move.paywall) ?? .take(action.id), isPrimary: index == 0)
    }
    if let placement = step.placement {
      buttons.append(Button(id: "paywall", label: language.text(.buttonPlans), move: .paywall(placement), isPrimary: buttons.isEmpty))
    }
    // Adds a button that continues without a paywall, if there is none.
    if !buttons.contains(where: { if case .take = $0.move { true } else { false } }) {
      buttons.append(Button(id: "next", label: language.text(.buttonNext), move: .next, isPrimary: buttons.isEmpty))
    }
    if step.isSkippable { buttons.append(Button(id: "skip", label: language.text(.buttonSkip), move: .skip, isPrimary: false)) }
    self.buttons = buttons
  }
}
