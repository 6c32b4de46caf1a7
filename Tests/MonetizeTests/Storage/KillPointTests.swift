// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A failure at every system call of a life: a start that shortens a long file, uses, a purchase, a merge.
@Suite(.timeLimit(.minutes(30)), .serialized)
struct KillPointTests {
  /// The failure of one call.
  private enum Fault: String, CaseIterable, Sendable {
    case diesBefore, diesAfter, diesAfterAByte, diesHalfWay, diesNearTheEnd, diesBeforeTheLastByte
    case noSpace, broken, interrupted, interruptedAgainAndAgain, short
    /// From then on every writing call fails.
    case fullForGood

    var kills: Bool {
      switch self {
      case .diesBefore, .diesAfter, .diesAfterAByte, .diesHalfWay, .diesNearTheEnd, .diesBeforeTheLastByte: true
      default: false
      }
    }

    /// Whether a call fails when the fault begins at a call.
    func fails(_ call: Int, from first: Int) -> Bool {
      self == .interruptedAgainAndAgain ? 0..<3 ~= call - first : call == first
    }
  }

  /// Calls to the real system, one of which fails.
  private final class Faults: Sendable {
    private struct State: Sendable {
      var calls = 0
      var isDead = false
    }
    private let state = Locked(State())
    private let fault: Fault
    private let first: Int

    init(_ fault: Fault = .diesBefore, at first: Int = .max) { (self.fault, self.first) = (fault, first) }

    var count: Int { state.copy.calls }
    var isDead: Bool { state.copy.isDead }

    /// The result of the next call. `some` writes a part of the bytes, by a function of their count.
    private func call(writes: Bool, _ whole: () -> Int, some: ((Int) -> Int) -> Int = { _ in -1 }) -> Int {
      let (number, isDead) = state.withLock { state in
        state.calls += 1
        let isDead = state.isDead
        if state.calls == first, fault.kills { state.isDead = true }
        return (state.calls, isDead)
      }
      func fail(_ code: Int32) -> Int {
        errno = code
        return -1
      }
      if isDead { return fail(EIO) }
      if fault == .fullForGood, number >= first, writes { return fail(ENOSPC) }
      guard fault.fails(number, from: first) else { return whole() }
      switch fault {
      case .diesAfter: _ = whole()
      case .diesAfterAByte: _ = some { _ in 1 }
      case .diesHalfWay: _ = some { $0 / 2 }
      case .diesNearTheEnd: _ = some { $0 * 3 / 4 }
      case .diesBeforeTheLastByte: _ = some { $0 - 1 }
      case .noSpace: return fail(ENOSPC)
      case .broken: return fail(EIO)
      case .interrupted, .interruptedAgainAndAgain: return fail(EINTR)
      case .short:
        let part = some { $0 / 4 }
        return part > 0 ? part : whole()
      case .diesBefore, .fullForGood: break
      }
      return fail(EIO)
    }

    var calls: SystemCalls {
      let real = SystemCalls()
      var calls = SystemCalls()
      calls.open = { path, flags in Int32(self.call(writes: flags & O_CREAT != 0, { Int(real.open(path, flags)) })) }
      calls.stat = { path, status in Int32(self.call(writes: false, { Int(real.stat(path, &status)) })) }
      calls.read = { file, bytes, count, offset in self.call(writes: false, { real.read(file, bytes, count, offset) }) }
      calls.write = { file, bytes, count in
        self.call(writes: true, { real.write(file, bytes, count) }, some: { real.write(file, bytes, max(1, $0(count))) })
      }
      calls.cut = { file, length in Int32(self.call(writes: true, { Int(real.cut(file, length)) })) }
      calls.sync = { file in Int32(self.call(writes: true, { Int(real.sync(file)) })) }
      calls.lock = { file, operation in Int32(self.call(writes: false, { Int(real.lock(file, operation)) })) }
      calls.rename = { path, other in Int32(self.call(writes: true, { Int(real.rename(path, other)) })) }
      calls.unlink = { path in Int32(self.call(writes: true, { Int(real.unlink(path)) })) }
      return calls
    }
  }

  private static let text = TestShop.json().replacingOccurrences(of: "\"trial\": 3 }", with: "\"trial\": 5000 }")

  private func open(_ path: String, _ calls: SystemCalls = SystemCalls(), _ store: ScriptedStore) throws -> Monetizer {
    try TestShop.monetizer(
      store, storage: FileStorage(path: path, files: SystemFiles(calls: calls)),
      time: TestTime(RandomFacts.start + 20 * 86400), catalog: Catalog(json: Data(Self.text.utf8))
    ) { $0.source = "phone" }
  }

