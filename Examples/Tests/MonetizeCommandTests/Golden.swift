// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Compares with `Examples/Tests/Golden/cli/NAME.txt`.
///
/// `RECORD_SNAPSHOTS=1 swift test --package-path Examples` records the files and fails once, so that the difference is reviewed.
func expectGolden(_ found: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let url = Command.repository.appendingPathComponent("Examples/Tests/Golden/cli/\(name).txt")
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let before = try? String(contentsOf: url, encoding: .utf8)
    try found.write(to: url, atomically: true, encoding: .utf8)
    if before != found { Issue.record("Recorded \(name).txt. Look at the difference, then run again.", sourceLocation: sourceLocation) }
    return
  }
  guard let golden = try? String(contentsOf: url, encoding: .utf8) else {
    Issue.record("There is no \(name).txt. Run once with RECORD_SNAPSHOTS=1.", sourceLocation: sourceLocation)
    return
  }
  if golden != found {
    Issue.record("\(name).txt is different (- golden, + found):\n\(difference(golden, found))", sourceLocation: sourceLocation)
  }
}

/// The different lines, with their numbers.
func difference(_ old: String, _ new: String) -> String {
  let old = old.components(separatedBy: "\n")
  let new = new.components(separatedBy: "\n")
  let changes = new.difference(from: old).map { change -> (line: Int, order: Int, text: String) in
    switch change {
    case .remove(let offset, let element, _): (offset, 0, "- \(offset + 1): \(element)")
    case .insert(let offset, let element, _): (offset, 1, "+ \(offset + 1): \(element)")
    }
  }
  return changes.sorted { ($0.line, $0.order) < ($1.line, $1.order) }.prefix(40).map(\.text).joined(separator: "\n")
}
