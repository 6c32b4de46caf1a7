// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@Suite("Merging of uses", .timeLimit(.minutes(30)))
struct UseMergingTests {
  private func use(_ status: Use.Status, attempt: Int = 0, refusals: Int? = nil, run: String = "run1") throws -> Use {
    let use = Use(
      key: "bear", feature: "story", date: RandomFacts.start, day: 20_513, zone: "UTC", status: status, run: run, attempt: attempt)
    guard let refusals else { return use }
    guard var object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(use)) as? [String: Any] else { return use }
    object["refusals"] = refusals
    return try JSONDecoder().decode(Use.self, from: JSONSerialization.data(withJSONObject: object))
  }

  private func randomUse(_ random: inout SplitMix64, refusals: ClosedRange<Int> = 0...0) throws -> Use {
    let status = [Use.Status.released, .reserved, .committed].randomElement(using: &random) ?? .committed
    return try use(
      status, attempt: .random(in: 0...3, using: &random), refusals: .random(in: refusals, using: &random),
      run: Bool.random(using: &random) ? "run1" : "run2")
  }

  @Test("XC-04, DOZZI-13: what one device committed stays counted, whatever the others did with the same key") func committed() throws {
    try expectHolds(Seed.run(1000)) { seed in
      var random = SplitMix64(seed: seed)
      let uses = try (0..<Int.random(in: 1...5, using: &random)).map { _ in try randomUse(&random) }
      let merged = uses.dropFirst().reduce(uses[0]) { $0.merged(with: $1) }
      let isCommitted = uses.contains { $0.status == .committed }
      return (merged.status == .committed) == isCommitted ? nil : Violation("\(uses.map(\.status)) became \(merged.status)")
    }
  }

  @Test("The order and the grouping of merging have no effect, nor has merging twice") func laws() throws {
    try expectHolds(Seed.run(1000)) { seed in
      var random = SplitMix64(seed: seed)
      let (a, b, c) = try (
        randomUse(&random, refusals: 0...2), randomUse(&random, refusals: 0...2), randomUse(&random, refusals: 0...2)
      )
      if a.merged(with: b) != b.merged(with: a) { return Violation("order: \(a) \(b)") }
      if a.merged(with: b).merged(with: c) != a.merged(with: b.merged(with: c)) { return Violation("grouping: \(a) \(b) \(c)") }
      if a.merged(with: a) != a { return Violation("twice: \(a)") }
      return nil
    }
  }

  @Test("A use that the disk refused does not count, after the disk has recovered either; a retry with its key counts once")
  func refused() async throws {
    let storage = RefusingStorage()
    let monetizer = try TestShop.monetizer(storage: storage)
    _ = await monetizer.refresh()
    storage.isRefusing = true
    await #expect(throws: AccessDenied.self) { try await monetizer.spend("story", key: "bear") }
    storage.isRefusing = false
    try await monetizer.spend("story", key: "other")
    #expect(try TestShop.monetizer(storage: storage).decision(for: "story").remaining == 2)
    try await monetizer.spend("story", key: "bear")
    try await monetizer.spend("story", key: "bear")
    #expect(monetizer.decision(for: "story").remaining == 1)
    #expect(try TestShop.monetizer(storage: storage).decision(for: "story").remaining == 1)
  }

  @Test("The number of an attempt has a largest value, at which nothing stops") func largest() async throws {
    let monetizer = try TestShop.monetizer()
    await monetizer.merge([.use(try use(.reserved, attempt: .max)), .use(try use(.released, attempt: .max, refusals: .max))])
    try await monetizer.spend("story", key: "bear")
    #expect(monetizer.decision(for: "story").isAllowed)
  }

  @Test("A use without credits is written without them, also after they were taken away") func noCredits() throws {
    let free = try use(.committed)
    var paid = free
    paid.credits = 1
    #expect(paid != free)
    paid.credits = 0
    #expect(paid == free)
    #expect(!String(decoding: try JSONEncoder().encode(paid), as: UTF8.self).contains("redits"))
  }
}
