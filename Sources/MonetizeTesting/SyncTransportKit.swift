// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// Checks the requirements on every `SyncTransport`. It cannot interrupt the network: use a `SimulatedSyncServer` for that.
public struct SyncTransportKit: Sendable {
  private let open: @Sendable () async throws -> any SyncTransport
  private let forbidden: SyncRecord?

  /// Makes a kit.
  /// - Parameters:
  ///   - forbidden: A record that this session may not write; `nil` when it may write everything.
  ///   - open: Opens a session of the same account at each call, as another device would. The account must be empty at first.
  public init(forbidden: SyncRecord? = nil, _ open: @escaping @Sendable () async throws -> any SyncTransport) {
    (self.forbidden, self.open) = (forbidden, open)
  }

  private static let sample = (0..<250).compactMap { number in
    SyncRecord(.wallet(WalletEntry(id: "kit\(number)", earned: number)), at: Date(timeIntervalSince1970: 1_772_366_400 + Double(number)))
  }

  /// Checks every behaviour.
  public func run() async -> KitReport {
    var report = KitReport(subject: "Sync transport")
    let few = Array(Self.sample.prefix(3))
    await check(&report, "transport.empty", "A new account has no records.") {
      let page = try await open().pull(after: nil)
      return page.records.isEmpty && page.isLast ? nil : "A new account is not empty."
    }
    await check(&report, "transport.delivers", "Another device receives the records unchanged.") {
      let refused = try await open().push(few)
      if !refused.isEmpty { return "It refused \(refused)." }
      return try await all(open()) == Set(few) ? nil : "Another session returns other records."
    }
    await check(&report, "transport.twice", "A retry after a lost answer changes nothing.") {
      _ = try await open().push(few.reversed())
      return try await all(open()) == Set(few) ? nil : "Pushing the same records again changes them."
    }
    await check(&report, "transport.cursor", "A cursor returns all records after it.") {
      let (transport, rest) = (try await open(), Array(Self.sample.dropFirst(3)))
      var cursor: String?
      repeat {
        let page = try await transport.pull(after: cursor)
        cursor = page.cursor
        if page.isLast { break }
      } while true
      _ = try await transport.push(rest)
      return try await all(open(), after: cursor).isSuperset(of: rest) ? nil : "Records after a cursor are missing."
    }
    await check(&report, "transport.pages", "Many records arrive completely.") {
      try await all(open()) == Set(Self.sample) ? nil : "Records from the beginning are missing or changed."
    }
    await check(&report, "transport.empty-push", "Pushing no records is not an error.") {
      try await open().push([]).isEmpty ? nil : "It refused a record that was not sent."
    }
    if let forbidden { await checkRefusal(of: forbidden, beside: few[0], &report) }
    return report
  }

  private func checkRefusal(of forbidden: SyncRecord, beside other: SyncRecord, _ report: inout KitReport) async {
    await check(&report, "transport.refuses", "A refused record does not affect the others.") {
      let fine = SyncRecord(id: "kit-fine", type: "wallet", payload: other.payload, createdAt: other.createdAt)
      let refused = try await open().push([forbidden, fine])
      if Set(refused.keys) != [forbidden.id] { return "It refused \(refused.keys.sorted()), not only the forbidden record." }
      let there = try await all(open())
      return there.contains(fine) && !there.contains(forbidden) ? nil : "It kept the wrong record."
    }
  }

  private func check(_ report: inout KitReport, _ id: String, _ reason: String, _ body: () async throws -> String?) async {
    let failure: String?
    do { failure = try await body() } catch { failure = "It threw: \(error)" }
    report.check(id, reason) { failure }
  }

  private func all(_ transport: any SyncTransport, after cursor: String? = nil) async throws -> Set<SyncRecord> {
    var (found, cursor) = (Set<SyncRecord>(), cursor)
    for _ in 0..<10_000 {
      let page = try await transport.pull(after: cursor)
      found.formUnion(page.records)
      if page.isLast { break }
      cursor = page.cursor
    }
    return found
  }
}
