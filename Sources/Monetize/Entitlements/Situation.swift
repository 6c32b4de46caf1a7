// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Whose question it is, and what surrounds it. Together with facts, catalog and time it decides everything.
public struct Situation: Sendable, Hashable {
  /// What is known of the store in this run of the app.
  public enum StoreKnowledge: String, Sendable, Hashable, CaseIterable {
    /// It has not answered yet.
    case waiting
    /// It has answered at least once.
    case answered
    /// It has not answered, and the last attempt failed.
    case unreachable
  }

  /// Who asks.
  public var member: Member
  /// The device's time zone.
  public var zone: TimeZone
  /// What is known of the store.
  public var store: StoreKnowledge
  /// The world whose facts count; `nil` for all, while nobody has said which it is.
  public var environment: StoreEnvironment?
  /// The app's account; a purchase made for another one does not count. `nil` when nobody is signed in.
  public var account: String?

  /// Makes a situation; by default the customer's own, in UTC, after the store has answered.
  public init(
    member: Member = .customer, zone: TimeZone = Instant.utc.timeZone, store: StoreKnowledge = .answered,
    environment: StoreEnvironment? = nil,
    account: String? = nil
  ) {
    self.member = member
    self.zone = zone
    self.store = store
    self.environment = environment
    self.account = account
  }

  /// Whether a transaction that concerns this may count at all, before any group or state is looked at: not taken back, not replaced by an
  /// upgrade, and shared only where the product may be.
  ///
  /// By place, here and below: handed over alone, each transaction would be copied with all its texts, and after ten years there are many.
  func honours(_ place: Int, of transactions: [StoreTransaction], isFamilyShareable: Bool) -> Bool {
    transactions[place].revocation == nil && !transactions[place].isUpgraded
      && (isFamilyShareable || transactions[place].ownership == .purchased)
  }

  /// Whether a transaction is of this app, world and account.
  func concerns(_ place: Int, of transactions: [StoreTransaction], in catalog: Catalog) -> Bool {
    (environment == nil || transactions[place].environment == environment)
      && (transactions[place].appID == nil || transactions[place].appID == catalog.app.id)
      && (account == nil || transactions[place].account == nil || transactions[place].account == account)
  }
}
