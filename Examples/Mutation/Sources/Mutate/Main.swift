// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Puts random mutants into a module of a copy of the repository: `Mutate COPY MODULE COUNT SEED [NUMBER…]`; the numbers are mutants that
/// are left out.
///
/// Writes the changed files and `Switch.swift` into COPY, and prints each mutant as a line of JSON.
@main enum Main {
  /// Sentences for people, and what is never built on Linux.
  static let leftOut: Set = ["ReasonText.swift", "KeychainStorage.swift"]

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 4, let copy = arguments.first, let count = Int(arguments[3]), let seed = UInt64(arguments[4]) else {
      print("Mutate COPY MODULE COUNT SEED [NUMBER…]")
      exit(2)
    }
    let folder = "Sources/\(arguments[2])"
    let module = URL(fileURLWithPath: copy).appendingPathComponent(folder)
    var sources: [String: String] = [:]
    var pool: [(file: String, mutant: Mutant)] = []
    for file in files(in: module) {
      let source = try String(contentsOf: module.appendingPathComponent(file), encoding: .utf8)
      sources[file] = source
      pool += Finder.mutants(in: source).map { (file, $0) }
    }
    // A number is a place in the pool, so it means the same mutant whatever is drawn. The switch keeps 0 for none.
    var random = SplitMix64(state: seed)
    let dropped = Set(arguments.dropFirst(4).compactMap { Int($0) })
    let drawn = pool.indices.shuffled(using: &random).prefix(count).filter { !dropped.contains($0) }
    for (file, source) in sources {
      let chosen = drawn.filter { pool[$0].file == file }.sorted().map { (number: $0, mutant: pool[$0].mutant) }
      if chosen.isEmpty { continue }
      try Mutant.text(source, with: chosen).write(to: module.appendingPathComponent(file), atomically: true, encoding: .utf8)
    }
    try Switch.source.write(to: module.appendingPathComponent("Mutants.swift"), atomically: true, encoding: .utf8)
    // In the order they were drawn, so that a run that is stopped has tried a random part.
    for number in drawn {
      let (file, mutant) = pool[number]
      try report(number, "\(folder)/\(file)", mutant, sources[file] ?? "")
    }
  }

  private static func files(in module: URL) -> [String] {
    let found = FileManager.default.enumerator(atPath: module.path)?.compactMap { $0 as? String } ?? []
    return found.filter { $0.hasSuffix(".swift") && !leftOut.contains(URL(fileURLWithPath: $0).lastPathComponent) }.sorted()
  }

  private static func report(_ number: Int, _ file: String, _ mutant: Mutant, _ source: String) throws {
    func line(_ offset: Int) -> Int { source.utf8.prefix(offset).reduce(1) { $1 == 10 ? $0 + 1 : $0 } }
    let row: [String: Any] = [
      "number": number, "file": file, "line": line(mutant.range.lowerBound), "end": line(mutant.range.upperBound),
      "old": mutant.old, "new": mutant.new,
    ]
    print(
      String(decoding: try JSONSerialization.data(withJSONObject: row, options: [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self))
  }
}

/// A generator that gives the same numbers everywhere.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
