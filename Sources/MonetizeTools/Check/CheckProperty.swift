// SPDX-License-Identifier: Apache-2.0

/// A property that holds for every customer of a correct catalog. An open set: an app adds its own, see ``OwnProperty``.
public struct CheckProperty: Sendable, Hashable {
  /// The name in reports and for `--skip`.
  public let code: String
  /// The rule in one sentence.
  public let rule: String

  /// A purchase takes nothing away.
  public static let payingTakesAway = Self(code: "paying-takes-away", rule: "A purchase takes nothing away.")
  /// The free limit for ever applies once, also after a reinstallation.
  public static let freeOverLimit = Self(
    code: "free-over-limit", rule: "A customer without purchases cannot exceed the free limit.")
  /// A restore brings purchases to a new device.
  public static let restoreLoses = Self(code: "restore-loses", rule: "A restore on a fresh installation brings back every purchase.")
  /// Devices of one customer agree on purchases.
  public static let devicesDiffer = Self(code: "devices-differ", rule: "A second device of the customer shows the same products as owned.")
  /// Each released feature can be opened.
  public static let unreachable = Self(code: "unreachable", rule: "Every released feature is open to some customer.")
  /// A paywall sells only useful products.
  public static let paywallUseless = Self(code: "paywall-useless", rule: "A paywall offers no product that gives the customer nothing.")
  /// A product gives more than the free tier.
  public static let purchaseGivesNothing = Self(
    code: "purchase-gives-nothing", rule: "Every product on sale gives more now than the free tier.")
  /// An introductory offer applies once.
  public static let introductoryTwice = Self(code: "introductory-twice", rule: "An introductory offer applies once to the same content.")
  /// A customer who has paid is never worse off than one who has not.
  public static let lapseBelowFree = Self(
    code: "lapse-below-free", rule: "After a purchase ends, a customer has at least the free tier.")
  /// A parent's limit holds after any purchase.
  public static let capLifted = Self(code: "cap-lifted", rule: "A feature that a parent closed for a child stays closed.")

  /// All properties, in the order of the guide.
  public static let all = [
    payingTakesAway, freeOverLimit, restoreLoses, devicesDiffer, unreachable, paywallUseless, purchaseGivesNothing, introductoryTwice,
    lapseBelowFree, capLifted,
  ]
}

/// A state that violates a property, before it is written as a scenario.
struct CheckFinding: Sendable {
  let code: String
  /// The problem, for a product owner.
  let message: String
  /// The steps after the path to the state.
  var steps: [String] = []
  /// The expectation that fails: one `expect` of the scenario.
  let expect: String
}
