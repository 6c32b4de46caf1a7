// SPDX-License-Identifier: Apache-2.0
import CAllocations
import Foundation

/// A line of the table: a time, and its ratio to a baseline measured in the same rounds.
struct Figure: Codable {
  var what: String
  /// Nanoseconds for each operation.
  var time: Double
  /// The baseline, and its time.
  var baseline: String
  var baselineTime: Double
  var ratio: Double
  /// The highest acceptable ratio; `nil` for figures without a goal.
  var goal: Double?
  /// Allocations for each operation; -1 if they cannot be counted.
  var allocations: Double
  /// The highest acceptable number of allocations.
  var allocationGoal: Double?
  /// Whether "times" are bytes.
  var isBytes = false

  /// The same with a fixed time as baseline: the longest acceptable time.
  func compared(with what: String, of nanoseconds: Double) -> Figure {
    var figure = self
    (figure.baseline, figure.baselineTime, figure.ratio) = (what, nanoseconds, time / nanoseconds)
    return figure
  }

  var isMissed: Bool { goal.map { ratio > $0 } ?? false || allocationGoal.map { allocations > $0 } ?? false }
}

/// A timed function: `run` does `operations` operations and returns a value that depends on all of them, so none is optimized away.
struct Runner {
  let name: String
  let operations: Int
  let run: () -> Int
}

enum Harness {
  // Keeps results here so that the optimizer keeps the work; only one thread measures, so there is no race.
  nonisolated(unsafe) static var sink = 0

  /// Seconds of processor time of the process, without other work on the machine.
  static var processorTime: Double { now(CLOCK_PROCESS_CPUTIME_ID) }
  /// Seconds of wall time, for operations that wait for a disk.
  static var wallTime: Double { now(CLOCK_MONOTONIC) }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Times all runners once a round, one after another, so that each is compared with the first one under equal conditions.
  static func race(rounds: Int, _ runners: [Runner], goals: [String: Double], allocationGoals: [String: Double] = [:]) -> [Figure] {
    var times = Array(repeating: [Double](), count: runners.count)
    for round in 0...rounds {
      for (index, runner) in runners.enumerated() {
        let start = processorTime
        sink &+= runner.run()
        let time = (processorTime - start) * 1e9 / Double(runner.operations)
        if round > 0 { times[index].append(time) }  // the first one warms up
      }
    }
    return runners.indices.map { index in
      allocations_begin()
      sink &+= runners[index].run()
      let allocations = Double(allocations_end())
      return Figure(
        what: runners[index].name, time: median(times[index]), baseline: runners[0].name, baselineTime: median(times[0]),
        ratio: median(zip(times[index], times[0]).map { $0 / $1 }), goal: goals[runners[index].name],
        allocations: allocations < 0 ? -1 : allocations / Double(runners[index].operations),
        allocationGoal: allocationGoals[runners[index].name])
    }
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    if sorted.isEmpty { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// Combines the figures of several processes: hash seeds differ between them, and so does the cost of a look-up.
  static func medians(_ processes: [[Figure]]) -> [Figure] {
    guard let first = processes.first else { return [] }
    return first.indices.map { index in
      var figure = first[index]
      let all = processes.map { $0[index] }
      figure.time = median(all.map(\.time))
      figure.baselineTime = median(all.map(\.baselineTime))
      figure.ratio = median(all.map(\.ratio))
      figure.allocations = median(all.map(\.allocations))
      return figure
    }
  }
}
