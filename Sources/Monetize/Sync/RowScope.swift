// SPDX-License-Identifier: Apache-2.0

/// The rules for reading and writing the rows of a table that a server keeps for families. Pure: the same function decides on a server, in
/// a fake server and in a test.
///
/// | Reach | Rows |
/// |---|---|
/// | `none` | no rows |
/// | `own` | the requester's own; parents share the customer's rows |
/// | `ownAndChildren` | the requester's own; for a parent or the customer, all rows of the family |
/// | `all` | all rows, also without signing in |
///
/// Except with `all`, no rows of another family are included. Guests and demos have no rows. A role of the app's own has only its own rows.
public struct RowScope: Sendable, Hashable {
  /// The rows that a requester may use. Closed.
  public enum Reach: Sendable, Hashable, CaseIterable {
    /// No rows.
    case none
    /// The requester's own rows.
    case own
    /// The requester's own rows; for a parent or the customer, all rows of the family.
    case ownAndChildren
    /// All rows.
    case all
  }

  /// An action on a row. Closed.
  public enum Action: Sendable, Hashable, CaseIterable {
    /// Reading it.
    case read
    /// Making or changing it.
    case write
  }

  /// The rows that may be read.
  public var read: Reach
  /// The rows that may be written.
  public var write: Reach

  /// Makes a scope.
  public init(read: Reach, write: Reach) { (self.read, self.write) = (read, write) }

  /// The requester, as the server's session identifies it, or the owner of a row.
  public struct Party: Sendable, Hashable {
    /// The family's account; `nil` when not signed in.
    public var family: String?
    /// The member.
    public var member: Member

    /// Makes a party.
    public init(family: String?, member: Member) { (self.family, self.member) = (family, member) }
  }

  /// Whether a requester may perform an action on a row of an owner.
  public func allows(_ action: Action, rowOf owner: Party, by asker: Party) -> Bool {
    let reach = action == .read ? read : write
    if reach == .all { return true }
    let isSignedIn = asker.family != nil && asker.member.role != .guest && asker.member.role != .demo
    guard isSignedIn, reach != .none, asker.family == owner.family else { return false }
    let isParent = asker.member.role == .parent || asker.member.role == .customer
    // Only a parent or the customer may use the customer's rows, whatever subject the session has.
    if !isParent && asker.member.subject == .customer { return false }
    return asker.member.subject == owner.member.subject || (reach == .ownAndChildren && isParent)
  }

  /// Whether a requester may perform an action on a fact of a family: on the row of its subject. Only a parent or the customer may write
  /// limits, children and gifts, and use facts that the server cannot read (`nil`). Other facts without a subject, such as credits, belong
  /// to every member.
  public func allows(_ action: Action, fact: Fact?, of family: String, by asker: Party) -> Bool {
    func row(_ member: Member) -> Bool { allows(action, rowOf: Party(family: family, member: member), by: asker) }
    guard let fact else { return row(.customer) }
    if action == .write, fact.isParental, !row(.customer) { return false }
    guard let subject = fact.subject else { return row(asker.member) }
    return row(subject == .customer ? .customer : .child(subject.rawValue))
  }
}

extension Fact {
  fileprivate var isParental: Bool {
    switch sort {
    case .cap, .child, .grant: true
    default: false
    }
  }
}
