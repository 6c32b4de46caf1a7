// SPDX-License-Identifier: Apache-2.0

/// Who asks: the customer, or one member of the customer's family.
public struct Member: Sendable, Hashable, CustomStringConvertible {
  /// What somebody is in the app. An open set; a feature may be kept for some roles.
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
    /// Somebody without an account, on this device only.
    public static let guest: Self = "guest"
    /// Somebody who looks around: decides as the free tier on an empty history; nothing is written.
    public static let demo: Self = "demo"
  }

  /// What they are.
  public let role: Role
  /// Whose uses, caps, completions and coins count; the customer's own is empty.
  public let subject: SubjectID

  /// What a parent is called; empty for everyone else, whose subject is their name.
  public private(set) var name = ""

  /// Makes a member from a role and a subject.
  public init(role: Role, subject: SubjectID) {
    self.role = role
    self.subject = subject
  }

  /// The customer: what every question is about unless it says otherwise.
  public static let customer = Member(role: .customer, subject: .customer)
  /// Somebody without an account.
  public static let guest = Member(role: .guest, subject: .customer)
  /// Somebody who looks around.
  public static let demo = Member(role: .demo, subject: "demo")
  /// A parent. Uses of parents count for the customer, whichever parent it is; the name only tells them apart.
  public static func parent(_ name: String = "") -> Member {
    var member = Member(role: .parent, subject: .customer)
    member.name = name
    return member
  }
  /// A child, with uses, caps, completions and coins of its own. An empty name is a child's as well, and never the customer's.
  public static func child(_ name: String) -> Member { Member(role: .child, subject: SubjectID(name.isEmpty ? "\u{0}child" : name)) }

  /// `child:max`, `guest`, …
  public var description: String {
    let name = subject == .customer || role == .demo ? name : subject.rawValue
    return name.isEmpty ? role.rawValue : "\(role):\(name)"
  }
}

/// Whose uses, caps, completions and coins something is.
public struct SubjectID: StringIdentifier {
  /// The text; empty for the customer.
  public let rawValue: String
  /// Makes a subject from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The customer.
  public static let customer = SubjectID(rawValue: "")
  /// All family members: uses whose author is unknown count against each. No member's name can be the same.
  static let everyone = SubjectID(rawValue: "\u{0}everyone")
}

/// Which device, server or import recorded something. What one source says replaces its lower word; sources add up.
public struct SourceID: StringIdentifier {
  /// The text.
  public let rawValue: String
  /// Makes a source from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// This device, before it has been given a name.
  public static let device: Self = "device"
}
