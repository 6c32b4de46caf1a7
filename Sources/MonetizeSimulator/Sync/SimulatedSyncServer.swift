// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// A server in memory that stores the records of each account, behind a network that can lose, repeat, delay and reorder calls.
/// Deterministic for a given seed.
public final class SimulatedSyncServer: Sendable {
  /// The faults of calls, each with a probability from 0 to 1.
  public struct Network: Sendable, Hashable {
    /// The request is lost.
    public var lost = 0.0
    /// The answer is lost: the server has the records, and the device has no confirmation.
    public var unanswered = 0.0
    /// The request arrives together with a later one, after the device has given up.
    public var delayed = 0.0
    /// The request arrives twice.
    public var duplicated = 0.0
    /// The records of a request or a page are reordered.
    public var reordered = 0.0

    /// Makes a network without faults.
    public init() {}

    /// A network with all faults, each with the same probability.
    public static func bad(_ chance: Double) -> Network {
      var network = Network()
      (network.lost, network.unanswered, network.delayed) = (chance, chance, chance)
      (network.duplicated, network.reordered) = (chance, chance)
      return network
    }
  }

  /// Returns the reason why a session may not write a record; `nil` when it may.
  public typealias Judge = @Sendable (SyncRecord, RowScope.Party) -> String?

  private struct State {
    var random: SplitMix64
    var network = Network()
    var records: [String: [SyncRecord]] = [:]
    var ids: [String: Set<String>] = [:]
    var underWay: [(account: String, records: [SyncRecord])] = []
    var calls = 0

    mutating func happens(_ chance: Double) -> Bool { chance > 0 && Double.random(in: 0..<1, using: &random) < chance }

    mutating func mixed(_ records: [SyncRecord]) -> [SyncRecord] {
      happens(network.reordered) ? records.shuffled(using: &random) : records
    }

    /// Stores the records that are not there yet.
    mutating func keep(_ new: [SyncRecord], _ account: String) {
      for record in new where ids[account, default: []].insert(record.id).inserted { records[account, default: []].append(record) }
    }

    mutating func arriveLate(_ chance: Double) {
      for (account, records) in underWay.shuffled(using: &random) {
        if happens(chance) { keep(mixed(records), account) } else { kept.append((account, records)) }
      }
      (underWay, kept) = (kept, [])
    }
    private var kept: [(account: String, records: [SyncRecord])] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }
  }

  private let state: Locked<State>
  private let judge: Judge

  /// Makes an empty server.
  public init(seed: UInt64 = 1, judge: @escaping Judge = { _, _ in nil }) {
    state = Locked(State(seed: seed))
    self.judge = judge
  }

  /// Sets the faults of later calls.
  public func setNetwork(_ network: Network) { state.withLock { $0.network = network } }

  /// Delivers delayed requests.
  public func arrive() { state.withLock { $0.arriveLate(1.1) } }

  /// The number of calls of all devices.
  public var calls: Int { state.withLock { $0.calls } }

  /// The records of an account, in the order of arrival.
  public func records(of account: String) -> [SyncRecord] { state.withLock { $0.records[account] ?? [] } }

  /// The transport of one session to this server.
  public func transport(_ account: String, member: Member = .customer) -> any SyncTransport {
    Session(server: self, party: RowScope.Party(family: account, member: member), account: account)
  }

  private struct Session: SyncTransport {
    let server: SimulatedSyncServer
    let party: RowScope.Party
    let account: String

    func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] {
      let refused = Dictionary(records.compactMap { record in server.judge(record, party).map { (record.id, $0) } }) { first, _ in first }
      let taken = records.filter { refused[$0.id] == nil }
      try server.call { state -> Void? in
        if state.happens(state.network.delayed) {
          state.underWay.append((account, taken))
          return nil
        }
        for _ in 0..<(state.happens(state.network.duplicated) ? 2 : 1) { state.keep(state.mixed(taken), account) }
        return ()
      }
      return refused
    }

    func pull(after cursor: String?) async throws(SyncError) -> SyncPage {
      try server.call { state -> SyncPage? in
        let all = state.records[account] ?? []
        let start = min(cursor.flatMap(Int.init) ?? 0, all.count)
        let end = min(start + 50, all.count)
        var page = state.mixed(Array(all[start..<end]))
        if state.happens(state.network.duplicated) { page += page }
        return SyncPage(page, cursor: String(end), isLast: end == all.count)
      }
    }
  }

  /// - Parameter body: The work of the server; returns `nil` when the request does not arrive now.
  private func call<Answer>(_ body: (inout State) -> Answer?) throws(SyncError) -> Answer {
    let answer = state.withLock { state -> Answer? in
      state.calls += 1
      state.arriveLate(0.5)
      if state.happens(state.network.lost) { return nil }
      let answer = body(&state)
      return state.happens(state.network.unanswered) ? nil : answer
    }
    guard let answer else { throw SyncError(.unreachable, "The simulated server did not answer. Try again.") }
    return answer
  }
}
