// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A parent's view and settings. Only a parent can open it.
public struct ParentDashboard: Sendable {
  /// A child's activity.
  public struct Child: Sendable, Hashable {
    /// The child.
    public let name: String
    /// The solved levels, in order.
    public let solved: [LevelID]
    /// Seconds played today, if a limit counts them.
    public let secondsToday: Int?
    /// The coins of the child.
    public let coins: Int
  }

  private let monetizer: Monetizer
  var records: [PlayRecord] { monetizer.state.facts(of: PlayRecord.self) }

  /// Opens the dashboard.
  /// - Throws: ``Monetize/AccessDenied`` with `requiresParent` for any other role.
  public init(_ hub: Hub, for player: Player) throws(AccessDenied) {
    let decision = hub.monetizer.as(player.member).decision(for: .parentDashboard)
    guard decision.isAllowed else { throw AccessDenied(decision: decision) }
    monetizer = hub.monetizer
  }

  /// A child's activity.
  public func child(_ name: String) -> Child {
    let access = monetizer.as(.child(name))
    return Child(
      name: name, solved: access.completions.compactMap { LevelID($0.item.item) }.sorted(),
      secondsToday: access.decision(for: .playTime).used,
      coins: access.coins)
  }

  /// Limits a child's play time for each day; `nil` lifts the limit. Earlier play of today counts.
  public func limit(_ name: String, minutesPerDay minutes: Int?) async {
    await monetizer.as(.child(name)).limit(.playTime, to: minutes.map { .duration(Period(seconds: $0 * 60)) })
  }
}
