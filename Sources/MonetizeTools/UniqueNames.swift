// SPDX-License-Identifier: Apache-2.0

/// Gives each name once: the second of two equal ones gets a number, `story2`.
struct UniqueNames {
  private var taken: Set<String> = []
  /// The number to try next for a name that was taken.
  private var next: [String: Int] = [:]

  /// The name itself if it is free, else with the first free number from 2. O(1) on average over all names.
  mutating func unique(_ name: String) -> String {
    var free = name
    while !taken.insert(free).inserted {
      free = "\(name)\(next[name, default: 2])"
      next[name, default: 2] += 1
    }
    return free
  }
}
