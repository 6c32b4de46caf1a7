// SPDX-License-Identifier: Apache-2.0

/// Items that open one after the other, by progress and not by purchase. Source: levels that unlock as the one before is completed.
///
/// The feature says `"requires": "previous"`, and with `in` which collections it is about. Grants: `true`, by that rule. The first item of
/// a collection is open; every other one when the item before it is completed, as a whole. `"unlimited"` opens them all at once.
public struct PrerequisiteShape: AllowanceShape {
  /// `prerequisite`.
  public static let name = "prerequisite"
  /// Opened item by item.
  public static let isAboutItems = true

  /// What has to be completed.
  enum Requirement: String, Decodable, CaseIterable {
    case previous
  }

  let requires: Requirement

  /// Without money the rule still holds.
  public var withoutMoney: Granted { .limited(Grant(isGiven: true)) }

  /// By the rule; `false` is not at all.
  public struct Grant: Permission {
    /// Whether it is given.
    public let isGiven: Bool
    /// Makes a grant.
    public init(isGiven: Bool) { self.isGiven = isGiven }

    /// Allowed when the item before is completed, and without an item.
    public func judgeGiven(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      guard let previous = context.item?.previous, !context.isCompleted(previous) else { return .allowed }
      var verdict = Verdict.denied(.requiresCompletion)
      verdict.requires = previous
      return verdict
    }
  }
}
