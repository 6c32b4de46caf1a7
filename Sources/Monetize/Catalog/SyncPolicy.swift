// SPDX-License-Identifier: Apache-2.0

/// How what is known in several places becomes one: the section `sync` of a catalog.
public struct SyncPolicy: Sendable, Hashable {
  /// The name of the field that means the wallet.
  public static let coins = "coins"

  /// The rule of each field of somebody's progress. The field `coins` is not stored as one number: with `"max"`, an account that takes over a
  /// guest's coins has the higher of what both have earned, and without a rule their sum.
  public let merge: [String: MergeRule]

  /// Makes a policy.
  public init(merge: [String: MergeRule]) { self.merge = merge }

  /// The rule of a field; `nil` for one that is not declared, and for coins.
  public func rule(of field: String) -> MergeRule? { field == Self.coins ? nil : merge[field] }

  /// What two records of the same thing come to, field by field. What only one has is kept; a field without a rule is left out.
  public func merged(_ a: [String: Int], _ b: [String: Int]) -> [String: Int] {
    var merged: [String: Int] = [:]
    for (field, rule) in merge { merged[field] = rule.joined(a[field], b[field]) }
    return merged
  }
}
