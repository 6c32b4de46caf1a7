// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing

@testable import Monetize

/// The records of a file do not depend on how fast it is written.
@Suite(.timeLimit(.minutes(30)))
struct RecordOrderTests {
  @Test("A fact that is added while the end of something is being written has one record, also in a new file", arguments: [false, true])
  func addedDuringAPost(isSlow: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (time, gate) = (TestTime(), DispatchSemaphore(value: isSlow ? 0 : 1))
    var calls = SystemCalls()
    calls.lock = { [lock = calls.lock] file, operation in
      gate.wait()
      gate.signal()
      return lock(file, operation)
    }
    let storage = FileStorage(path: folder.path + "/state", files: SystemFiles(calls: calls))
    let monetizer = try TestShop.monetizer(storage: storage, time: time) { $0.source = "phone" }
    // The month ends, which is written although no fact is added.
    time.advance(40 * 86400)
    if !isSlow { await monetizer.written() }
    async let given: Void = monetizer.give([], id: "gift")
    while monetizer.state.grants["gift"] == nil { await Task.yield() }
    gate.signal()
    await given
    let records = try storage.load().records.map { try JSONDecoder().decode([Fact].self, from: $0).map(\.name) }
    #expect(records == [["time"], ["grant", "time"]])
  }
}
