// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// State files of long lives: how large they are, and how long a start takes.
func measureStarts(isQuick: Bool) async throws -> [Figure] {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let busy = folder.appendingPathComponent("busy")
  try await Lives.write(.aUseAMinute(days: isQuick ? 60 : 365), to: busy)
  let ordinary = folder.appendingPathComponent("ordinary")
  try await Lives.write(.ordinary, to: ordinary)
  let (slow, fast) = (try starts(busy), try starts(ordinary))
  let size = try FileManager.default.attributesOfItem(atPath: busy.path)[.size] as? Int ?? 0
  return [
    figure("start after a year of a spend a minute", slow.time, "50 ms", 50e6),
    figure("its file", Double(size), "2 MB", 2e6, isBytes: true),
    figure("its memory at the peak", Double(slow.peak), "64 MB", 64e6, isBytes: true),
    figure("start of an ordinary customer, five years", fast.time, "5 ms", 5e6),
  ] + (try measureOtherFacts(isQuick: isQuick))
}

private func figure(_ what: String, _ value: Double, _ goal: String, _ most: Double, isBytes: Bool = false) -> Figure {
  Figure(
    what: what, time: value, baseline: goal, baselineTime: most, ratio: value / most, goal: 1, allocations: -1, isBytes: isBytes)
}

/// Lives of customers, as state files.
private enum Lives {
  case aUseAMinute(days: Int)
  /// A monthly plan, and three monthly limits used daily.
  case ordinary

  private static let end = Date(timeIntervalSince1970: 1_780_000_000)
  private static let features: [FeatureID] = ["generated1.feature", "generated5.feature", "generated9.feature"]

  /// When uses were, and the purchases.
  private var past: (uses: [(feature: FeatureID, date: Date)], others: [Fact], recent: [(feature: FeatureID, date: Date)]) {
    func times(_ days: Int, every seconds: Int, _ features: [FeatureID]) -> [(feature: FeatureID, date: Date)] {
      stride(from: days * 86400, to: 0, by: -seconds).flatMap { ago in features.map { ($0, Lives.end - TimeInterval(ago)) } }
    }
    switch self {
    case .aUseAMinute(let days):
      let all = times(days, every: 60, ["generated1.feature"])
      return (Array(all.dropLast(10_080)), [Bench.subscription(from: Lives.end - 15 * 86400)], Array(all.suffix(10_080)))
    case .ordinary:
      let all = times(5 * 365, every: 86400, Self.features)
      let plan = (0..<60).map { Bench.subscription(number: $0 + 1, from: Self.end - TimeInterval(60 - $0) * 30 * 86400) }
      return (Array(all.dropLast(90)), plan, Array(all.suffix(90)))
    }
  }

  /// The past as a version wrote it that folded nothing, and the last days spent one by one.
  static func write(_ life: Lives, to url: URL) async throws {
    let (catalog, past) = (try Bench.catalog44(), life.past)
    let encoder = JSONEncoder()
    let uses = past.uses.map { feature, date in
      Fact.use(
        Use(
          key: UUID().uuidString, feature: feature, source: "phone", date: date, day: Int(date.timeIntervalSince1970 / 86400), zone: "GMT",
          run: "earlier"))
    }
    try FileStorage(url).replace(with: (past.others + uses).map { try encoder.encode([$0]) })
    let clock = ManualClock(past.recent[0].date)
    let monetizer = open(url, catalog, clock)
    await monetizer.refresh()
    for (feature, date) in past.recent {
      clock.advance(to: date)
      try await monetizer.spend(feature)
    }
  }

  static func open(_ url: URL, _ catalog: Catalog, _ time: any TimeSource) -> Monetizer {
    Monetizer(catalog: catalog) {
      $0.storage = .file(url)
      $0.source = "phone"
      $0.startsByItself = false
      $0.time = time
      $0.zone = { Calendar.storeCalendar.timeZone }
    }
  }

  /// What a start of a process costs: nanoseconds of processor time, and bytes at the peak.
  static func start(_ url: URL) throws -> Start {
    let catalog = try Bench.catalog44()
    let clock = ManualClock(end - 3600)
    let begin = Harness.processorTime
    let monetizer = open(url, catalog, clock)
    let time = (Harness.processorTime - begin) * 1e9
    guard monetizer.decision(for: "generated1.feature").used ?? 0 > 0 else { throw Failure("Nothing was used.") }
    #if os(Linux)
      // `getrusage` counts the memory of the process that made this one as well.
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      guard let peak = line?.split(separator: " ").dropLast().last.flatMap({ Int($0) }) else { throw Failure("No peak is known.") }
      return Start(time: time, peak: peak * 1024)
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Start(time: time, peak: usage.ru_maxrss)
    #endif
  }
}

private struct Start: Codable {
  var time: Double
  var peak: Int
}

/// What a process prints that only starts.
func measureStart(_ path: String) throws -> Data { try JSONEncoder().encode(Lives.start(URL(fileURLWithPath: path))) }

/// The median of starts, each in a process of its own.
private func starts(_ url: URL) throws -> Start {
  let all = try (0..<5).map { _ in try JSONDecoder().decode(Start.self, from: try output(of: ["--start", url.path])) }
  return Start(time: Harness.median(all.map(\.time)), peak: all.map(\.peak).max() ?? 0)
}

/// A start with very many facts that do not fold, beside merging them alone.
private func measureOtherFacts(isQuick: Bool) throws -> [Figure] {
  let catalog = try Bench.catalog44()
  let facts = Bench.others(isQuick ? 200_000 : 1_000_000)
  let storage = try Bench.storage(facts)
  let name = "start with \(facts.count.formatted()) facts that are no uses"
  return Harness.race(
    rounds: 2,
    [
      Runner(name: "the same facts as they happened", operations: facts.count) { CustomerState(facts).transactions.count },
      Runner(name: name, operations: facts.count) { Bench.monetizer(catalog, storage).snapshot.products.count },
    ], goals: [name: 3])
}
