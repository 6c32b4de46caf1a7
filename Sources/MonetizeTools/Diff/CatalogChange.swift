// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// One difference between two catalogs, as a sentence for the person who decides about it.
public struct CatalogChange: Sendable, Hashable {
  /// The kind of change: a stable word for programs, and a heading for people.
  public enum Topic: String, Sendable, Hashable, CaseIterable, Encodable {
    /// Something paid for is taken away.
    case takenAway
    /// An id, a kind, a group or a period that may not change.
    case identity
    /// Something that everyone had is taken away.
    case everyoneLoses
    /// Some customers gain access.
    case gains
    /// Products and prices.
    case products
    /// Releases that are added or removed.
    case releases
    /// Paywalls, their products and their actions.
    case paywalls
    /// Texts for customers.
    case texts
    /// Anything else.
    case other
  }

  /// The kind of change.
  public let topic: Topic
  /// An error takes away something paid for, or changes something fixed; a warning may; a note only informs.
  public let severity: Diagnostic.Severity
  /// The stable code of the change.
  public let code: String
  /// The products whose owners are affected; empty for everyone, for those who were given an entitlement, and for a change without effect on customers.
  public var products: [ProductID] = []
  /// The entitlements whose holders are affected: those who were given one, or the owners of ``products`` who lose it by name.
  public var entitlements: [EntitlementID] = []
  /// The feature concerned.
  public var feature: FeatureID?
  /// The JSON path in the new catalog, or in the old one for a removal.
  public var path: String?
  /// The old value.
  public var old: String?
  /// The new value.
  public var new: String?
  /// At most ten questions that were allowed before and are denied now; for a gain, the reverse.
  public var examples: [OwnerQuestion] = []
  /// The change in a sentence.
  public var sentence = ""
}
