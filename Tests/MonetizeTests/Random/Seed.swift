// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The base of random tests. `MONETIZE_SEED=7 swift test --filter …` repeats a failure: every failure message names its seed.
enum Seed {
  static let base: UInt64 = ProcessInfo.processInfo.environment["MONETIZE_SEED"].flatMap(UInt64.init) ?? 20_260_301

  /// `count` seeds from the base on. With `MONETIZE_SEED` set, the first of them is that one.
  static func run(_ count: Int, from first: Int = 0) -> Range<UInt64> { base + UInt64(first)..<base + UInt64(first + count) }
}

/// The message of a violated property.
struct Violation: Sendable, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Runs a property over seeds until a violation, and names its seed.
func firstViolation(_ seeds: Range<UInt64>, _ property: (UInt64) throws -> Violation?) rethrows -> Violation? {
  for seed in seeds {
    if let violation = try property(seed) { return Violation("MONETIZE_SEED=\(seed): \(violation)") }
  }
  return nil
}

/// The property holds for all these seeds.
func expectHolds(_ seeds: Range<UInt64>, sourceLocation: SourceLocation = #_sourceLocation, _ property: (UInt64) throws -> Violation?)
  rethrows
{
  if let violation = try firstViolation(seeds, property) { Issue.record("\(violation)", sourceLocation: sourceLocation) }
}

/// The property finds the mistake of a deliberately broken engine; otherwise it would prove nothing about the real one.
func expectFinds(
  _ mistake: String, _ seeds: Range<UInt64>, sourceLocation: SourceLocation = #_sourceLocation, _ property: (UInt64) throws -> Violation?
) rethrows {
  if try firstViolation(seeds, property) == nil {
    Issue.record("The property did not notice: \(mistake)", sourceLocation: sourceLocation)
  }
}