  /// A file so long that the start shortens it, with uses that fold.
  private func prepare(_ path: String) throws -> Int {
    let uses = (0..<300).map { number in
      Fact.use(
        Use(
          key: "old\(number)", feature: "trial", source: "phone", date: RandomFacts.start + Double(number) * 3600,
          day: LocalDay.of(RandomFacts.start + Double(number) * 3600, in: Calendar.storeCalendar.timeZone), zone: "UTC"))
    }
    try FileStorage(URL(fileURLWithPath: path)).replace(with: uses.map { try Journal.record([$0]) })
    return uses.count
  }

  /// The acknowledged records of a life before its process ended.
  private struct Reported {
    var acknowledged: Set<String> = []
    var attempted: Set<String> = []
    var isBought = false
  }

  private func live(_ path: String, _ faults: Faults) async throws -> Reported {
    let store = ScriptedStore { script in
      script.read = nil
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(TestShop.transaction("bought", "month"))) }
    }
    var reported = Reported()
    var monetizer = try open(path, faults.calls, store)
    func spend(_ keys: [String], with monetizer: Monetizer) async {
      for key in keys {
        reported.attempted.insert(key)
        if (try? await monetizer.spend("trial", key: key)) != nil, !faults.isDead { reported.acknowledged.insert(key) }
      }
    }
    await spend(["a", "b", "d"], with: monetizer)
    monetizer = try open(path, faults.calls, store)
    await spend(["e", "f"], with: monetizer)
    if case .completed = try await monetizer.purchase("month"), !faults.isDead { reported.isBought = store.finished == ["bought"] }
    let other = Fact.use(
      Use(key: "tablet", feature: "trial", subject: .customer, source: "tablet", date: RandomFacts.start, day: 20_514, zone: "UTC"))
    reported.attempted.insert("tablet")
    await monetizer.merge([other])
    // When this returns, the disk has it with everything that it refused before.
    reported.attempted.insert("c")
    if (try? await monetizer.spend("trial", key: "c")) != nil, !faults.isDead { reported.acknowledged.formUnion(["tablet", "c"]) }
    // An extension of the app uses the same file by turns.
    let widget = try open(path, faults.calls, store)
    await spend(["g"], with: widget)
    await spend(["h"], with: monetizer)
    await spend(["i"], with: widget)
    await monetizer.written()
    await widget.written()
    return reported
  }

  /// The first violation after a life that ended at one call.
  private func violation(_ fault: Fault, at call: Int, in folder: URL, _ template: Data, known: Int) async throws -> String? {
    let path = folder.appendingPathComponent("\(fault)-\(call)").path
    defer {
      for end in ["", ".lock", ".new"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    try template.write(to: URL(fileURLWithPath: path))
    let reported = try await live(path, Faults(fault, at: call))
    let log = EventLog()
    let store = ScriptedStore { $0.read = nil }
    let after = try TestShop.monetizer(
      store, storage: FileStorage(URL(fileURLWithPath: path)), time: TestTime(RandomFacts.start + 20 * 86400),
      catalog: Catalog(json: Data(Self.text.utf8)), log: log)
    let used = after.decision(for: "trial").used ?? -1
    let most = known + reported.attempted.count
    if log.count(.stateDamaged) > 0 { return "said to be damaged" }
    if used < known + reported.acknowledged.count || used > most {
      return "\(used) uses, \(known + reported.acknowledged.count) to \(most) were made"
    }
    let keys = Set(after.state.usage.uses.map(\.key))
    if !reported.acknowledged.isSubset(of: keys) { return "\(reported.acknowledged.subtracting(keys)) is lost" }
    if reported.isBought, !after.allows("extra") { return "the finished purchase is lost" }
    let all = reported.attempted.subtracting(["tablet"])
    for key in all { try await after.spend("trial", key: key) }
    let again = after.decision(for: "trial").used ?? -1
    let expected = known + all.count + (keys.contains("tablet") ? 1 : 0)
    return again == expected ? nil : "\(again) uses after the retry, and not \(expected)"
  }

  @Test(
    "An end or failure at every system call of a start, uses, a purchase, a compaction and a merge loses nothing acknowledged")
  func everywhere() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = folder.appendingPathComponent("template")
    let known = try prepare(first.path)
    let template = try Data(contentsOf: first)
    let whole = Faults()
    let reported = try await live(first.path, whole)
    #expect(reported.acknowledged.count == 10 && reported.isBought)
    #expect(try Data(contentsOf: first).count < template.count, "The life has no compaction.")
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for fault in Fault.allCases {
        group.addTask {
          var found: [String] = []
          for call in 1...whole.count {
            let wrong = try await violation(fault, at: call, in: folder, template, known: known)
            if let wrong { found.append("\(fault) at \(call): \(wrong)") }
          }
          return found
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let points = whole.count * Fault.allCases.count
    #expect(found == [])
    #expect(points >= 1000)
    print("\(points) kill points (\(whole.count) calls, \(Fault.allCases.count) faults): \(found.count) facts lost or doubled")
  }
}
