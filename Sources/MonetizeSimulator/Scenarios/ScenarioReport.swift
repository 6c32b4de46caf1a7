// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The result of a scenario: the timeline and the checks.
public struct ScenarioReport: Sendable {
  /// One expectation and the value that was found.
  public struct Check: Sendable, Hashable, Encodable {
    /// The subject, such as `story.play forest/4`; empty for the step, the store and the device.
    public let subject: String
    /// The expected fact, such as `allowed`.
    public let fact: String
    /// The expected value, as a person writes it.
    public let expected: String
    /// The value that was found.
    public let found: String
    /// The reason of the found value, if known.
    public let why: String?
    /// Whether it held.
    public let holds: Bool
    /// The line of the expectation in the scenario.
    public let line: Int
  }

  /// The amounts that a customer paid and got back in one currency.
  public struct Payment: Sendable, Hashable {
    /// The customer.
    public let customer: CustomerID
    /// The store's environment: only production's money is real.
    public let environment: StoreEnvironment
    /// The amount charged; 0 or more.
    public let charged: Money
    /// The amount refunded, without refunds that were reversed.
    public let refunded: Money
  }

  /// One entry of the timeline.
  public struct Entry: Sendable, Hashable {
    /// The kind of an entry.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// An action of the app, or of the person who uses it.
      case app
      /// An action of the customer at the store, or of the store.
      case store
      /// A change of the world.
      case world
      /// Time passed.
      case time
      /// An expectation.
      case check
      /// A step that could not be done.
      case problem
    }

    /// The date of the entry.
    public let date: Date
    /// The kind of the entry.
    public let kind: Kind
    /// The action, in a few words.
    public let title: String
    /// The device, when there are several.
    public internal(set) var device: String?
    /// The member who acted; `nil` for the customer.
    public var member: Member?
    /// The scenario's own note.
    public internal(set) var note: String?
    /// The outcome.
    public var outcome: String?
    /// The reason of the outcome, in one word: of a denial, or the error of a failure.
    public var why: String?
    /// The changes that followed.
    public var changes: [String] = []
    /// The expectations at this point.
    public var checks: [Check] = []
    /// The line in the scenario.
    public let line: Int
    /// The notifications of Apple's server, in order.
    public var notifications: [ServerNotification] = []
    /// The money that moved, by customer, environment and currency; empty when none moved.
    public var money: [Payment] = []
  }

  /// The scenario's title.
  public let title: String
  /// The ids of the requirements that the scenario shows.
  public let shows: [String]
  /// The zone of local times.
  public let zone: TimeZone
  /// The timeline.
  public internal(set) var entries: [Entry]
  /// The first device's state file after the run, as `FileStorage` reads it; empty when there is none.
  public internal(set) var state = Data()
  /// All events that the apps received, by time, with the customer of the device.
  public internal(set) var events: [EventRecord] = []

  /// A small bar for the rest of a limit, such as `███░░`: one cell per use, ten at most. It is empty only if nothing is left.
  public static func bar(_ left: Int, of limit: Int) -> String {
    let cells = min(max(limit, 0), 10)
    guard cells > 0 else { return "" }
    let left = min(max(left, 0), limit)
    // Rounded up, so that a single remaining use is visible.
    let full = limit == cells ? left : min(cells, Int((Double(left) / Double(limit) * Double(cells)).rounded(.up)))
    return String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
  }

  /// All checks, in order.
  public var checks: [Check] { entries.flatMap(\.checks) }
  /// The checks that failed.
  public var failures: [Check] { checks.filter { !$0.holds } }
  /// The steps that could not be done.
  public var problems: [Entry] { entries.filter { $0.kind == .problem } }
  /// Whether every check holds and every step could be done.
  public var passed: Bool { failures.isEmpty && problems.isEmpty }
}
