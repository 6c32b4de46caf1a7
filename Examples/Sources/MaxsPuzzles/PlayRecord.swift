// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A child's visit to a module, for the parents' dashboard. Guests, parents and demos leave none.
public struct PlayRecord: CustomFact {
  /// `play`.
  public static let name = "play"

  /// The id of the visit.
  public let key: String
  /// The child.
  public let child: String
  /// The visited module.
  public let module: String
  /// The time of the visit.
  public let began: Date
  /// Seconds of play, without pauses.
  public let seconds: Int

  /// The present record of a visit; `nil` unless the player is a child.
  init?(_ session: PlaySession, by player: Player) {
    guard case .child(let child) = player else { return nil }
    self.child = child
    (module, began, seconds) = (session.module, session.began, Int(session.secondsPlayed))
    key = "\(child)/\(module)/\(began.timeIntervalSince1970)"
  }

  /// The longer record: a visit that is saved several times counts once.
  public func merged(with other: Self) -> Self { seconds < other.seconds ? other : self }
}

extension Seat {
  /// Stores a visit: when the app goes to the background, and at its end. Saving it again makes it longer.
  public func save(_ session: PlaySession) async {
    if let record = PlayRecord(session, by: player) { await access.record(record) }
  }
}

extension ParentDashboard {
  /// A child's visits, newest first.
  public func history(_ child: String) -> [PlayRecord] {
    records.filter { $0.child == child }.sorted { ($0.began, $0.module) > ($1.began, $1.module) }
  }

  /// The total visits and seconds of a child.
  public func sums(_ child: String) -> (visits: Int, seconds: Int) {
    let history = history(child)
    return (history.count, history.reduce(0) { $0 + $1.seconds })
  }
}
