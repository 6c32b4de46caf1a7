// SPDX-License-Identifier: Apache-2.0

/// A child of the account's family: a name that a parent may change, and an id that never changes. A removed child never comes back, and what
/// was recorded of it is gone wherever that is known.
public struct FamilyChild: MergingFact, Identifiable {
  /// Whose uses, completions, progress and coins are the child's.
  public var id: SubjectID
  /// What a person calls the child.
  public var name: String
  /// Whether a parent removed it.
  public var isRemoved: Bool
  /// When it was last changed.
  public var revision: Revision

  /// Makes a child.
  public init(id: SubjectID, name: String, isRemoved: Bool = false, revision: Revision) {
    (self.id, self.name, self.isRemoved, self.revision) = (id, isRemoved ? "" : name, isRemoved, revision)
  }

  /// One fact a child.
  public var key: SubjectID { id }
  /// Who asks, when the child plays.
  public var member: Member { Member(role: .child, subject: id) }

  /// Removed is removed; else the later word wins.
  public func merged(with other: Self) -> Self {
    if isRemoved != other.isRemoved { return isRemoved ? self : other }
    if revision != other.revision { return revision < other.revision ? other : self }
    return self == other ? self : canonicalWinner(self, other)
  }
}
