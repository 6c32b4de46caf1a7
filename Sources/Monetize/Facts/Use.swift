// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// One use of a metered feature: reserved before the work, committed after it, or released when it failed.
///
/// The total is never stored as "what is left": a limit that changes takes effect for everybody at once.
public struct Use: MergingFact {
  /// How far a use has come. Later cases win within one revision.
  public enum Status: Int, Sendable, Hashable, Codable {
    /// The work failed or was given up; counts nothing.
    case released
    /// The work is under way; counts while the process that began it lives.
    case reserved
    /// The work is done; counts.
    case committed
  }

  /// So much that no limit reaches it: how much had been used is not known, because a state file was damaged.
  /// Sums of it do not overflow, also where an `Int` has 32 bits: older watches.
  package static let unknownAmount = Int.max >> (Int.bitWidth == 64 ? 23 : 6)

  /// What names it: a retry with the same key is the same use.
  public var key: String
  /// What was used.
  public var feature: FeatureID
  /// By whom.
  public var subject: SubjectID
  /// Which source recorded it.
  public var source: SourceID
  /// How much: a number of uses, or seconds of a duration. At least 0.
  public var amount: Int
  /// When.
  public var date: Date
  /// The local day it counts in, in days since 1970-01-01, in `zone`. Days of a feature never run back.
  public var day: Int
  /// The time zone of the day, by its identifier.
  public var zone: String
  /// Whether it counts against a grant. A use made while the grant was unlimited never does, whatever happens later; a cap counts it all the same.
  public var counted: Bool
  /// How much of it was covered by credits, for ever: this part counts against no grant. At most `amount`.
  public var credits: Int {
    get { min(fromCredits ?? 0, amount) }
    set { fromCredits = newValue > 0 ? newValue : nil }
  }
  // Written only where there is something to write, so that older state files stay what they are.
  private var fromCredits: Int?
  /// How far it has come.
  public var status: Status
  /// The store's world that it was made in, where that is known and is no production: a tester's uses count nothing for a customer. `nil` for
  /// production, and where nobody had said yet.
  public var environment: StoreEnvironment?
  /// Which run of the process reserved it.
  public var run: String
  /// Counted up when a released key is reserved again.
  public var attempt: Int

  /// Makes a use.
  public init(
    key: String, feature: FeatureID, subject: SubjectID = .customer, source: SourceID = .device, amount: Int = 1, date: Date, day: Int,
    zone: String, counted: Bool = true, credits: Int = 0, status: Status = .committed, environment: StoreEnvironment? = nil,
    run: String = "", attempt: Int = 0
  ) {
    self.key = key
    self.feature = feature
    self.subject = subject
    self.source = source
    self.amount = max(0, amount)
    self.date = date
    self.day = day
    self.zone = zone
    self.counted = counted
    fromCredits = credits > 0 ? min(credits, max(0, amount)) : nil
    self.status = status
    self.environment = environment == .production ? nil : environment
    self.run = run
    self.attempt = attempt
  }

  /// The same given back: a later attempt, because released is the lesser word within one.
  var released: Use {
    var use = self
    (use.status, use.attempt) = (.released, attempt + 1)
    return use
  }

  /// One key in two worlds is two uses.
  func comesBefore(_ other: Self) -> Bool {
    (feature, subject, key, environment?.rawValue ?? "") < (other.feature, other.subject, other.key, other.environment?.rawValue ?? "")
  }

  /// The later attempt wins, then the later status.
  public func merged(with other: Self) -> Self {
    if attempt != other.attempt { return attempt < other.attempt ? other : self }
    if status != other.status { return status.rawValue < other.status.rawValue ? other : self }
    return self == other ? self : canonicalWinner(self, other)
  }
}
