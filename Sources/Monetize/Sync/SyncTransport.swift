// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Carries what the devices of one account tell each other: to a server, through a file, over a cable. The app makes one for the account that
/// is signed in, and brings the session with it.
///
/// **Law.** A record that `push` took is there for every later `pull`, at least once, in any order; a record that is pushed again, with the
/// same id, changes nothing. `SyncTransportKit` in `MonetizeTesting` checks that for any transport.
public protocol SyncTransport: Sendable {
  /// Brings records to the others. Those that are not refused are kept when this returns; when it throws, nothing is known about any.
  /// - Returns: Why a record is refused, by its id: it may not be written by this session, or cannot be read. One takes no other with it.
  func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String]
  /// Fetches what came after an earlier page.
  /// - Parameter cursor: The end of the page before; `nil` from the beginning.
  func pull(after cursor: String?) async throws(SyncError) -> SyncPage
}

extension SyncTransport {
  /// Whether the account has anything: the question to ask before a guest's progress goes to one that exists already.
  /// - Throws: ``SyncError`` when that could not be found out, which is not the same as nothing.
  public func hasRecords() async throws(SyncError) -> Bool {
    var page = try await pull(after: nil)
    while page.records.isEmpty, !page.isLast { page = try await pull(after: page.cursor) }
    return !page.records.isEmpty
  }
}

/// One fact on its way.
public struct SyncRecord: Sendable, Hashable, Codable, Identifiable {
  /// What names it: made from what it says, so that a copy has the same id, whoever sends it.
  public let id: String
  /// The sort of fact, such as `progress`.
  public let type: String
  /// The fact as JSON.
  public let payload: Data
  /// When it was put into the queue, by the device's clock. For support; nothing is decided by it.
  public let createdAt: Date

  /// Makes a record from its parts, such as from a server's row.
  public init(id: String, type: String, payload: Data, createdAt: Date) {
    (self.id, self.type, self.payload, self.createdAt) = (id, type, payload, createdAt)
  }

  /// Packs a fact; `nil` for one that cannot be encoded.
  public init?(_ fact: Fact, at now: Date) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let payload = try? encoder.encode(fact) else { return nil }
    // FNV-1a, 64 bits: a million facts share an id with a chance of one in thirty million.
    let hash = payload.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    self.init(id: "\(fact.name)-\(String(hash, radix: 16))", type: fact.name, payload: payload, createdAt: now)
  }

  /// The fact; `nil` for one that this version does not understand.
  /// - Parameter sorts: The sorts of facts that the app brings.
  public func fact(_ sorts: FactSorts = .standard) -> Fact? {
    let decoder = JSONDecoder()
    decoder.userInfo[.factSorts] = sorts
    return try? decoder.decode(Fact.self, from: payload)
  }
}

/// Some of the records that there are.
public struct SyncPage: Sendable, Hashable {
  /// The records, in any order; copies are harmless.
  public var records: [SyncRecord]
  /// Where the next page begins: a text of the transport's own.
  public var cursor: String?
  /// Whether there is nothing after it.
  public var isLast: Bool

  /// Makes a page.
  public init(_ records: [SyncRecord] = [], cursor: String?, isLast: Bool = true) {
    (self.records, self.cursor, self.isLast) = (records, cursor, isLast)
  }
}

/// Why records could not be exchanged. It carries no token and no personal data, only what may be shown and logged.
public struct SyncError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What sort of failure. An open set.
  public struct Code: StringIdentifier {
    /// The text, such as `unreachable`.
    public let rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// There was no answer: nothing is known of what the other side has. Trying again may help.
    public static let unreachable: Self = "unreachable"
    /// The session is not valid, or may not read this account.
    public static let notSignedIn: Self = "notSignedIn"
    /// What came could not be written to this device's storage; it is fetched again.
    public static let notKept: Self = "notKept"
    /// The other side answered something that cannot be read.
    public static let unreadable: Self = "unreadable"
  }

  /// What sort of failure.
  public let code: Code
  /// What happened and what to do.
  public let description: String

  /// Makes an error from a sentence.
  public init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

  /// Whether trying again by itself may help.
  public var isTransient: Bool { code != .notSignedIn }
}

/// How long to wait before trying again: twice as long after each failure, and never for two devices alike.
public struct Backoff: Sendable, Hashable {
  /// The longest wait after the first failure, in seconds.
  public var first: TimeInterval
  /// The longest wait at all, in seconds.
  public var most: TimeInterval

  /// Makes one. Default: up to a second after the first failure, and up to five minutes after many.
  public init(first: TimeInterval = 1, most: TimeInterval = 300) { (self.first, self.most) = (first, most) }

  /// The wait after so many failures in a row, in seconds.
  /// - Parameter random: From 0 to 1; the wait is between half of the longest and all of it.
  public func delay(after failures: Int, random: Double) -> TimeInterval {
    min(most, first * pow(2, Double(max(0, failures - 1)))) * (0.5 + random.clamped(to: 0...1) / 2)
  }
}
