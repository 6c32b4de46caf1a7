// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// The children of the family, sorted by name, then by id. The app must make sure that only a parent changes them.
  public var children: [FamilyChild] {
    state.children.values.filter { !$0.isRemoved }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// Adds a child. Children may share a name.
  /// - Returns: The child, with an id that stays the same when it is renamed. Use its ``FamilyChild/member`` in questions.
  @discardableResult
  public func addChild(named name: String) async -> FamilyChild {
    let child = FamilyChild(id: SubjectID("child-\(parts.configuration.makeID())"), name: name, revision: Revision(now))
    await record(.child(child), by: .customer)
    return child
  }

  /// Renames a child, on every device of the account. Does nothing for a removed or unknown child.
  public func rename(_ id: SubjectID, to name: String) async {
    guard let known = state.children[id] else { return }
    await record(.child(FamilyChild(id: id, name: name, revision: .next(after: known.revision, at: now))), by: .customer)
  }

  /// Removes a child with its uses, limits, completions, progress and coins. Removes these even for a child that was never added. Answers
  /// change at once, the storage at its next compaction, and other devices when they receive the removal. Purchases and facts of the app's
  /// own sorts stay. Does nothing for the customer.
  public func removeChild(_ id: SubjectID) async {
    let (state, known) = (state, state.children[id])
    guard known != nil || id != .customer && id != .everyone && state.facts.contains(where: { $0.subject == id }) else { return }
    let revision = Revision.next(after: known?.revision, at: now)
    await record(.child(FamilyChild(id: id, name: "", isRemoved: true, revision: revision)), by: .customer)
  }
}
