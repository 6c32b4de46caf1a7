// SPDX-License-Identifier: Apache-2.0

/// The outcome of a purchase. A closed set of six cases, so a `switch` can handle every one.
public enum PurchaseOutcome: Sendable, Hashable {
  /// Bought. Access is available.
  case completed(StoreTransaction)
  /// The customer owns it and was not charged.
  case alreadyOwned
  /// Waits for approval, such as a parent's. Not a failure; access follows the approval automatically.
  case pending
  /// The person cancelled. Not a failure; show nothing.
  case cancelled
  /// The store's signature was wrong. Nothing was granted and nothing was finished.
  case unverified
  /// The purchase failed. Nothing was granted.
  case failed(StoreError)

  /// The outcome's name in scenarios and events.
  public var name: String {
    switch self {
    case .completed: "completed"
    case .alreadyOwned: "alreadyOwned"
    case .pending: "pending"
    case .cancelled: "cancelled"
    case .unverified: "unverified"
    case .failed: "failed"
    }
  }
}

/// The outcome of a restore. Closed.
public enum RestoreOutcome: Sendable, Hashable {
  /// These products give access now.
  case restored([ProductID])
  /// There are purchases, but none gives access: they expired or were revoked.
  case nothingActive
  /// The customer never bought anything.
  case nothingToRestore
  /// The person closed the store's prompt.
  case cancelled
  /// The restore failed. Known facts still count.
  case failed(StoreError)

  /// The outcome's name in scenarios and events.
  public var name: String {
    switch self {
    case .restored: "restored"
    case .nothingActive: "nothingActive"
    case .nothingToRestore: "nothingToRestore"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}
