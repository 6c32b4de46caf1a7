// SPDX-License-Identifier: Apache-2.0

/// The rules for merging records from several devices: the section `sync` of a catalog.
public struct SyncPolicy: Sendable, Hashable {
  /// The name of the field for the wallet.
  public static let coins = "coins"

  /// The rule of each progress field. The field `coins` is not stored as one number. It applies when an account takes over a guest's coins:
  /// with `"max"` the account gets the higher of both earnings, without a rule their sum.
  public let merge: [String: MergeRule]

  /// Makes a policy.
  public init(merge: [String: MergeRule]) { self.merge = merge }

  /// The rule of a field; `nil` when the field is not declared, and for `coins`.
  public func rule(of field: String) -> MergeRule? { field == Self.coins ? nil : merge[field] }
}
