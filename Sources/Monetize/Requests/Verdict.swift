// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// How a grant judged a request.
public struct Verdict: Sendable, Hashable {
  /// Whether it allows it.
  public var isAllowed: Bool
  /// Why not; meaningless when allowed.
  public var reason: Reason
  /// How much is left, at least 0; `nil` where nothing counts down.
  public var remaining: Int?
  /// How much of the limit is used.
  public var used: Int?
  /// The limit.
  public var limit: Int?
  /// What the limit is counted by.
  public var measure: Measure?
  /// When the count begins anew; `nil` when never.
  public var resetsAt: Date?
  /// The level that is granted.
  public var level: String?
  /// Its position among the levels, from 1: of two grants the higher explains the answer.
  public var levelOrdinal: Int?
  /// How far back the window reaches, in seconds.
  public var window: TimeInterval?
  /// What has to be completed first.
  public var requires: ItemPath?
  /// How many were asked for, where that can be more than what is left.
  public var asked: Int?
  /// How many bought credits are left; `nil` where none were ever bought.
  public var credits: Int?
  /// The coins there are.
  public var balance: Int?
  /// The coins it costs.
  public var price: Int?
  /// When this very verdict can change by itself.
  public var changesAt: Date?

  /// Makes a verdict with no numbers.
  public init(isAllowed: Bool, reason: Reason) {
    self.isAllowed = isAllowed
    self.reason = reason
  }

  /// Allowed, and nothing counts down.
  public static let allowed = Verdict(isAllowed: true, reason: .free)
  /// Denied for a reason.
  public static func denied(_ reason: Reason) -> Verdict { Verdict(isAllowed: false, reason: reason) }

  /// Whether this leaves more than `other`: allowed before denied, no limit before a limit, more before less, a longer window before a
  /// shorter, a higher level before a lower.
  package func leavesMore(than other: Verdict) -> Bool {
    if isAllowed != other.isAllowed { return isAllowed }
    return (remaining ?? limit ?? .max, window ?? .infinity, levelOrdinal ?? .max)
      > (other.remaining ?? other.limit ?? .max, other.window ?? .infinity, other.levelOrdinal ?? .max)
  }
}
