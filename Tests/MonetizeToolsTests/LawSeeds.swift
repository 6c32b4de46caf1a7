// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The seeds of laws about random catalogs. `MONETIZE_SEED=7` starts with that seed, and `MONETIZE_CATALOGS=1000` tries that many.
enum LawSeeds {
  static func run(_ count: Int) -> Range<Int> {
    let set = ProcessInfo.processInfo.environment
    let first = set["MONETIZE_SEED"].flatMap(Int.init) ?? 1
    return first..<first + (set["MONETIZE_CATALOGS"].flatMap(Int.init) ?? count)
  }
}
