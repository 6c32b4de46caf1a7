// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An event for analytics and for views, inside the app.
///
/// Only a ``SharedEvent`` may leave the device: this event may name a child of the family, and an app's own events may contain text.
public struct MonetizeEvent: Sendable, Hashable, CustomStringConvertible {
  /// The name of an event. An open set.
  public struct Name: StringIdentifier {
    /// The text, such as `purchaseCompleted`.
    public let rawValue: String
    /// Makes a name from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The parental gate was shown.
    public static let gatePresented: Self = "gatePresented"
    /// An adult passed the parental gate.
    public static let gatePassed: Self = "gatePassed"
    /// The parental gate was not passed.
    public static let gateFailed: Self = "gateFailed"
    /// A paywall was shown.
    public static let paywallShown: Self = "paywallShown"
    /// A purchase was requested from the store.
    public static let purchaseStarted: Self = "purchaseStarted"
    /// A person bought a product: the first time, again after a lapse, or as a change of plan that takes effect at once. Each device sends it
    /// once for each transaction, however often the store reports it.
    public static let purchaseCompleted: Self = "purchaseCompleted"
    /// A purchase waits for approval.
    public static let purchasePending: Self = "purchasePending"
    /// The person cancelled a purchase.
    public static let purchaseCancelled: Self = "purchaseCancelled"
    /// A purchase failed.
    public static let purchaseFailed: Self = "purchaseFailed"
    /// The signature of a purchase was wrong.
    public static let purchaseUnverified: Self = "purchaseUnverified"
    /// A purchase was found that was made before the app was installed here.
    public static let purchaseRestored: Self = "purchaseRestored"
    /// A subscription renewed.
    public static let subscriptionRenewed: Self = "subscriptionRenewed"
    /// The store revoked a purchase.
    public static let purchaseRevoked: Self = "purchaseRevoked"
    /// The store took a revocation back.
    public static let purchaseReinstated: Self = "purchaseReinstated"
    /// The store accepted a change to another plan, which takes effect at the next renewal. Nothing was paid.
    public static let planChangeScheduled: Self = "planChangeScheduled"
    /// Different features or items are allowed than before.
    public static let accessChanged: Self = "accessChanged"
    /// A use was denied because its limit was reached.
    public static let usageLimitReached: Self = "usageLimitReached"
    /// The stored state was damaged and was put aside.
    public static let stateDamaged: Self = "stateDamaged"
    /// The app was launched. Sent where the catalog has `events`, like ``used`` and ``featureRestricted``.
    public static let appLaunched: Self = "appLaunched"
    /// A metered feature, or one that a milestone counts, was used, and the use is stored. ``isPaid``: whether a purchase paid for it.
    public static let used: Self = "used"
    /// A feature that a product on sale would open was denied.
    public static let featureRestricted: Self = "featureRestricted"
    /// A paywall was closed without a purchase. Sent when the app calls ``Monetizer/closePaywall(_:pass:by:)``.
    public static let paywallDismissed: Self = "paywallDismissed"
    /// The onboarding was shown for the first time.
    public static let onboardingStarted: Self = "onboardingStarted"
    /// A step of the onboarding, or a page of one, was shown for the first time. Its properties are `step`, and `page` for a page.
    public static let onboardingStep: Self = "onboardingStep"
    /// The onboarding ended, by its last step, an exit, or a skip.
    public static let onboardingCompleted: Self = "onboardingCompleted"
    /// A paid feature was presented for the first time in the onboarding.
    public static let premiumFeatureViewed: Self = "premiumFeatureViewed"
    /// A feature can be used again, because a new period began after its limit was reached. Once for each period.
    public static let allowanceReset: Self = "allowanceReset"
    /// A milestone was reached: ``feature`` was used as often as the milestone requires. The property `milestone` names it. Once for each
    /// customer.
    public static let milestoneReached: Self = "milestoneReached"
    /// A person went back to the start of the app. Later events belong to another session.
    public static let sessionEnded: Self = "sessionEnded"
    /// The customer was assigned to an arm of an experiment that changes what follows; once for each customer and experiment.
    public static let experimentExposed: Self = "experimentExposed"
    /// A fact could not be written to disk. It counts while the app runs, and is retried. ``product`` or ``feature`` identifies it.
    public static let storageFailed: Self = "storageFailed"
    /// The country of the store changed. Load the products again, because products and prices may differ.
    public static let countryChanged: Self = "countryChanged"
  }

  /// The payment of a purchase or a renewal, without the account. Never leaves the device.
  public struct Payment: Sendable, Hashable {
    /// The id of the transaction: the same on all devices of a customer, which may each report it.
    public let transaction: TransactionID
    /// When the paid period began.
    public let purchased: Date
    /// When the paid period ends, or ended by a revocation; `nil` for a purchase that does not expire.
    public let until: Date?
    /// The price paid; `nil` when unknown.
    public let price: Money?

    init(_ transaction: StoreTransaction) {
      (self.transaction, purchased, price) = (transaction.id, transaction.purchaseDate, transaction.price)
      until = transaction.revocation?.date ?? transaction.expirationDate
    }
  }

  /// The name of the event.
  public internal(set) var name: Name
  /// The time of the event, by the trusted clock.
  public let date: Date
  /// The product that was bought, revoked and so on.
  public var product: ProductID?
  /// The feature of the event.
  public var feature: FeatureID?
  /// The item of the event.
  public var item: ItemPath?
  /// The placement of the event.
  public var placement: PlacementID?
  /// The cause of a failure.
  public var error: StoreError.Code?
  /// The member of the family: the customer, or the child of a child's use or event.
  public var subject = SubjectID.customer
  /// The store's environment; `nil` until it is known.
  public internal(set) var environment: StoreEnvironment?
  /// Whether the store is simulated.
  public internal(set) var isSimulated = false
  /// The payment of a purchase or a renewal, and of what is revoked; `nil` for other events.
  public internal(set) var payment: Payment?
  /// Whether a purchase begins with a free trial.
  public var isTrial = false
  /// Whether a purchase without a limit, or bought credits, paid for a use. `nil` for other events.
  public var isPaid: Bool?
  /// The number of uses or seconds, of a use and of a denied request for more than one; `nil` for other events.
  public var count: Int?
  /// The properties of an app's own event.
  public var properties: [String: PropertyValue] = [:]
  /// The experiment and its arm.
  public var assignment: ArmAssignment?
  /// The requests that are allowed now and were not before.
  public var newlyAllowed: [AccessRequest] = []
  /// The requests that were allowed before and are not now.
  public var noLongerAllowed: [AccessRequest] = []

  /// Makes an event.
  public init(_ name: Name, at date: Date, product: ProductID? = nil, feature: FeatureID? = nil, item: ItemPath? = nil) {
    self.name = name
    self.date = date
    self.product = product
    self.feature = feature
    self.item = item
  }

  /// The name and its subject: `purchaseCompleted com.example.pack`.
  public var description: String {
    let counts = [newlyAllowed.isEmpty ? nil : "+\(newlyAllowed.count)", noLongerAllowed.isEmpty ? nil : "-\(noLongerAllowed.count)"]
    let about =
      [product?.rawValue, feature?.rawValue, item?.description, placement?.rawValue, error?.rawValue]
      + [assignment.map { "\($0.experiment) \($0.arm)" }] + counts
    return ([name.rawValue] + about.compactMap { $0 }).joined(separator: " ")
  }
}
