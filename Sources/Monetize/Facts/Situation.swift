// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What is known of the store at the moment of a question.
///
/// An answer counts for the instant that it spoke of. What renews by itself and ended after that instant is unknown until the next answer; everything
/// else that an answer said keeps counting for this run of the app, also when later reads fail.
public struct StoreKnowledge: Sendable, Hashable {
  /// Whether the store has answered in this run of the app.
  public var hasAnswered: Bool
  /// The instant that the last answer spoke of, also an answer to an earlier run of the app; `nil` without one.
  public var asOf: Date?
  /// Whether the last attempt to read failed.
  public var isFailing = false

  /// The store has not answered yet.
  public static let waiting = StoreKnowledge(hasAnswered: false, asOf: nil)
  /// The store has not answered in this run, and the last attempt failed.
  public static let unreachable = StoreKnowledge(hasAnswered: false, asOf: nil, isFailing: true)
  /// The store has answered, and the answer counts for any time: for questions about facts alone.
  public static let answered = StoreKnowledge.answered(at: .distantFuture)
  /// The store has answered, and the answer spoke of this instant.
  public static func answered(at date: Date) -> StoreKnowledge { StoreKnowledge(hasAnswered: true, asOf: date) }

  /// Whether the last answer was too early to say what has become of something that ended at `end`.
  func isSilent(about end: Date) -> Bool { asOf.map { $0 < end } ?? true }
}

/// Whose question it is, and what surrounds it. Together with facts, catalog and time it decides everything.
public struct Situation: Sendable, Hashable {
  /// The member who asks.
  public var member: Member
  /// The device's time zone.
  public var zone: TimeZone
  /// What is known of the store.
  public var store: StoreKnowledge
  /// The environment whose facts count; `nil` for all, while it is not known.
  public var environment: StoreEnvironment?
  /// The app's account; a purchase made for another one does not count. `nil` for a guest.
  public var account: String?
  /// What an app's own conditions look at, such as `region` or `appVersion`.
  public var attributes: [String: String]

  /// Makes a situation; by default the customer's own, in UTC, after the store has answered.
  public init(
    member: Member = .customer, zone: TimeZone = Instant.utc.timeZone, store: StoreKnowledge = .answered,
    environment: StoreEnvironment? = nil, account: String? = nil, attributes: [String: String] = [:]
  ) {
    self.member = member
    self.zone = zone
    self.store = store
    self.environment = environment
    self.account = account
    self.attributes = attributes
  }

  /// Whether a transaction belongs to this app, environment and account.
  func concerns(_ transaction: StoreTransaction, app: String) -> Bool {
    (environment == nil || transaction.environment == environment) && (transaction.appID == nil || transaction.appID == app)
      && transaction.isBought(for: account)
  }
}
