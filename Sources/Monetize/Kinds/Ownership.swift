// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Whether a product is owned, and when that changes by itself.
public struct Ownership: Sendable, Hashable {
  /// The basis of access.
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
  /// When ownership ends by itself, half-open; `nil` when it does not. In the past when it has ended.
  public let until: Date?
  /// The purchase dates from which anchored limits count, earliest first. Each purchase grants its own amount.
  public private(set) var since: [Date]
  /// The basis of access.
  public private(set) var phase = Phase.paid
  /// Whether buying again would gain nothing: it is owned for ever, or renews into itself.
  public private(set) var preventsPurchase = false
  /// When the first of several purchases behind it ends, which changes this value.
  private(set) var changesAt: Date?

  /// Not owned.
  public static let none = Ownership(isActive: false, until: nil, since: [])
  /// Owned for ever.
  public static let forever = Ownership(isActive: true, until: nil, since: [], preventsPurchase: true)

  /// Owned until `end`. ``latest(of:at:)`` decides whether that has passed.
  public static func until(_ end: Date, since: Date? = nil, phase: Phase = .paid) -> Ownership {
    let end = end == .distantFuture ? nil : end
    return Ownership(isActive: true, until: end, since: since.map { [$0] } ?? [], phase: phase, changesAt: end)
  }

  /// The same, with a purchase date from which anchored limits count.
  public func since(_ date: Date) -> Ownership {
    var copy = self
    copy.since = [date]
    return copy
  }

  /// The same, with ``preventsPurchase`` set.
  public func preventingPurchase(_ prevents: Bool) -> Ownership {
    var copy = self
    copy.preventsPurchase = prevents
    return copy
  }

  /// Combines all that have not ended at `now`. Lasts as long as the longest. The phase is that of the one that began last; a grace period
  /// counts only when there is nothing else. When all have ended, returns the last end.
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
