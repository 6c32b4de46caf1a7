// SPDX-License-Identifier: Apache-2.0

/// General facts about the app.
public struct AppInfo: Sendable, Hashable, Codable {
  /// The audience of an app.
  public enum Audience: String, Sendable, Hashable, Codable, CaseIterable {
    /// Children. The store's rules for kids' apps apply.
    case kids
    /// A general audience.
    case general
  }

  /// The app's bundle id.
  public let id: String
  /// The name that people see.
  public let name: String
  /// The language of the file's texts; English when absent.
  public let language: Language?
  /// The audience; `general` when absent.
  public let audience: Audience?
  /// A field with rules of its own, such as `health`.
  public let domain: String?
  /// The lowest supported system version.
  public let minimumOS: String?
  /// The supported devices.
  public let devices: [String]?
  /// The supported orientations.
  public let orientations: [String]?
}

extension AppInfo {
  /// In place of an app that cannot be read.
  static let unreadable = AppInfo(
    id: "", name: "", language: nil, audience: nil, domain: nil, minimumOS: nil, devices: nil, orientations: nil)
}

/// The actions that require passing a parental gate.
public struct ParentalGatePolicy: Sendable, Hashable, Codable {
  /// An action that a gate can cover.
  public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
    /// Any purchase, whether started by a paywall or by the store.
    case purchase
    /// Restoring purchases.
    case restore
    /// Links that leave the app.
    case links
  }

  /// The covered actions. All of them when absent.
  public let covers: [Action]?

  /// Whether the gate covers an action.
  public func covers(_ action: Action) -> Bool { (covers ?? Action.allCases).contains(action) }
}

/// Texts and addresses that the law and the store require.
public struct LegalInfo: Sendable, Hashable, Codable {
  /// The address of the terms of use.
  public let terms: String?
  /// The address of the privacy policy.
  public let privacy: String?
  /// The address of the support page.
  public let support: String?
  /// An explanation of how a subscription renews.
  public let renewal: String?
  /// An explanation of how a subscription is cancelled.
  public let cancellation: String?
}

/// The store's handling of failed payments for this app.
public struct BillingPolicy: Sendable, Hashable, Codable {
  /// How long access continues after a failed renewal. The App Store supports 3, 16 and 28 days. No grace period when absent.
  public let gracePeriod: Period?
}

/// An action on a paywall or in settings. An open set: an app may add its own.
public struct PaywallAction: StringIdentifier {
  /// The text, such as `restore`.
  public let rawValue: String
  /// Makes an action from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Buys the selected product.
  public static let purchase: Self = "purchase"
  /// Opens the paywall, or buys a higher plan.
  public static let upgrade: Self = "upgrade"
  /// Restores purchases.
  public static let restore: Self = "restore"
  /// Opens the store's list of subscriptions.
  public static let manage: Self = "manage"
  /// Opens the store's entry of an offer code.
  public static let redeem: Self = "redeem"
  /// Closes the paywall.
  public static let dismiss: Self = "dismiss"
}

/// The frequency of a prompt: `{ "every": "P3D", "atMost": 5 }`.
public struct PromptFrequency: Sendable, Hashable, Codable {
  /// The minimum time between two prompts.
  public let every: Period?
  /// The maximum number of prompts in total.
  public let atMost: Int?
}

/// One paywall as written in the catalog. Missing values come from the placement `default`.
public struct PaywallDefinition: Sendable, Hashable, Codable {
  /// One reason to buy.
  public struct Benefit: Sendable, Hashable, Codable {
    /// The name of an image.
    public let icon: String?
    /// The reason, in a few words.
    public let title: String
    /// The reason, in a sentence.
    public let description: String?
    /// The features that it describes.
    public let features: [FeatureID]?
  }

  /// A statement about other customers, such as their number, with its evidence.
  public struct SocialProof: Sendable, Hashable, Codable {
    /// The statement.
    public let text: String
    /// The evidence: an address, or a sentence for a reviewer. Never shown to customers.
    public let evidence: String?
  }

  /// The title above all other content.
  public var title: String?
  /// The headline.
  public var headline: String?
  /// The subtitle, below the headline.
  public var subtitle: String?
  /// The line above the benefits.
  public var benefitsTitle: String?
  /// The reasons to buy.
  public var benefits: [Benefit]?
  /// The products on offer, in order. When absent: the products that unlock the request.
  public var products: [ProductID]?
  /// The product that is selected initially.
  public var preselected: ProductID?
  /// The available actions, in order. When absent: `purchase`, `restore`, `dismiss`.
  public var actions: [PaywallAction]?
  /// The labels of buttons, by action.
  public var labels: [String: String]?
  /// The badges of products, such as "Best value", by product.
  public var badges: [String: String]?
  /// The text beside the purchase button.
  public var purchaseLabel: String?
  /// Lines that build trust, such as "Cancel anytime".
  public var trust: [String]?
  /// A statement about other customers.
  public var socialProof: SocialProof?
  /// The strength of prompts for this paywall, `soft` or `hard`. When absent, the app never shows the paywall by itself.
  public var prompt: String?
  /// How often the app shows the paywall by itself; without a limit when absent.
  public var frequency: PromptFrequency?

  /// The actions of a paywall that lists none.
  public static let usualActions: [PaywallAction] = [.purchase, .restore, .dismiss]

  func inheriting(_ base: PaywallDefinition?) -> PaywallDefinition {
    guard let base else { return self }
    var merged = self
    merged.title = title ?? base.title
    merged.headline = headline ?? base.headline
    merged.subtitle = subtitle ?? base.subtitle
    merged.benefitsTitle = benefitsTitle ?? base.benefitsTitle
    merged.benefits = benefits ?? base.benefits
    merged.products = products ?? base.products
    merged.preselected = preselected ?? base.preselected
    merged.actions = actions ?? base.actions
    merged.labels = (base.labels ?? [:]).merging(labels ?? [:]) { _, own in own }
    merged.badges = (base.badges ?? [:]).merging(badges ?? [:]) { _, own in own }
    merged.purchaseLabel = purchaseLabel ?? base.purchaseLabel
    merged.trust = trust ?? base.trust
    merged.socialProof = socialProof ?? base.socialProof
    merged.prompt = prompt ?? base.prompt
    merged.frequency = frequency ?? base.frequency
    return merged
  }
}

/// A module of the app, with features of its own.
public struct CatalogModule: Sendable, Hashable, Codable {
  /// The first component of its features' ids.
  public let id: String
  /// The title that people see.
  public let title: String?
}
