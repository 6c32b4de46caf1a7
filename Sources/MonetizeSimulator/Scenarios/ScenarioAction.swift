// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// What can happen. The verbs of design.md section 6.
enum ScenarioAction: Sendable {
  enum GateAnswer: String, Sendable, Decodable, CaseIterable { case pass, fail, reuse }
  enum Work: String, Sendable, Decodable, CaseIterable { case succeeds, fails, crashes }
  enum CrashPoint: String, Sendable, Decodable, CaseIterable { case store, grant, finish }
  enum Quit: String, Sendable, Decodable, CaseIterable { case normal, crash }
  enum Keeps: String, Sendable, Decodable, CaseIterable { case secure, nothing }
  /// `none`: asked for and not given.
  enum Part: String, Sendable, Decodable, CaseIterable { case full, prorated, none }
  enum Origin: String, Sendable, Decodable, CaseIterable { case app, promotion, appStore, code }
  enum Switch: String, Sendable, Decodable, CaseIterable { case on, off }

  struct Purchase: Sendable {
    let product: ProductID
    var offer: String?
    var quantity = 1
    var from = Origin.app
    var gate: GateAnswer?
    var sheet: Sheet?
    var at: Date?
    var crashAt: CrashPoint?
  }

  struct Use: Sendable {
    let request: ScenarioRequest
    var key: String?
    var work = Work.succeeds
    /// How long the work runs.
    var takes: Period?
    var parallel = 1
    /// The time that is used, where the request counts its seconds.
    var length: Period?
  }

  /// One exchange between two devices: a message there, and one back.
  struct Sync: Sendable {
    enum Loss: String, Sendable, Decodable, CaseIterable { case there, back, both }
    let with: String
    var lose: Loss?
    var isDuplicated = false
    var delay: Period?
  }

  enum Record: Sendable {
    case completion(ItemPath)
    case coins(id: String, earned: Int, spent: Int)
    case cap(FeatureID, amount: String?)
    case grant(id: String, entitlements: [EntitlementID], until: Date?, revoked: Bool)
  }

  // The app and the person in it.
  case launch(answers: Bool)
  case quit(Quit)
  case relaunch
  case reinstall(Keeps)
  case background
  case foreground
  case open(ScenarioRequest, gate: GateAnswer?)
  case openPaywall(PlacementID, gate: GateAnswer?)
  case purchase(Purchase)
  case dismiss(PlacementID?)
  case load
  /// The app asks how the customer got it.
  case appTransaction
  case restore(gate: GateAnswer?)
  case use(Use)
  case record(Record)
  /// A new version, whose catalog is a merge patch on that of the one before.
  case update(patch: JSONValue)
  /// Remote configuration; `nil` takes it away. Kept as text, because one that is refused is an outcome.
  case overlay(String?)
  /// Somebody signs in, or out.
  case account(to: String?, HandOverPolicy)
  case sync(Sync)
  // The customer at the store.
  case approve(ProductID)
  case decline(ProductID)
  case renewal(Switch, product: ProductID?)
  /// The same in the sheet that the app shows.
  case manage(ProductID, Switch)
  case requestRefund(ProductID)
  case family(member: String, joins: Bool)
  // The store.
  case refund(ProductID, part: Part, reason: StoreTransaction.Revocation.Reason, reverse: Bool)
  case renew(ProductID)
  case expire(ProductID)
  case extend(ProductID, by: Period)
  case deliver(times: Int)
  /// The purchase history, or the transactions of one product, or the newest of these.
  case forget(ProductID?, newestOnly: Bool)
  case set(WorldSettings)

  static let verbs = [
    "launch", "quit", "relaunch", "reinstall", "background", "foreground", "open", "dismiss", "load", "appTransaction", "purchase",
    "restore", "use",
    "record", "update", "account", "sync", "approve", "decline", "renewal", "manage", "requestRefund", "family", "refund", "renew",
    "expire", "extend", "deliver", "forget", "set",
  ]
}

extension ScenarioAction {
  /// What one member of a family does, and not the customer for all.
  static let verbsOfMembers = ["open", "use", "record"]
}

/// What the world is; stays until it is set again. Absent keys stay as they are.
struct WorldSettings: Sendable, Decodable {
  enum Damage: String, Sendable, Decodable, CaseIterable { case corrupt, truncate, delete }
  struct Price: Sendable, Decodable {
    let product: ProductID
    let amount: String
    let consent: PriceConsent?
    /// Only there, in its own currency: `EUR`.
    let storefront: String?
    let currency: String?
    /// Of an offer or a code, and not of the product itself: its id, or `introductory`.
    let offer: String?
  }
  struct InjectedError: Sendable, Decodable {
    let error: String
    let times: Int?
  }

  /// What an API of the store can be made to fail with.
  static let errorNames: [String] = [
    StoreError.Code.network, .system, .notAllowed, .productUnavailable, .ineligibleForOffer, .invalidOfferSignature, .cancelled,
    .userCancelled, .unknown,
  ].map(\.rawValue)

  var network: NetworkState?
  var payment: PaymentMethod?
  var askToBuy: Bool?
  var interruptedPurchases: Bool?
  var interruptedAnswer: InterruptedAnswer?
  var gracePeriod: Period?
  /// How long a change of it takes.
  var gracePeriodAfter: Period?
  var graceFor: GraceScope?
  var monthEnd: MonthEndPolicy?
  var askToBuyLasts: Period?
  var price: Price?
  var onSale: [String: Bool]?
  var storefront: String?
  var environment: String?
  /// When the customer first got the app, and which version.
  var originalPurchaseDate: String?
  var originalAppVersion: String?
  var errors: [String: InjectedError]?
  var quirks: [String: Bool]?
  var clock: String?
  var timeZone: String?
  var damage: Damage?
  /// Whether the app is configured with a secure storage, such as the keychain, from its next launch on.
  var secureStorage: Bool?
  /// Products to how many monthly payments a customer commits to.
  var commitment: [String: Int]?
  /// Codes to who may redeem them: `new`, `existing`, `expired`.
  var codeFor: [String: [String]]?
  /// Codes after whose introductory offer their own begins.
  var codeStacks: [String: Bool]?
  /// One-time products to their codes, with what one costs by it.
  var codes: [String: [String: String]]?
}

// Scenarios write the store's own words.
extension Sheet: Decodable {}
extension NetworkState: Decodable {}
extension PaymentMethod: Decodable {}
extension GraceScope: Decodable {}
extension InterruptedAnswer: Decodable {}
extension MonthEndPolicy: Decodable {}
extension PriceConsent: Decodable {}
