// SPDX-License-Identifier: Apache-2.0

/// The app's own words for what happens, and where they may go: the catalog's `events`.
public struct EventVocabulary: Sendable, Hashable {
  /// Where an event may go.
  public enum Reach: String, Sendable, Hashable, Codable, CaseIterable {
    /// It stays on the device.
    case local
    /// To the app's own server.
    case firstParty
    /// To any other server.
    case thirdParty
  }

  /// What a property of an own event may be. The type decides whether it may leave the device.
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

  /// Another name for events of one sort, sent beside their own.
  public struct Naming: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The name of the events.
    public let on: String
    /// The only feature that is meant; any without one.
    public let feature: FeatureID?
    /// The only placement that is meant.
    public let placement: PlacementID?
    /// The only product that is meant.
    public let product: ProductID?
    /// Whether only uses that were paid for are meant, or only free ones.
    public let paid: Bool?
    /// The only step of the onboarding that is meant, as `step` or `step/page`.
    public let step: String?
  }

  /// Where events may go; only ``Reach/local`` when absent.
  public let sinks: Set<Reach>
  /// The app's own events, with their properties.
  public let custom: [String: [String: PropertyType]]
  /// Other names, in the file's order.
  public let names: [Naming]

  /// The events that Monetize sends by itself.
  static let known = [
    "accessChanged", "allowanceReset", "appLaunched", "countryChanged", "experimentExposed", "featureRestricted", "gateFailed",
    "gatePassed",
    "gatePresented", "milestoneReached", "onboardingCompleted", "onboardingStarted", "onboardingStep", "paywallDismissed", "paywallShown",
    "premiumFeatureViewed",
    "purchaseCancelled", "purchaseCompleted", "purchaseFailed", "purchasePending", "purchaseRestored", "purchaseRevoked", "purchaseStarted",
    "purchaseUnverified", "sessionEnded", "stateDamaged", "storageFailed", "subscriptionRenewed", "usageLimitReached", "used",
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
