// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// One thing that is different between two catalogs, as a sentence for the person who decides about it.
public struct CatalogChange: Sendable, Hashable {
  /// What sort of change it is: a stable word for programs, and a heading for people.
  public enum Topic: String, Sendable, Hashable, CaseIterable, Encodable {
    /// Something that was paid for is taken away.
    case takenAway
    /// An id, a kind, a group or a period that may not change.
    case identity
    /// What everyone had is taken away.
    case everyoneLoses
    /// Somebody gets more.
    case gains
    /// What is sold, and for how much.
    case products
    /// Releases that come out, or are taken back.
    case releases
    /// Paywalls, their products and their actions.
    case paywalls
    /// Words that customers read.
    case texts
    /// Anything else.
    case other
  }

  /// What sort of change it is.
  public let topic: Topic
  /// An error takes away what was paid for, or changes what may not change; a warning may; a note only informs.
  public let severity: Diagnostic.Severity
  /// The stable code of the change.
  public let code: String
  /// The products whose owners are concerned; empty for everyone, and for what concerns nobody in particular.
  public var products: [ProductID] = []
  /// The feature that it is about.
  public var feature: FeatureID?
  /// The JSON path in the new catalog, or in the old one where it is gone.
  public var path: String?
  /// What was there before.
  public var old: String?
  /// What is there now.
  public var new: String?
  /// Questions that were allowed before and are denied now, or the other way round for a gain; at most ten of them.
  public var examples: [OwnerQuestion] = []
  /// The change in a sentence.
  public var sentence = ""
}
