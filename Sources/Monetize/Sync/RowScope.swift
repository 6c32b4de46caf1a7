// SPDX-License-Identifier: Apache-2.0

/// Who may read and write the rows of a table that a server keeps for families. Pure: the same function judges on a server, in a fake one, and
/// in a test.
///
/// | Reach | Whose rows |
/// |---|---|
/// | `none` | nobody's |
/// | `own` | the asker's own: a child's are the child's, those of parents are the customer's |
/// | `ownAndChildren` | the same, and for a parent all of the family's |
/// | `all` | everybody's, also without signing in |
///
/// Nobody reaches into another family. Guests and demos have no rows.
public struct RowScope: Sendable, Hashable {
  /// How far somebody reaches. Closed.
  public enum Reach: Sendable, Hashable, CaseIterable {
    /// Nobody.
    case none
    /// One's own rows.
    case own
    /// One's own, and a parent the children's.
    case ownAndChildren
    /// All rows.
    case all
  }

  /// What is done with a row. Closed.
  public enum Action: Sendable, Hashable, CaseIterable {
    /// Reading it.
    case read
    /// Making or changing it.
    case write
  }

  /// Whose rows may be read.
  public var read: Reach
  /// Whose rows may be written.
  public var write: Reach

  /// Makes a scope.
  public init(read: Reach, write: Reach) { (self.read, self.write) = (read, write) }

  /// Who asks, as the server knows from the session; or whose a row is.
  public struct Party: Sendable, Hashable {
    /// The family's account; `nil` for nobody who is signed in.
    public var family: String?
    /// The member.
    public var member: Member

    /// Names somebody.
    public init(family: String?, member: Member) { (self.family, self.member) = (family, member) }
  }

  /// Whether somebody may do something with a row of somebody's.
  public func allows(_ action: Action, rowOf owner: Party, by asker: Party) -> Bool {
    let reach = action == .read ? read : write
    if reach == .all { return true }
    let isSignedIn = asker.family != nil && asker.member.role != .guest && asker.member.role != .demo
    guard isSignedIn, reach != .none, asker.family == owner.family else { return false }
    let isChild = asker.member.role == .child
    // A child is never the customer, whatever the session says.
    if isChild && asker.member.subject == .customer { return false }
    return asker.member.subject == owner.member.subject || (reach == .ownAndChildren && !isChild)
  }
}
