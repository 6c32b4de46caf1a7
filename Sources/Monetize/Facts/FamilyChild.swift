// SPDX-License-Identifier: Apache-2.0

/// A child of the account's family. A parent may change the name; the id never changes. A removed child never comes back, and its facts are
/// deleted on every device that receives the removal.
public struct FamilyChild: MergingFact, RevisedFact, Identifiable {
  /// The subject of the child's uses, completions, progress and coins.
  public var id: SubjectID
  /// The child's display name; empty after removal.
  public var name: String
  /// Whether a parent removed the child.
  public var isRemoved: Bool
  /// The revision of the last change.
  public var revision: Revision

  /// Makes a child.
  public init(id: SubjectID, name: String, isRemoved: Bool = false, revision: Revision) {
    (self.id, self.name, self.isRemoved, self.revision) = (id, isRemoved ? "" : name, isRemoved, revision)
  }

  /// One fact per child.
  public var key: SubjectID { id }
  /// The member for questions about this child.
  public var member: Member { Member(role: .child, subject: id) }

  /// A removal wins; otherwise the later revision wins.
  public func merged(with other: Self) -> Self {
    if isRemoved != other.isRemoved { return isRemoved ? self : other }
    return later(other, orIf: { _ in false })
  }
}
