// SPDX-License-Identifier: Apache-2.0

/// What has to hold for every customer of every catalog. An open set: an app adds its own, see ``OwnProperty``.
public struct CheckProperty: Sendable, Hashable {
  /// The name in reports and for `--skip`.
  public let code: String
  /// The rule in one sentence.
  public let rule: String

  /// Buying allows no less than before, and leaves no less.
  public static let payingTakesAway = Self(code: "paying-takes-away", rule: "A purchase closes nothing and leaves no less.")
  /// The free limit of a lifetime is one, also after a reinstallation.
  public static let freeOverLimit = Self(
    code: "free-over-limit", rule: "A customer who bought nothing never uses more than the free limit.")
  /// What was bought is there again on a new device.
  public static let restoreLoses = Self(code: "restore-loses", rule: "A restore on a fresh installation brings back all that was bought.")
  /// Devices of one customer agree on what was bought.
  public static let devicesDiffer = Self(code: "devices-differ", rule: "A second device of the customer shows the same products as owned.")
  /// Each feature that is out can be opened by someone.
  public static let unreachable = Self(code: "unreachable", rule: "Every feature that is out can be opened by someone.")
  /// A paywall sells only what helps.
  public static let paywallUseless = Self(code: "paywall-useless", rule: "No paywall offers what gives the customer nothing.")
  /// A product gives more than everyone has.
  public static let purchaseGivesNothing = Self(code: "purchase-gives-nothing", rule: "Every product on sale gives more than is free.")
  /// An introductory price is for the first time.
  public static let introductoryTwice = Self(code: "introductory-twice", rule: "What was introduced once is not introduced again.")
  /// Who paid once is not worse off than who never paid.
  public static let lapseBelowFree = Self(
    code: "lapse-below-free", rule: "When what was paid for is over, the customer has what a customer who never paid has.")
  /// A parent's limit holds whatever is bought.
  public static let capLifted = Self(code: "cap-lifted", rule: "What a parent has closed for a child stays closed.")

  /// All of them, in the order of the guide.
  public static let all = [
    payingTakesAway, freeOverLimit, restoreLoses, devicesDiffer, unreachable, paywallUseless, purchaseGivesNothing, introductoryTwice,
    lapseBelowFree, capLifted,
  ]
}

/// A state in which a property does not hold, before it is written as a scenario.
struct CheckFinding: Sendable {
  let code: String
  /// What is wrong, for a product owner.
  let message: String
  /// What is done after the way to the state.
  var steps: [String] = []
  /// What should hold then, and does not: one `expect` of the scenario.
  let expect: String
}
