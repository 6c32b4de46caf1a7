// SPDX-License-Identifier: Apache-2.0

/// A feature that only some roles may use.
public struct RoleCondition: Condition {
  /// `roles`.
  public static let name = "roles"
  /// The roles.
  public let roles: [Member.Role]

  /// Reads a list of roles.
  public init(from decoder: any Decoder) throws { roles = try decoder.singleValueContainer().decode([Member.Role].self) }

  /// Closed for all other roles.
  public func denial(in context: ConditionContext) -> Reason? {
    if roles.contains(context.situation.member.role) { return nil }
    return roles.contains(.parent) ? .requiresParent : .requiresRole
  }
}
