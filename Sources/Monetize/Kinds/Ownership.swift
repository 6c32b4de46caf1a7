// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Whether something is owned, and when that changes by itself.
public struct Ownership: Sendable, Hashable {
  /// What access rests on.
  public enum Phase: Sendable, Hashable {
    /// A free trial.
    case trial
    /// A payment.
    case paid
    /// A grace period after a failed renewal.
    case grace
  }

  /// Whether it is owned now.
  public let isActive: Bool
  /// When it ends by itself, half-open; `nil` when it does not. Of what is over: when it ended.
  public let until: Date?
  /// The purchases that limits anchored to a purchase count from, earliest first: each grants its own.
  public let since: [Date]
  /// What access rests on.
  public private(set) var phase: Phase
  /// Whether buying it again would sell nothing: what is owned for ever, or renews into itself.
  public private(set) var preventsPurchase: Bool
  /// When the first of several purchases that give it is over: this very answer holds until then.
  let changesAt: Date?

  private init(isActive: Bool, until: Date?, since: [Date], phase: Phase = .paid, preventsPurchase: Bool = false, changesAt: Date? = nil) {
    self.isActive = isActive
    self.until = until
    self.since = since
    self.phase = phase
    self.preventsPurchase = preventsPurchase
    self.changesAt = changesAt
  }

  /// Not owned.
  public static let none = Ownership(isActive: false, until: nil, since: [])
  /// Owned, and never ends by itself.
  public static let forever = Ownership(isActive: true, until: nil, since: [], preventsPurchase: true)

  /// Owned until `end`; whether that is over is decided by ``latest(of:at:)``.
  public static func until(_ end: Date, since: Date? = nil, phase: Phase = .paid) -> Ownership {
    let end = end == .distantFuture ? nil : end
    return Ownership(isActive: true, until: end, since: since.map { [$0] } ?? [], phase: phase, changesAt: end)
  }

  /// The same, counted from a purchase.
  public func since(_ date: Date) -> Ownership {
    Ownership(isActive: isActive, until: until, since: [date], phase: phase, preventsPurchase: preventsPurchase, changesAt: changesAt)
  }

  /// The same, with or without a reason to refuse another purchase.
  public func preventingPurchase(_ prevents: Bool) -> Ownership {
    var copy = self
    copy.preventsPurchase = prevents
    return copy
  }

  /// All that are not over at `now`, as one: it lasts as long as the longest of them, and its phase is that of the last that has begun, a grace
  /// period only where there is nothing else. When all are over, it names the last end.
  public static func latest(of all: some Sequence<Ownership>, at now: Date) -> Ownership {
    let owned = all.filter(\.isActive)
    let active = owned.filter { now < ($0.until ?? .distantFuture) }
    guard !active.isEmpty else { return Ownership(isActive: false, until: owned.compactMap(\.until).max(), since: []) }
    let periods = active.filter { $0.phase != .grace }
    let current = periods.last { !$0.since.isEmpty } ?? periods.last ?? active[0]
    let end = active.map { $0.until ?? .distantFuture }.max()
    return Ownership(
      isActive: true, until: end == .distantFuture ? nil : end, since: Set(active.flatMap(\.since)).sorted(), phase: current.phase,
      preventsPurchase: active.contains(where: \.preventsPurchase), changesAt: active.compactMap(\.changesAt).min())
  }
}
