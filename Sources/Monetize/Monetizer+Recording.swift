// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Remembers that an item, or a part of one, was completed. Completing it again keeps the first date.
  /// - Returns: whether it was completed for the first time; `false` as well for an item that the catalog does not have, which is not
  ///   remembered, and for somebody who only looks around.
  @discardableResult
  public func complete(_ item: ItemPath, by member: Member = .customer) async -> Bool {
    guard catalog.item(at: item) != nil else { return false }
    return await record(.completion(Completion(item: item, subject: member.subject, date: now)), by: member)
  }

  /// Whether an item, or a part of one, was completed.
  public func isCompleted(_ item: ItemPath, by member: Member = .customer) -> Bool {
    core.withLock { $0.state.completions[Completion.Key(item: item, subject: member.subject)] != nil }
  }

  /// All that was completed, sorted by item.
  public func completions(by member: Member = .customer) -> [Completion] {
    core.withLock { $0.state.completions }.sorted.filter { $0.subject == member.subject }
  }

  /// Takes over what another source has counted: a server, another device. Of one source the higher total counts, sources add up, and what
  /// this source recorded one by one is part of its total; see ``UsageTotal``.
  /// - Returns: whether it was news; `false` as well for a feature that the catalog does not have.
  @discardableResult
  public func record(_ total: UsageTotal) async -> Bool {
    guard let feature = catalog.feature(total.feature) else { return false }
    var total = total
    total.feature = feature.id
    return await record(.total(total), by: .customer)
  }

  /// Takes over single uses that another source has counted. A use that is known by its key counts once.
  public func record(_ uses: [Use]) async { for use in uses { await record(.use(use), by: .customer) } }

  /// All facts, for export and support. O(n log n).
  public var state: CustomerState { core.withLock { $0.state } }

  /// Records something that the app brings. Durable when this returns, unless the disk refuses; then it is written with the next fact.
  /// - Returns: whether it was news. Nothing that somebody does who only looks around is.
  @discardableResult
  package func record(_ fact: Fact, by member: Member) async -> Bool {
    guard member.role != .demo, begins() else { return false }
    defer { ends() }
    let isNews = core.withLock { core in
      let isNews = core.state.insert(fact)
      if isNews { core.changed() }
      return isNews
    }
    guard isNews else { return false }
    announceChange()
    _ = await journal.write([fact, timeFact()])
    return true
  }
}
