// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The state of the store at the time of a question.
///
/// An answer counts for its own date. Whether a renewing subscription continues after a later end is unknown until the next answer.
/// Everything else in an answer counts for this run of the app, even when later reads fail.
public struct StoreKnowledge: Sendable, Hashable {
  /// Whether the store has answered in this run of the app.
  public var hasAnswered: Bool
  /// The date of the last answer, including one to an earlier run of the app; `nil` without an answer.
  public var asOf: Date?
  /// Whether the last attempt to read failed.
  public var isFailing = false

  /// The store has not answered yet.
  public static let waiting = StoreKnowledge(hasAnswered: false, asOf: nil)
  /// The store has not answered in this run, and the last attempt failed.
  public static let unreachable = StoreKnowledge(hasAnswered: false, asOf: nil, isFailing: true)
  /// The store has answered, and the answer counts at any time. For questions about facts alone.
  public static let answered = StoreKnowledge.answered(at: .distantFuture)
  /// The store has answered, and the answer counts for this date.
  public static func answered(at date: Date) -> StoreKnowledge { StoreKnowledge(hasAnswered: true, asOf: date) }

  /// Whether the last answer is too old to show what follows an end at `end`.
  func isSilent(about end: Date) -> Bool { asOf.map { $0 < end } ?? true }
}

/// The member and the surroundings of a question. Together with facts, catalog and time it decides every answer.
public struct Situation: Sendable, Hashable {
  /// The member who asks.
  public var member: Member
  /// The device's time zone.
  public var zone: TimeZone
  /// The state of the store.
  public var store: StoreKnowledge
  /// The environment whose facts count; `nil` for all, while it is unknown.
  public var environment: StoreEnvironment?
  /// The app's account. Purchases for another account do not count. `nil` for a guest.
  public var account: String?
  /// Attributes for the app's own conditions, such as `region` or `appVersion`.
  public var attributes: [String: String]

  /// Makes a situation. Default: the customer's own, in UTC, after the store has answered.
  public init(
    member: Member = .customer, zone: TimeZone = Calendar.storeCalendar.timeZone, store: StoreKnowledge = .answered,
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
