// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// What happened when a scenario ran: the timeline, and what held.
public struct ScenarioReport: Sendable {
  /// One expectation and what was found.
  public struct Check: Sendable, Hashable {
    /// What it is about, such as `story.play forest/4`; empty for the step, the store and the device.
    public let subject: String
    /// The fact that had to hold, such as `allowed`.
    public let fact: String
    /// What was expected, as a person writes it.
    public let expected: String
    /// What was found.
    public let found: String
    /// Why it was so, where a reason is known.
    public let why: String?
    /// Whether it held.
    public let holds: Bool
    /// The line of the expectation in the scenario.
    public let line: Int
  }

  /// What a customer paid and got back in one currency.
  public struct Payment: Sendable, Hashable {
    /// Who.
    public let customer: CustomerID
    /// What was charged; 0 or more.
    public let charged: Money
    /// What was given back, refunds that were reversed taken off.
    public let refunded: Money
  }

  /// Something on the timeline.
  public struct Entry: Sendable, Hashable {
    /// What sort of thing it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// Something that the app or the person in it did.
      case app
      /// Something that the customer did at the store, or the store itself.
      case store
      /// The world became different.
      case world
      /// Time passed.
      case time
      /// Something had to hold.
      case check
      /// Something could not be done.
      case problem
    }

    /// When.
    public let date: Date
    /// Which sort.
    public let kind: Kind
    /// What happened, in a few words.
    public let title: String
    /// Which device, when there are several.
    public let device: String?
    /// The scenario's own words about it.
    public let note: String?
    /// How it ended.
    public var outcome: String?
    /// Why it ended so, in one word: the reason of a denial, the error of a failure.
    public var why: String?
    /// What changed by it.
    public var changes: [String]
    /// What had to hold then.
    public var checks: [Check]
    /// The line in the scenario.
    public let line: Int
    /// What Apple's server said about it, in order.
    public var notifications: [ServerNotification] = []
    /// The money that moved, by customer and currency; empty when none did.
    public var money: [Payment] = []
  }

  /// The scenario's sentence.
  public let title: String
  /// The requirements that it shows.
  public let shows: [String]
  /// The zone of local times.
  public let zone: TimeZone
  /// The timeline.
  public internal(set) var entries: [Entry]
  /// The first device's state file after the run, as ``FileStorage`` reads it; empty when there is none.
  public internal(set) var state = Data()
  /// All events that the apps were told, by time, with the customer of the device.
  public internal(set) var events: [EventRecord] = []

  /// What is left of a limit, as a small bar such as `███░░`: a cell a use, ten at most. Only an empty one means that nothing is left.
  public static func bar(_ left: Int, of limit: Int) -> String {
    let cells = min(max(limit, 0), 10)
    guard cells > 0 else { return "" }
    let left = min(max(left, 0), limit)
    // Rounded up: a single use that is left is seen.
    let full = limit == cells ? left : min(cells, Int((Double(left) / Double(limit) * Double(cells)).rounded(.up)))
    return String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
  }

  /// All that had to hold.
  public var checks: [Check] { entries.flatMap(\.checks) }
  /// What did not hold.
  public var failures: [Check] { checks.filter { !$0.holds } }
  /// What could not be done.
  public var problems: [Entry] { entries.filter { $0.kind == .problem } }
  /// Whether everything held and could be done.
  public var passed: Bool { failures.isEmpty && problems.isEmpty }
}
