// SPDX-License-Identifier: Apache-2.0
import Foundation
import MaxsPuzzles
import Monetize
import MonetizeSimulator
import Synchronization

/// The hub with a disk in memory and a controlled clock.
struct App {
  static let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Products/maxs-puzzles.json")

  let hub: Hub
  let storage: MemoryStorage
  let clock: ManualClock
  let log: EventLog

  static func launch(releases: [String] = ["v1"], storage: MemoryStorage = MemoryStorage(), clock: ManualClock? = nil) async throws -> App {
    // 2026-03-01 12:00 in Berlin.
    let clock = clock ?? ManualClock(Date(timeIntervalSince1970: 1_772_362_800))
    let log = EventLog()
    let list = releases.map { "\"\($0)\"" }.joined(separator: ", ")
    let text = try String(contentsOf: url, encoding: .utf8).replacingOccurrences(
      of: #""releases": ["v1"]"#, with: "\"releases\": [\(list)]")
    let hub = Hub(try Catalog(json: Data(text.utf8))) {
      $0.storage = storage
      $0.time = clock
      $0.zone = { TimeZone(identifier: "Europe/Berlin") ?? .current }
      $0.onEvent = { log.add($0) }
      $0.startsByItself = false
    }
    await hub.monetizer.start()
    return App(hub: hub, storage: storage, clock: clock, log: log)
  }

  func restart(releases: [String]) async throws -> App { try await App.launch(releases: releases, storage: storage, clock: clock) }
  func seat(_ player: Player = .child("max")) -> Seat { hub.seat(for: player) }
}

/// Collects all events.
final class EventLog: Sendable {
  private let list = Mutex<[MonetizeEvent]>([])
  var events: [MonetizeEvent] { list.withLock { $0 } }
  func add(_ event: MonetizeEvent) { list.withLock { $0.append(event) } }
}
