// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What a parent sees and sets: only a parent can get one.
public struct ParentDashboard: Sendable {
  /// What a child did.
  public struct Child: Sendable, Hashable {
    /// The child.
    public let name: String
    /// The levels that were solved, in order.
    public let solved: [LevelID]
    /// Seconds played today, where a limit counts them.
    public let secondsToday: Int?
    /// The coins there are.
    public let coins: Int
  }

  private let monetizer: Monetizer
  var records: [PlayRecord] { monetizer.state.facts(of: PlayRecord.self) }

  /// Opens it.
  /// - Throws: ``Monetize/AccessDenied`` with `requiresParent` for everybody else.
  public init(_ hub: Hub, for player: Player) throws(AccessDenied) {
    let decision = hub.monetizer.as(player.member).decision(for: .parentDashboard)
    guard decision.isAllowed else { throw AccessDenied(decision: decision) }
    monetizer = hub.monetizer
  }

  /// What a child did.
  public func child(_ name: String) -> Child {
    let access = monetizer.as(.child(name))
    return Child(
      name: name, solved: access.completions.compactMap { LevelID($0.item.item) }.sorted(),
      secondsToday: access.decision(for: .playTime).used,
      coins: access.coins)
  }

  /// Limits a child's time for each day; `nil` lifts the limit. What was played before it today counts.
  public func limit(_ name: String, minutesPerDay minutes: Int?) async {
    await monetizer.limit(.playTime, to: minutes.map { .duration(Period(seconds: $0 * 60)) }, for: .child(name))
  }
}
