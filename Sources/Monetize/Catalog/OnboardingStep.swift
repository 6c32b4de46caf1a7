// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// One step of an app's first start: an element of the catalog's `onboarding`.
///
/// ```json
/// { "id": "trialOffer", "placement": "onboarding", "unlessEntitled": "premium", "exit": "mainApp" }
/// ```
public struct OnboardingStep: Sendable, Hashable, Identifiable {
  /// One page of a step.
  public struct Page: Sendable, Hashable, Codable, Identifiable {
    /// The id, unique within the step.
    public let id: String
    /// The title that people see.
    public let title: String?
    /// The text below the title.
    public let text: String?
  }

  /// A button of a step.
  public struct Action: Sendable, Hashable, Codable, Identifiable {
    /// The id, unique within the step.
    public let id: String
    /// The label that people see.
    public let title: String
    /// The paywall that it opens; `nil` for a button that continues.
    public let placement: PlacementID?
    /// The place in the app where the onboarding ends; `nil` for a button that continues.
    public let exit: String?
  }

  /// A paid feature in a sentence, to raise interest in it.
  public struct Teaser: Sendable, Hashable, Codable {
    /// The feature.
    public let feature: FeatureID
    /// The sentence.
    public let text: String
  }

  /// The id, unique within the onboarding.
  public let id: String
  /// The title that people see.
  public let title: String?
  /// Whether it can be skipped, and with it the rest of the onboarding.
  public let isSkippable: Bool
  /// Its pages, in order; empty for a step with one screen.
  public let pages: [Page]
  /// The feature that the step uses once. The use counts like any other.
  public let spends: FeatureID?
  /// The values that its form starts with, by field.
  public let defaults: [String: PropertyValue]
  /// The values to choose from.
  public let choices: [String]
  /// Its buttons, in order.
  public private(set) var actions: [Action]
  /// The features that it presents.
  public let teasers: [Teaser]
  /// The placement of the paywall that is this step.
  public let placement: PlacementID?
  /// Skips the step for customers who have this entitlement, or may have it.
  public let unlessEntitled: EntitlementID?
  /// The later step that follows; `nil` for the next one in the list.
  public let next: String?
  /// The place in the app that follows instead of a next step.
  public let exit: String?

  /// The step without buttons that open a paywall.
  package var withoutOffers: OnboardingStep {
    var step = self
    step.actions.removeAll { $0.placement != nil }
    return step
  }

  /// The screens that a customer sees: the step, or each page of it as `step/page`.
  public var places: [String] { pages.isEmpty ? [id] : pages.map { "\(id)/\($0.id)" } }
}

extension CatalogReader {
  func readOnboarding(_ value: JSONValue?, _ draft: CatalogDraft) -> [CatalogDraft.Placed<OnboardingStep>] {
    guard let value else { return [] }
    return reader.elements(value).compactMap { element in
      if let name = element.string {
        reader.report(
          "unknown-step", at: element,
          "There is no step \"\(name)\" to take here. Write the whole step; only an overlay or an arm names a step of the file.")
        return nil
      }
      return reader.object(element, "a step").map { .init(value: readStep($0, draft), source: element) }
    }
  }

  private func readStep(_ fields: JSONFields, _ draft: CatalogDraft) -> OnboardingStep {
    let teasers: [OnboardingStep.Teaser] = fields.optional("teasers") ?? []
    return OnboardingStep(
      id: fields.required("id", or: ""), title: fields.optional("title"), isSkippable: fields.optional("skippable") ?? false,
      pages: fields.optional("pages") ?? [], spends: fields.optional("spends").map(draft.ownName),
      defaults: Dictionary(reader.values(fields.value("defaults"), "an object from fields to values")) { first, _ in first },
      choices: fields.optional("choices") ?? [], actions: fields.optional("actions") ?? [],
      teasers: teasers.map { OnboardingStep.Teaser(feature: draft.ownName(of: $0.feature), text: $0.text) },
      placement: fields.optional("placement"), unlessEntitled: fields.optional("unlessEntitled"), next: fields.optional("next"),
      exit: fields.optional("exit"))
  }
}
