// SPDX-License-Identifier: Apache-2.0

/// The person behind a request: the customer, or a member of the customer's family.
public struct Member: Sendable, Hashable, CustomStringConvertible {
  /// The role of a member. An open set; a feature may be limited to some roles.
  public struct Role: StringIdentifier {
    /// The text.
    public let rawValue: String
    /// Makes a role from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The person who owns the device or the account.
    public static let customer: Self = "customer"
    /// A parent.
    public static let parent: Self = "parent"
    /// A child.
    public static let child: Self = "child"
    /// A person without an account, on this device only.
    public static let guest: Self = "guest"
    /// A visitor with the free tier and an empty history. Nothing is written.
    public static let demo: Self = "demo"
  }

  /// The role.
  public let role: Role
  /// The owner of the uses, caps, completions and coins that count; the customer's own is empty.
  public let subject: SubjectID

  /// A parent's name; empty for other roles, which are named by their subject.
  public private(set) var name = ""

  /// Makes a member from a role and a subject.
  public init(role: Role, subject: SubjectID) { (self.role, self.subject) = (role, subject) }

  /// The customer, the default for every question.
  public static let customer = Member(role: .customer, subject: .customer)
  /// A guest, without an account.
  public static let guest = Member(role: .guest, subject: .customer)
  /// A visitor of the demo.
  public static let demo = Member(role: .demo, subject: "demo")
  /// A parent. Uses of every parent count for the customer; the name only distinguishes them.
  public static func parent(_ name: String = "") -> Member {
    var member = Member(role: .parent, subject: .customer)
    member.name = name
    return member
  }
  /// A child, with uses, caps, completions and coins of its own. An empty name still means a child, never the customer.
  public static func child(_ name: String) -> Member { Member(role: .child, subject: SubjectID(name.isEmpty ? "\u{0}child" : name)) }

  /// A description such as `child:max` or `guest`.
  public var description: String {
    let name = subject == .customer || role == .demo ? name : subject.rawValue
    return name.isEmpty ? role.rawValue : "\(role):\(name)"
  }
}

/// The owner of uses, caps, completions and coins.
public struct SubjectID: StringIdentifier {
  /// The text; empty for the customer.
  public let rawValue: String
  /// Makes a subject from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The customer.
  public static let customer = SubjectID(rawValue: "")
  /// All family members. Uses by an unknown author count against each of them. No member can have this name.
  package static let everyone = SubjectID(rawValue: "\u{0}everyone")
}

/// The device, server or import that recorded something. The highest total of each source counts, and sources add up.
public struct SourceID: StringIdentifier {
  /// The text.
  public let rawValue: String
  /// Makes a source from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// This device, before it has a name.
  public static let device: Self = "device"
}
