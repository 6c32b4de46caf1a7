// SPDX-License-Identifier: Apache-2.0

/// The app's own events, its names for events, and the allowed receivers: the catalog's `events`.
public struct EventVocabulary: Sendable, Hashable {
  /// A receiver of events.
  public enum Reach: String, Sendable, Hashable, Codable, CaseIterable {
    /// The device. Events stay on it.
    case local
    /// The app's own server.
    case firstParty
    /// Any other server.
    case thirdParty
  }

  /// The type of a property of an app's own event. It decides whether the value may leave the device.
  public enum PropertyType: Sendable, Hashable {
    /// A number.
    case number
    /// Yes or no.
    case boolean
    /// One of these words.
    case choice([String])
    /// Any text. It stays on the device, because a person's name is text.
    case text
  }

  /// Another name for events, sent in addition to their own name.
  public struct Naming: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The name of the events.
    public let on: String
    /// Restricts the name to one feature; `nil` for any.
    public let feature: FeatureID?
    /// Restricts the name to one placement.
    public let placement: PlacementID?
    /// Restricts the name to one product.
    public let product: ProductID?
    /// Restricts the name to paid uses, or to free ones.
    public let paid: Bool?
    /// Restricts the name to one step of the onboarding, as `step` or `step/page`.
    public let step: String?
  }

  /// The allowed receivers; only ``Reach/local`` when absent.
  public let sinks: Set<Reach>
  /// The app's own events, with their properties.
  public let custom: [String: [String: PropertyType]]
  /// Other names, in the file's order.
  public let names: [Naming]

  /// The events that Monetize sends by itself.
  static let known = [
    "accessChanged", "allowanceReset", "appLaunched", "countryChanged", "experimentExposed", "featureRestricted", "gateFailed",
    "gatePassed", "gatePresented", "milestoneReached", "onboardingCompleted", "onboardingStarted", "onboardingStep", "paywallDismissed",
    "paywallShown", "planChangeScheduled", "premiumFeatureViewed", "purchaseCancelled", "purchaseCompleted", "purchaseFailed",
    "purchasePending", "purchaseReinstated", "purchaseRestored", "purchaseRevoked", "purchaseStarted", "purchaseUnverified",
    "sessionEnded", "stateDamaged", "storageFailed", "subscriptionRenewed", "usageLimitReached", "used",
  ]
}

extension EventVocabulary.PropertyType: Decodable {
  private struct Choice: Decodable { let choice: [String] }

  /// Reads `"number"`, `"boolean"`, `"text"`, or `{ "choice": ["short", "long"] }`.
  public init(from decoder: any Decoder) throws {
    guard let word = try? String(from: decoder) else {
      let words = try Choice(from: decoder).choice
      guard !words.isEmpty else { throw decoder.mistake("A choice needs at least one word. Add one.") }
      self = .choice(words)
      return
    }
    switch word {
    case "number": self = .number
    case "boolean": self = .boolean
    case "text": self = .text
    default:
      throw decoder.mistake(
        "\"\(word)\" is not a type of a property. Write \"number\", \"boolean\", \"text\", or { \"choice\": [\"short\", \"long\"] }.")
    }
  }
}
