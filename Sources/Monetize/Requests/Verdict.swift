// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The verdict of a grant on a request.
public struct Verdict: Sendable, Hashable {
  /// Whether the request is allowed.
  public var isAllowed: Bool
  /// The reason for a denial; meaningless when allowed.
  public var reason: Reason
  /// The amount left, at least 0; `nil` when nothing is counted.
  public var remaining: Int?
  /// The amount used.
  public var used: Int?
  /// The limit.
  public var limit: Int?
  /// The measure of the limit.
  public var measure: Measure?
  /// When the count resets; `nil` when it never does.
  public var resetsAt: Date?
  /// The granted level.
  public var level: String?
  /// The position of the level, from 1. Of two grants the higher explains the decision.
  public var levelOrdinal: Int?
  /// The length of the window, in seconds.
  public var window: TimeInterval?
  /// The earliest visible date of a window that moves in steps; `nil` for one that slides, which begins ``window`` before the question.
  public var cutoff: Date?
  /// The item that must be completed first.
  public var requires: ItemPath?
  /// The requested count, where it can exceed the amount left.
  public var asked: Int?
  /// The credits that are left; `nil` when none were ever bought or given.
  public var credits: Int?
  /// The coin balance.
  public var balance: Int?
  /// The price in coins.
  public var price: Int?
  /// When this verdict can change by itself.
  public var changesAt: Date?

  /// Makes a verdict without numbers.
  public init(isAllowed: Bool, reason: Reason) { (self.isAllowed, self.reason) = (isAllowed, reason) }

  /// Allowed, without a limit.
  public static let allowed = Verdict(isAllowed: true, reason: .free)
  /// Denied, with a reason.
  public static func denied(_ reason: Reason) -> Verdict { Verdict(isAllowed: false, reason: reason) }

  /// Whether this leaves more than `other`. Allowed beats denied, and no limit beats a limit. Then more beats less, a longer window a
  /// shorter one, and a higher level a lower one.
  package func leavesMore(than other: Verdict) -> Bool {
    if isAllowed != other.isAllowed { return isAllowed }
    return (remaining ?? limit ?? .max, window ?? .infinity, levelOrdinal ?? .max)
      > (other.remaining ?? other.limit ?? .max, other.window ?? .infinity, other.levelOrdinal ?? .max)
  }
}
