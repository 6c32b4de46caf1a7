// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// One visit of a child to a module, for the parents' dashboard. What a guest, a parent or a demo plays leaves none.
public struct PlayRecord: CustomFact {
  /// `play`.
  public static let name = "play"

  /// What names the visit.
  public let key: String
  /// Whose it was.
  public let child: String
  /// The module that was entered.
  public let module: String
  /// When.
  public let began: Date
  /// Seconds that were played; pauses are not.
  public let seconds: Int

  /// What is known of a visit so far; `nil` for anybody but a child.
  init?(_ session: PlaySession, by player: Player) {
    guard case .child(let child) = player else { return nil }
    self.child = child
    (module, began, seconds) = (session.module, session.began, Int(session.secondsPlayed))
    key = "\(child)/\(module)/\(began.timeIntervalSince1970)"
  }

  /// The longer one: a visit that is saved several times is one.
  public func merged(with other: Self) -> Self { seconds < other.seconds ? other : self }
}

extension Seat {
  /// Remembers a visit: when the app goes to the background, and when it is over. Saving one again makes it longer.
  public func save(_ session: PlaySession) async {
    if let record = PlayRecord(session, by: player) { await access.record(record) }
  }
}

extension ParentDashboard {
  /// What a child has played, newest first.
  public func history(_ child: String) -> [PlayRecord] {
    records.filter { $0.child == child }.sorted { ($0.began, $0.module) > ($1.began, $1.module) }
  }

  /// Visits and seconds of a child, in all.
  public func sums(_ child: String) -> (visits: Int, seconds: Int) {
    let history = history(child)
    return (history.count, history.reduce(0) { $0 + $1.seconds })
  }
}
