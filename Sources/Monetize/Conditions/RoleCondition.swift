// SPDX-License-Identifier: Apache-2.0

/// Limits a feature to some roles.
public struct RoleCondition: Condition {
  /// `roles`.
  public static let name = "roles"
  /// The roles.
  public let roles: [Member.Role]

  /// Decodes a list of roles.
  public init(from decoder: any Decoder) throws { roles = try decoder.singleValueContainer().decode([Member.Role].self) }

  /// Denies for all other roles.
  public func denial(in context: ConditionContext) -> Reason? {
    if roles.contains(context.situation.member.role) { return nil }
    return roles.contains(.parent) ? .requiresParent : .requiresRole
  }

  /// The roles.
  public func text(for reason: Reason) -> String? {
    guard reason == .requiresParent || reason == .requiresRole, roles != [.parent] else { return nil }
    let names = roles.map { role in "\("aeiou".contains(role.rawValue.prefix(1).lowercased()) ? "an" : "a") \(role.rawValue)" }
    return "only for \(names.joined(separator: " or "))."
  }
}
