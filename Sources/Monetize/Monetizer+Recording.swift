// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Remembers that an item, or a part of one, was completed. Completing it again keeps the first date.
  public func complete(_ item: ItemPath, by member: Member = .customer) async {
    await record(.completion(Completion(item: item, subject: member.subject, date: now)), by: member)
  }

  /// Whether an item, or a part of one, was completed.
  public func isCompleted(_ item: ItemPath, by member: Member = .customer) -> Bool {
    core.withLock { $0.state.completions[Completion.Key(item: item, subject: member.subject)] != nil }
  }

  /// All that was completed, sorted by item.
  public func completions(by member: Member = .customer) -> [Completion] {
    core.withLock { $0.state.completions }.sorted.filter { $0.subject == member.subject }
  }

  /// All facts, for export and support. O(n log n).
  public var state: CustomerState { core.withLock { $0.state } }

  /// Records something that the app brings. Durable when this returns, unless the disk refuses; then it is written with the next fact.
  func record(_ fact: Fact, by member: Member) async {
    guard member.role != .demo, core.withLock({ $0.state.isNews(fact) }) else { return }
    core.withLock { core in
      core.state.insert(fact)
      core.changed()
    }
    announceChange()
    _ = await journal.write([fact, timeFact()])
  }
}
