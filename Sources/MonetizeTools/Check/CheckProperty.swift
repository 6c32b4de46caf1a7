// SPDX-License-Identifier: Apache-2.0

/// A property that holds for every customer of a correct catalog. An open set: an app adds its own, see ``OwnProperty``.
public struct CheckProperty: Sendable, Hashable {
  /// The name in reports and for `--skip`.
  public let code: String
  /// The rule in one sentence.
  public let rule: String
  /// What to change in a catalog that breaks it.
  public let mend: String

  /// A purchase takes nothing away.
  public static let payingTakesAway = Self(
    code: "paying-takes-away", rule: "A purchase takes nothing away.",
    mend: "Correct the kind or the allowance: another grant must leave at least as much.")
  /// The free limit for ever applies once, also after a reinstallation.
  public static let freeOverLimit = Self(
    code: "free-over-limit", rule: "A customer without purchases cannot exceed the free limit.",
    mend: "Add \"survivesReinstall\": true to the feature.")
  /// A restore brings purchases to a new device.
  public static let restoreLoses = Self(
    code: "restore-loses", rule: "A restore on a fresh installation brings back every purchase.",
    mend:
      "No store lists finished consumables. Keep them in an account, with \"server\" or \"sync\"; or accept the loss: --skip restore-loses."
  )
  /// Devices of one customer agree on purchases.
  public static let devicesDiffer = Self(
    code: "devices-differ", rule: "A second device of the customer shows the same products as owned.",
    mend:
      "Only one device knows the uses that it depends on. Keep them in an account, with \"server\" or \"sync\"; or count from the purchase."
  )
  /// Each released feature can be opened.
  public static let unreachable = Self(
    code: "unreachable", rule: "Every released feature is open to some customer.",
    mend: "Grant it in the free tier or in a product, or move it to a later release.")
  /// A paywall sells only useful products.
  public static let paywallUseless = Self(
    code: "paywall-useless", rule: "A paywall offers no product that gives the customer nothing.",
    mend: "Leave the product out of this paywall, or let it give more.")
  /// A product gives more than the free tier.
  public static let purchaseGivesNothing = Self(
    code: "purchase-gives-nothing", rule: "Every product on sale gives more now than the free tier.",
    mend: "Let it give more than the free tier, or take it off sale with \"onSale\": false.")
  /// An introductory offer applies once.
  public static let introductoryTwice = Self(
    code: "introductory-twice", rule: "An introductory offer applies once to the same content.",
    mend: "Put both into one group, in which the store gives one introductory offer to a customer.")
  /// A customer who has paid is never worse off than one who has not.
  public static let lapseBelowFree = Self(
    code: "lapse-below-free", rule: "After a purchase ends, a customer has at least the free tier.",
    mend: "The uses of a plan count against the free tier of the same period. Grant \"unlimited\"; or accept it: --skip lapse-below-free.")
  /// A parent's limit holds after any purchase.
  public static let capLifted = Self(
    code: "cap-lifted", rule: "A feature that a parent closed for a child stays closed.",
    mend: "Correct the allowance: a parent's limit comes before every grant.")

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
