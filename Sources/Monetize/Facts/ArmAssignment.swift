// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The arm of an experiment that a customer was given. The first one stays: after a sign-in, on another device, and when arms, weights or
/// coverage change.
public struct ArmAssignment: MergingFact {
  /// The experiment.
  public var experiment: ExperimentID
  /// The arm's id.
  public var arm: String
  /// When it was given.
  public var date: Date

  /// Makes an assignment.
  public init(experiment: ExperimentID, arm: String, date: Date) {
    self.experiment = experiment
    self.arm = arm
    self.date = date
  }

  /// One arm an experiment.
  public var key: ExperimentID { experiment }

  /// The earlier one; of two of one instant the first by the alphabet.
  public func merged(with other: Self) -> Self { (date, arm) <= (other.date, other.arm) ? self : other }
}
