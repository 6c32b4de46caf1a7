// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The arm of an experiment that a customer was assigned to. The first one stays: after a sign-in, on another device, and when arms,
/// weights or coverage change.
public struct ArmAssignment: MergingFact {
  /// The experiment.
  public var experiment: ExperimentID
  /// The arm's id.
  public var arm: String
  /// When it was assigned.
  public var date: Date
  /// Whether it is the assignment of the app's account. Such an assignment stays with its account: neither a guest nor the next account
  /// gets it.
  public var isOfAccount: Bool { ofAccount ?? false }
  // Written only when true.
  private let ofAccount: Bool?

  /// Makes an assignment.
  /// - Parameters:
  ///   - experiment: The experiment.
  ///   - arm: The arm's id.
  ///   - date: When it was assigned.
  ///   - isOfAccount: Whether the app's account is assigned, rather than the installation.
  public init(experiment: ExperimentID, arm: String, date: Date, isOfAccount: Bool = false) {
    self.experiment = experiment
    self.arm = arm
    self.date = date
    ofAccount = isOfAccount ? true : nil
  }

  /// One arm per experiment.
  public var key: ExperimentID { experiment }

  /// The earlier one wins; at the same instant, the alphabetically first arm.
  public func merged(with other: Self) -> Self { order <= other.order ? self : other }

  private var order: (Date, String, Int) { (date, arm, isOfAccount ? 1 : 0) }
}
