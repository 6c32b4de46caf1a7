// SPDX-License-Identifier: Apache-2.0

/// What the catalog says about the app.
public struct AppInfo: Sendable, Hashable, Codable {
  /// Who an app is for.
  public enum Audience: String, Sendable, Hashable, Codable, CaseIterable {
    /// Children: the store's rules for them apply.
    case kids
    /// Everyone else.
    case general
  }

  /// The app's bundle id.
  public let id: String
  /// What a person calls it.
  public let name: String
  /// Who it is for; `general` when absent.
  public let audience: Audience?
  /// A field with rules of its own, such as `health`.
  public let domain: String?
  /// The lowest system version of the app.
  public let minimumOS: String?
  /// The devices it is made for.
  public let devices: [String]?
  /// The orientations it is made for.
  public let orientations: [String]?
}

/// Which doors a parental gate stands in front of.
public struct ParentalGatePolicy: Sendable, Hashable, Codable {
  /// A door.
  public enum Door: String, Sendable, Hashable, Codable, CaseIterable {
    /// Any purchase, however it starts.
    case purchase
    /// Restoring purchases.
    case restore
    /// Links that leave the app.
    case links
  }

  /// The doors that it covers; all of them when absent.
  public let covers: [Door]?

  /// Whether it covers a door.
  public func covers(_ door: Door) -> Bool { (covers ?? Door.allCases).contains(door) }
}

/// Texts and addresses that the law and the store ask for.
public struct LegalInfo: Sendable, Hashable, Codable {
  /// Where the terms of use are.
  public let terms: String?
  /// Where the privacy policy is.
  public let privacy: String?
  /// Where help is.
  public let support: String?
  /// How a subscription renews.
  public let renewal: String?
  /// How a subscription is cancelled.
  public let cancellation: String?
}

/// How the store deals with failed payments of this app.
public struct BillingPolicy: Sendable, Hashable, Codable {
  /// How long access is kept after a failed renewal; the store knows 3, 16 and 28 days. None when absent.
  public let gracePeriod: Period?
}

/// What `monetize lint` finds and a person has decided to leave as it is: the section `lint` of a catalog. It changes no decision.
public struct LintPolicy: Sendable, Hashable, Codable {
  /// One sort of finding in one place.
  public struct Acceptance: Sendable, Hashable, Codable {
    /// The code of the findings.
    public let code: String
    /// The JSON path that they are at, or in; an empty one means the whole file.
    public let at: String
    /// Why they are right as they are.
    public let reason: String
  }

  /// What is accepted.
  public let accept: [Acceptance]?
}

/// What a person can do on a paywall or in settings. An open set: an app may have actions of its own.
public struct PaywallAction: StringIdentifier {
  /// The text, such as `restore`.
  public let rawValue: String
  /// Makes an action from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Buys what is selected.
  public static let purchase: Self = "purchase"
  /// Opens the paywall, or buys more than the customer has.
  public static let upgrade: Self = "upgrade"
  /// Restores purchases.
  public static let restore: Self = "restore"
  /// Opens the store's list of subscriptions.
  public static let manage: Self = "manage"
  /// Closes the paywall.
  public static let dismiss: Self = "dismiss"
}

/// One paywall as the catalog states it; what is absent comes from the placement `default`.
public struct PaywallDefinition: Sendable, Hashable, Codable {
  /// One reason to buy.
  public struct Benefit: Sendable, Hashable, Codable {
    /// The name of a picture.
    public let icon: String?
    /// The reason, in a few words.
    public let title: String
    /// The reason, in a sentence.
    public let description: String?
    /// The features that it is about.
    public let features: [FeatureID]?
  }

  /// A statement about other customers, such as how many there are, with what proves it.
  public struct SocialProof: Sendable, Hashable, Codable {
    /// The statement.
    public let text: String
    /// What proves it: an address, or a sentence for a reviewer. Never shown to customers.
    public let evidence: String?
  }

  /// A title above everything.
  public var title: String?
  /// The first line.
  public var headline: String?
  /// The second line.
  public var subtitle: String?
  /// Why to buy.
  public var benefits: [Benefit]?
  /// What is offered, in order; what unlocks the request when absent.
  public var products: [ProductID]?
  /// The product that is selected at first.
  public var preselected: ProductID?
  /// What a person can do, in order.
  public var actions: [PaywallAction]?
  /// The words on buttons, by action.
  public var labels: [String: String]?
  /// What stands beside the purchase button.
  public var purchaseLabel: String?
  /// Lines that build trust.
  public var trust: [String]?
  /// A statement about other customers.
  public var socialProof: SocialProof?
  /// How insistently it is shown, such as `soft`.
  public var prompt: String?

  /// This paywall with what it does not say taken from another.
  func inheriting(_ base: PaywallDefinition?) -> PaywallDefinition {
    guard let base else { return self }
    var merged = self
    merged.title = title ?? base.title
    merged.headline = headline ?? base.headline
    merged.subtitle = subtitle ?? base.subtitle
    merged.benefits = benefits ?? base.benefits
    merged.products = products ?? base.products
    merged.preselected = preselected ?? base.preselected
    merged.actions = actions ?? base.actions
    merged.labels = (base.labels ?? [:]).merging(labels ?? [:]) { _, own in own }
    merged.purchaseLabel = purchaseLabel ?? base.purchaseLabel
    merged.trust = trust ?? base.trust
    merged.socialProof = socialProof ?? base.socialProof
    merged.prompt = prompt ?? base.prompt
    return merged
  }
}

/// A part of the app that plugs in, with features of its own.
public struct CatalogModule: Sendable, Hashable, Codable {
  /// The first part of its features' ids.
  public let id: String
  /// What a person calls it.
  public let title: String?
}
