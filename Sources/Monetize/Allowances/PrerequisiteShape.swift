// SPDX-License-Identifier: Apache-2.0

/// Items that open one after another, by progress rather than purchase. Source: levels that unlock as the one before is completed.
///
/// The feature sets `"requires": "previous"` and lists its collections in `in`. Grants: `true`, by that rule. The first item of a
/// collection is open; any other item opens when the whole item before it is completed. `"unlimited"` opens all items at once.
public struct PrerequisiteShape: AllowanceShape {
  /// `prerequisite`.
  public static let name = "prerequisite"
  /// `true`.
  public static let isAboutItems = true

  /// What must be completed first.
  enum Requirement: String, Decodable, CaseIterable {
    case previous
  }

  let requires: Requirement

  /// The rule applies even without monetization.
  public var withoutMoney: Granted { .limited(Grant(isGiven: true)) }

  /// `true`: by the rule. `false`: denied.
  public struct Grant: Permission {
    /// Whether access is granted.
    public let isGiven: Bool
    /// Makes a grant.
    public init(isGiven: Bool) { self.isGiven = isGiven }

    /// Allowed when the previous item is completed, or when the request names no item.
    public func judgeGiven(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      guard let previous = context.item?.previous, !context.isCompleted(previous) else { return .allowed }
      var verdict = Verdict.denied(.requiresCompletion)
      verdict.requires = previous
      return verdict
    }
  }
}
