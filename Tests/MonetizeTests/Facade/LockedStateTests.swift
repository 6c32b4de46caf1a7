// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// A file that cannot be read at the launch, such as on a device that has not been unlocked since its start.
@Suite("A state that is read later", .timeLimit(.minutes(30)))
struct LockedStateTests {
  /// A monetizer that began on a locked device with one use on disk, and earned coins before the device was unlocked.
  private func unlocked() async throws -> (RefusingStorage, Monetizer) {
    let storage = RefusingStorage(alsoReading: true)
    try await TestShop.monetizer(storage: storage).spend("trial")
    storage.isRefusing = true
    let monetizer = try TestShop.monetizer(storage: storage)
    #expect(!monetizer.allows("trial"))
    await monetizer.as(.customer).earn(3, for: "first")
    storage.isRefusing = false
    await monetizer.refresh()
    return (storage, monetizer)
  }

  private func earned(_ monetizer: Monetizer) -> Int { monetizer.state.facts.count { $0.name == "wallet" } }

  @Test("H6: a record that was unreadable at the start is read later, and the closed features open") func opens() async throws {
    let (storage, monetizer) = try await unlocked()
    #expect(monetizer.decision(for: "trial").remaining == 2)
    try await monetizer.spend("trial")
    #expect(try TestShop.monetizer(storage: storage).decision(for: "trial").remaining == 1)
  }

  @Test("What was recorded meanwhile stays, in memory and on disk") func recorded() async throws {
    let (storage, monetizer) = try await unlocked()
    #expect(earned(monetizer) == 1)
    try await monetizer.spend("trial")
    #expect(earned(try TestShop.monetizer(storage: storage)) == 1)
  }

  @Test("The file is shortened as after any other start") func shortened() async throws {
    let (storage, monetizer) = try await unlocked()
    for number in 0..<600 { await monetizer.as(.customer).earn(1, for: "\(number)") }
    await monetizer.settled()
    #expect(storage.inner.load().records.count < 500)
  }

  @Test("No experiment applies while the earlier assignments are unknown", arguments: [false, true])
  func experiments(isLocked: Bool) async throws {
    let text = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} },
        "experiments": { "x": { "arms": [{ "id": "a", "weight": 1, "set": { "freeTier": { "grants": { "f": true } } } }] } } }
      """
    let storage = RefusingStorage(alsoReading: true)
    storage.isRefusing = isLocked
    let monetizer = try TestShop.monetizer(storage: storage, catalog: Catalog(json: Data(text.utf8)))
    #expect(monetizer.allows("f") == !isLocked)
    await monetizer.settled()
    #expect(monetizer.state.assignments.isEmpty == isLocked)
  }

  @Test("The time in the file counts, on a device whose clock was set back while it was locked") func time() async throws {
    let (storage, time) = (RefusingStorage(alsoReading: true), TestTime())
    try await TestShop.monetizer(storage: storage, time: time).spend("trial")
    let seen = time.now
    storage.isRefusing = true
    time.set(seen - 10 * 86400)
    let monetizer = try TestShop.monetizer(storage: storage, time: time)
    #expect(monetizer.now < seen)
    storage.isRefusing = false
    await monetizer.refresh()
    #expect(monetizer.now == seen)
  }

  @Test("A use reads the file first, without a refresh") func useReads() async throws {
    let storage = RefusingStorage(alsoReading: true)
    storage.isRefusing = true
    let monetizer = try TestShop.monetizer(storage: storage)
    #expect(!monetizer.allows("trial"))
    storage.isRefusing = false
    #expect(try await monetizer.spend("trial").remaining == 2)
  }
}
