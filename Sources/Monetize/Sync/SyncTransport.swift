// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Exchanges records between the devices of one account: over a server, a file or a cable. The app makes one for the signed-in account,
/// with its session.
///
/// **Law.** A record that `push` accepted is returned by every later `pull`, at least once, in any order. Pushing a record with the same id
/// again changes nothing. `SyncTransportKit` in `MonetizeTesting` checks this for any transport.
public protocol SyncTransport: Sendable {
  /// Sends records. The records that are not refused are kept when this returns. When it throws, the state of all of them is unknown.
  /// - Returns: The reasons for refused records, by their ids: the session may not write one, or it cannot be read. A refused record does
  ///   not affect others.
  func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String]
  /// Fetches the records after an earlier page.
  /// - Parameter cursor: The cursor of the page before; `nil` for the beginning.
  func pull(after cursor: String?) async throws(SyncError) -> SyncPage
}

extension SyncTransport {
  /// Whether the account has any records. Check it before a guest's progress is moved to an existing account.
  /// - Throws: ``SyncError`` when it could not be determined.
  public func hasRecords() async throws(SyncError) -> Bool {
    var page = try await pull(after: nil)
    while page.records.isEmpty, !page.isLast { page = try await pull(after: page.cursor) }
    return !page.records.isEmpty
  }
}

/// One fact in transit.
public struct SyncRecord: Sendable, Hashable, Codable, Identifiable {
  /// The id of the record, made from its content. A copy from another device has the same id.
  public let id: String
  /// The sort of fact, such as `progress`.
  public let type: String
  /// The fact as JSON.
  public let payload: Data
  /// When it was queued, by the device's clock. For support; no decision depends on it.
  public let createdAt: Date

  /// Makes a record from its parts, such as from a server's row.
  public init(id: String, type: String, payload: Data, createdAt: Date) {
    (self.id, self.type, self.payload, self.createdAt) = (id, type, payload, createdAt)
  }

  /// Encodes a fact; `nil` when it cannot be encoded.
  public init?(_ fact: Fact, at now: Date) {
    guard let payload = try? JSONEncoder.canonical.encode(fact) else { return nil }
    // FNV-1a, 64 bits: a million facts share an id with a chance of one in thirty million.
    let hash = payload.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    self.init(id: "\(fact.name)-\(String(hash, radix: 16))", type: fact.name, payload: payload, createdAt: now)
  }

  /// The fact; `nil` for one that this version does not understand.
  /// - Parameter sorts: The sorts of facts that the app defines.
  public func fact(_ sorts: FactSorts = .standard) -> Fact? { try? sorts.decoder.decode(Fact.self, from: payload) }
}

/// A page of records.
public struct SyncPage: Sendable, Hashable {
  /// The records, in any order. Copies are harmless.
  public var records: [SyncRecord]
  /// The cursor of the next page, in the transport's own format.
  public var cursor: String?
  /// Whether this is the last page.
  public var isLast: Bool

  /// Makes a page.
  public init(_ records: [SyncRecord] = [], cursor: String?, isLast: Bool = true) {
    (self.records, self.cursor, self.isLast) = (records, cursor, isLast)
  }
}

/// The reason why records could not be exchanged. Contains no token and no personal data, so that it may be shown and logged.
public struct SyncError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure. An open set.
  public struct Code: StringIdentifier {
    /// The text, such as `unreachable`.
    public let rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// There was no answer, so the state of the other side is unknown. Retrying may help.
    public static let unreachable: Self = "unreachable"
    /// The session is not valid, or may not read this account.
    public static let notSignedIn: Self = "notSignedIn"
    /// The received records could not be written to this device's storage. They are fetched again.
    public static let notKept: Self = "notKept"
    /// The other side's answer could not be read.
    public static let unreadable: Self = "unreadable"
  }

  /// The kind of failure.
  public let code: Code
  /// What happened, and how to fix it.
  public let description: String

  /// Makes an error from a sentence.
  public init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

  /// Whether an automatic retry may help.
  public var isTransient: Bool { code != .notSignedIn }
}

/// The delays before retries: twice as long after each failure, with a random part so that devices do not retry at the same time.
public struct Backoff: Sendable, Hashable {
  /// The longest delay after the first failure, in seconds.
  public var first: TimeInterval
  /// The longest delay, in seconds.
  public var most: TimeInterval

  /// Makes delays. Default: up to one second after the first failure, and up to five minutes after many.
  public init(first: TimeInterval = 1, most: TimeInterval = 300) { (self.first, self.most) = (first, most) }

  /// The delay after a number of failures in a row, in seconds.
  /// - Parameters:
  ///   - failures: The number of failures since the last success.
  ///   - random: From 0 to 1. The delay is between half of the longest one and all of it.
  public func delay(after failures: Int, random: Double) -> TimeInterval {
    min(most, first * pow(2, Double(max(0, failures - 1)))) * (0.5 + random.clamped(to: 0...1) / 2)
  }
}
