// SPDX-License-Identifier: Apache-2.0

/// How a purchase ended. Closed, and six: a switch over it handles everything that can happen.
public enum PurchaseOutcome: Sendable, Hashable {
  /// Bought; access is there already.
  case completed(StoreTransaction)
  /// The customer has it and was not charged.
  case alreadyOwned
  /// Waits for somebody else, such as a parent. Not a failure; access comes by itself if it is approved.
  case pending
  /// The person changed their mind. Not a failure; say nothing.
  case cancelled
  /// The store's signature was wrong; nothing was granted, and nothing was finished.
  case unverified
  /// It could not be done; nothing was granted.
  case failed(StoreError)

  /// The outcome's name, as scenarios and events write it.
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

/// How restoring purchases ended. Closed.
public enum RestoreOutcome: Sendable, Hashable {
  /// These products give access now.
  case restored([ProductID])
  /// There are purchases, but none gives access any more: expired, or taken back.
  case nothingActive
  /// This customer never bought anything.
  case nothingToRestore
  /// The person closed the store's prompt.
  case cancelled
  /// It could not be done; what was known before still counts.
  case failed(StoreError)

  /// The outcome's name, as scenarios and events write it.
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
