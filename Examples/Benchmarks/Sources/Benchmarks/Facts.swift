// SPDX-License-Identifier: Apache-2.0
import CAllocations
import Foundation
import Monetize

/// Merges facts into a state, and folds the state into a snapshot. Compares a million facts with one second, and with a thousand facts.
func measureFacts(isQuick: Bool) -> [Figure] {
  guard let catalog = try? Bench.catalog44() else { return [] }
  let large = isQuick ? 200_000 : 1_000_000
  let inOrder = Bench.facts(large)
  var random = SplitMix(seed: 1)
  let shuffled = inOrder.shuffled(using: &random)
  let smallInOrder = Bench.facts(1000)
  let smallShuffled = smallInOrder.shuffled(using: &random)
  let halves = (CustomerState(inOrder.prefix(large / 2)), CustomerState(inOrder.suffix(large / 2)))
  let smallHalves = (CustomerState(smallInOrder.prefix(500)), CustomerState(smallInOrder.suffix(500)))

  func fold(_ state: CustomerState) -> Int { Snapshot(of: state, catalog: catalog, at: Date()).products.count }
  func merged(_ halves: (CustomerState, CustomerState)) -> CustomerState {
    var state = halves.0
    state.merge(halves.1)
    return state
  }
  func compare(_ what: String, _ small: @escaping () -> CustomerState, _ big: @escaping () -> CustomerState) -> [Figure] {
    // A thousand facts are merged several times a round, without the snapshot: its cost does not depend on the facts alone.
    let runners = [
      Runner(name: "\(what): 1,000 facts", operations: 1000 * 20) {
        (0..<20).reduce(0) { sum, _ in sum + small().transactions.count }
      },
      Runner(name: "\(what): \(large.formatted()) facts, and the fold", operations: large) { fold(big()) },
    ]
    var figures = Harness.race(rounds: isQuick ? 2 : 3, runners, goals: ["\(what): \(large.formatted()) facts, and the fold": 5])
    guard let perFact = figures.last else { return [] }
    figures[0].ratio = 1
    var speed = perFact
    (speed.what, speed.baseline, speed.baselineTime) = ("\(what): the same, a fact", "1 µs (a million a second)", 1000)
    (speed.ratio, speed.goal) = (speed.time / 1000, 1)
    return figures + [speed]
  }
  return compare("facts as they happened", { CustomerState(smallInOrder) }, { CustomerState(inOrder) })
    + compare("facts in any order", { CustomerState(smallShuffled) }, { CustomerState(shuffled) })
    + compare("two halves merged", { merged(smallHalves) }, { merged(halves) })
}

/// The same numbers in every run.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// Counts a use in a state with few and with very many facts.
func measureSpending(isQuick: Bool) async throws -> [Figure] {
  let catalog = try Bench.catalog44()
  let many = isQuick ? 50_000 : 1_000_000
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  // First, because the memory of an app does not have the gaps that a million facts leave.
  let writes = try await measureWrites(folder, isQuick: isQuick)
  let few = Bench.monetizer(catalog, try Bench.storage(Bench.facts(10) + [Bench.subscription()]))
  let full = Bench.monetizer(catalog, try Bench.storage(Bench.facts(many) + [Bench.subscription()]))
  let file = FileStorage(folder.appendingPathComponent("state"))
  try file.append(JSONEncoder().encode([Bench.subscription()]))
  let onDisk = Bench.monetizer(catalog, file)
  let count = isQuick ? 100 : 200

  func time(_ monetizer: Monetizer, _ feature: FeatureID, onWall: Bool = false) async throws -> (nanoseconds: Double, allocations: Double) {
    func now() -> Double { onWall ? Harness.wallTime : Harness.processorTime }
    allocations_begin()
    let start = now()
    for _ in 0..<count { try await monetizer.spend(feature) }
    let time = now() - start
    return (time * 1e9 / Double(count), Double(allocations_end()) / Double(count))
  }
  let names = ["a spend, 10 facts known", "a spend, \(many.formatted()) facts known", "a spend, file storage (wall)"]
  var times = Array(repeating: [(nanoseconds: Double, allocations: Double)](), count: 3)
  for round in 0...(isQuick ? 3 : 7) {
    let results = [
      try await time(few, "generated1.feature"), try await time(full, "generated1.feature"),
      try await time(onDisk, "generated1.feature", onWall: true),
    ]
    if round > 0 { for index in 0..<3 { times[index].append(results[index]) } }
  }
  return names.indices.map { index in
    Figure(
      what: names[index], time: Harness.median(times[index].map(\.nanoseconds)), baseline: names[0],
      baselineTime: Harness.median(times[0].map(\.nanoseconds)),
      ratio: Harness.median(zip(times[index], times[0]).map { $0.nanoseconds / $1.nanoseconds }), goal: index == 1 ? 20 : nil,
      allocations: Harness.median(times[index].map(\.allocations)))
  } + writes
}

/// A spend beside one write and one sync of as many bytes: 0.9 of its rate where a sync takes two milliseconds, elsewhere 50 µs more. A
/// spend on the main thread changes the thread twice, because a sync must not stop the screen.
private func measureWrites(_ folder: URL, isQuick: Bool) async throws -> [Figure] {
  let file = FileStorage(folder.appendingPathComponent("spends"))
  try file.append(JSONEncoder().encode([Bench.subscription()]))
  let monetizer = Bench.monetizer(try Bench.catalog44(), file)
  let bare = open(folder.appendingPathComponent("bare").path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  defer { close(bare) }
  let line = Array(repeating: UInt8(ascii: "x"), count: 400)
  let count = isQuick ? 100 : 300
  var (writes, spends, onMain) = ([Double](), [Double](), [Double]())
  for _ in 0..<5 {
    let start = Harness.wallTime
    for _ in 0..<count { guard write(bare, line, line.count) == line.count, fsync(bare) == 0 else { throw Failure("No disk.") } }
    writes.append((Harness.wallTime - start) * 1e9 / Double(count))
    spends.append(try await Task.detached { try await timeSpends(monetizer, count) }.value)
    onMain.append(try await Task { @MainActor in try await timeSpends(monetizer, count) }.value)
  }
  let write = Harness.median(writes)
  let goal = (write >= 2e6 ? write / 0.9 : write + 50_000) / write
  func figure(_ what: String, _ times: [Double], goal: Double?) -> Figure {
    let time = Harness.median(times)
    return Figure(
      what: what, time: time, baseline: "a bare write and sync", baselineTime: write, ratio: time / write, goal: goal, allocations: -1)
  }
  return [
    figure("a spend is one record and one sync (wall)", spends, goal: goal), figure("the same on the main thread", onMain, goal: nil),
  ]
}

/// The wall time of a spend in nanoseconds.
private func timeSpends(_ monetizer: Monetizer, _ count: Int) async throws -> Double {
  let start = Harness.wallTime
  for _ in 0..<count { try await monetizer.spend("generated1.feature") }
  return (Harness.wallTime - start) * 1e9 / Double(count)
}
