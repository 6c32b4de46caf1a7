// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Something that happened, for analytics and for views. It carries no name, no account and no free text.
public struct MonetizeEvent: Sendable, Hashable, CustomStringConvertible {
  /// What sort of event. An open set.
  public struct Name: StringIdentifier {
    /// The text, such as `purchaseCompleted`.
    public let rawValue: String
    /// Makes a name from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The parental gate was shown.
    public static let gatePresented: Self = "gatePresented"
    /// An adult passed it.
    public static let gatePassed: Self = "gatePassed"
    /// It was not passed.
    public static let gateFailed: Self = "gateFailed"
    /// A paywall was shown.
    public static let paywallShown: Self = "paywallShown"
    /// The store was asked to sell something.
    public static let purchaseStarted: Self = "purchaseStarted"
    /// Something was bought; once for each purchase, however often the store says so.
    public static let purchaseCompleted: Self = "purchaseCompleted"
    /// A purchase waits for somebody else.
    public static let purchasePending: Self = "purchasePending"
    /// The person changed their mind.
    public static let purchaseCancelled: Self = "purchaseCancelled"
    /// A purchase could not be made.
    public static let purchaseFailed: Self = "purchaseFailed"
    /// A signature was wrong.
    public static let purchaseUnverified: Self = "purchaseUnverified"
    /// A purchase made earlier, or elsewhere, was found.
    public static let purchaseRestored: Self = "purchaseRestored"
    /// A subscription renewed.
    public static let subscriptionRenewed: Self = "subscriptionRenewed"
    /// The store took a purchase back.
    public static let purchaseRevoked: Self = "purchaseRevoked"
    /// Other things are allowed than before.
    public static let accessChanged: Self = "accessChanged"
    /// A limit was reached by a use that was refused.
    public static let usageLimitReached: Self = "usageLimitReached"
    /// The stored state could not be believed and was put aside.
    public static let stateDamaged: Self = "stateDamaged"
    /// The customer was given an arm of an experiment, which changes what follows; once for each customer and experiment.
    public static let experimentExposed: Self = "experimentExposed"
    /// Something that happened could not be written down. It counts while the app runs and is tried again; ``product`` or ``feature`` says what
    /// it is about.
    public static let storageFailed: Self = "storageFailed"
  }

  /// What happened.
  public let name: Name
  /// When, by the device's clock as Monetize believes it.
  public let date: Date
  /// The product it is about.
  public var product: ProductID?
  /// The feature it is about.
  public var feature: FeatureID?
  /// The item it is about.
  public var item: ItemPath?
  /// The placement it is about.
  public var placement: PlacementID?
  /// Why something failed.
  public var error: StoreError.Code?
  /// The experiment and its arm that it is about.
  public var assignment: ArmAssignment?
  /// What is allowed now and was not before.
  public var newlyAllowed: [AccessRequest] = []
  /// What was allowed before and is not now.
  public var noLongerAllowed: [AccessRequest] = []

  /// Makes an event.
  public init(_ name: Name, at date: Date, product: ProductID? = nil, feature: FeatureID? = nil, item: ItemPath? = nil) {
    self.name = name
    self.date = date
    self.product = product
    self.feature = feature
    self.item = item
  }

  /// The name and what it is about: `purchaseCompleted com.example.pack`.
  public var description: String {
    let counts = [newlyAllowed.isEmpty ? nil : "+\(newlyAllowed.count)", noLongerAllowed.isEmpty ? nil : "-\(noLongerAllowed.count)"]
    let about =
      [product?.rawValue, feature?.rawValue, item?.description, placement?.rawValue, error?.rawValue]
      + [assignment.map { "\($0.experiment) \($0.arm)" }] + counts
    return ([name.rawValue] + about.compactMap { $0 }).joined(separator: " ")
  }
}
