// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// The children of the family, by name and then by id. The app decides who may change them: a parent.
  public var children: [FamilyChild] {
    state.children.values.filter { !$0.isRemoved }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// Adds a child. Two of one name are two children.
  /// - Returns: The child, with an id that stays when it is renamed. Ask for it with ``FamilyChild/member``.
  @discardableResult
  public func addChild(named name: String) async -> FamilyChild {
    let child = FamilyChild(id: SubjectID("child-\(parts.configuration.makeID())"), name: name, revision: Revision(now))
    await record(.child(child), by: .customer)
    return child
  }

  /// Gives a child another name, on every device of the account. One that was removed, or that there never was, stays as it is.
  public func rename(_ id: SubjectID, to name: String) async {
    guard let known = state.children[id] else { return }
    await record(.child(FamilyChild(id: id, name: name, revision: Revision(now, sequence: known.revision.sequence + 1))), by: .customer)
  }

  /// Removes a child: its uses, limits, completions, progress and coins are gone from every answer at once, from the storage when that is next
  /// made shorter, and on the account's other devices when they hear of it. Facts of the app's own sorts stay, and so does what was bought.
  public func removeChild(_ id: SubjectID) async {
    guard let known = state.children[id] else { return }
    let revision = Revision(now, sequence: known.revision.sequence + 1)
    await record(.child(FamilyChild(id: id, name: "", isRemoved: true, revision: revision)), by: .customer)
  }
}
