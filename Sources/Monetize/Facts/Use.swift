// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// One use of a metered feature: reserved before the work, then committed, or released when the work failed.
///
/// The remaining number is never stored, so a changed limit takes effect for all customers at once.
public struct Use: MergingFact {
  /// The progress of a use. Later cases win within one attempt.
  public enum Status: Int, Sendable, Hashable, Codable {
    /// The work failed or was given up. Does not count.
    case released
    /// The work is under way. Counts while its process lives.
    case reserved
    /// The work is done. Counts.
    case committed
  }

  /// An amount above every limit, for a damaged state whose uses are unknown. Sums of it do not overflow, even where `Int` has 32 bits, as
  /// on older watches.
  package static let unknownAmount = Int.max >> (Int.bitWidth == 64 ? 23 : 6)

  /// The identity of the use: a retry with the same key is the same use.
  public var key: String
  /// The feature that was used.
  public var feature: FeatureID
  /// The subject that used it.
  public var subject: SubjectID
  /// The source that recorded it.
  public var source: SourceID
  /// The amount: a number of uses, or seconds of a duration. At least 0.
  public var amount: Int
  /// The date of the use.
  public var date: Date
  /// The local day in which it counts, in days since 1970-01-01, in `zone`. Never earlier than the day of an earlier use of the feature.
  public var day: Int
  /// The identifier of the day's time zone.
  public var zone: String
  /// Whether it counts against a grant. A use under an unlimited grant never does, whatever happens later, but a cap counts it.
  public var counted: Bool
  /// The part of the amount that credits covered. It never counts against a grant. At most `amount`.
  public var credits: Int {
    get { min(fromCredits ?? 0, amount) }
    set { fromCredits = newValue > 0 ? newValue : nil }
  }
  // Written only when not 0, so that older state files stay unchanged.
  private(set) var fromCredits: Int?
  /// The status of the use.
  public var status: Status
  /// The store's test environment at the time of the use, so that a tester's uses do not count for customers. `nil` for production, and
  /// while the environment was unknown.
  public var environment: StoreEnvironment?
  /// The run of the process that reserved it.
  public var run: String
  /// The number of times that the released key was reserved again.
  public var attempt: Int
  // How often a storage refused the committed use. Written only when not 0.
  private(set) var refusals: Int?

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

  /// The released use, with the next attempt number, because within one attempt a release loses against a reservation.
  var released: Use {
    var use = nextAttempt(after: self)
    use.status = .released
    return use
  }

  /// The use, released although it was committed, because the storage refused it before anything was done.
  var refused: Use {
    var use = released
    use.refusals = (refusals ?? 0).next
    return use
  }

  /// The use as the next attempt with its key, after a known one.
  func nextAttempt(after known: Use?) -> Use {
    guard let known else { return self }
    var use = self
    (use.attempt, use.refusals) = (known.attempt.next, known.refusals)
    return use
  }

  /// A committed use wins over any other: a use that succeeded on one device stays counted when it failed on another. Among the others the
  /// later attempt wins, then the later status.
  public func merged(with other: Self) -> Self {
    let (mine, others) = (refusals ?? 0, other.refusals ?? 0)
    if mine != others { return mine < others ? other : self }
    if (status == .committed) != (other.status == .committed) { return status == .committed ? self : other }
    if attempt != other.attempt { return attempt < other.attempt ? other : self }
    if status != other.status { return status.rawValue < other.status.rawValue ? other : self }
    return self == other ? self : canonicalWinner(self, other)
  }
}
