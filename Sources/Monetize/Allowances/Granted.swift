// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A grant, or `unlimited`, the top of every lattice.
///
/// Stored as one reference, because each decision copies it a dozen times. Values read from one place in the catalog share a reference,
/// which makes most comparisons trivial.
public struct Granted: Sendable {
  private let limit: Shared<any Allowance>?

  private init(limit: Shared<any Allowance>?) { self.limit = limit }

  /// A grant without a limit.
  public static var unlimited: Granted { Granted(limit: nil) }
  /// A grant with a limit.
  public static func limited(_ allowance: any Allowance) -> Granted { Granted(limit: Shared(allowance)) }

  /// The limit; `nil` when unlimited.
  public var allowance: (any Allowance)? { limit?.value }
  /// Whether there is no limit.
  public var isUnlimited: Bool { limit == nil }

  /// The most permissive combination of both.
  public func joined(with other: Granted) -> Granted {
    guard let mine = limit, let theirs = other.limit else { return .unlimited }
    return mine === theirs ? self : .limited(mine.value.joined(withAny: theirs.value))
  }

  /// Whether this grants everything that `other` grants, so that joining `other` adds nothing.
  public func gives(atLeast other: Granted) -> Bool {
    guard let mine = limit else { return true }
    guard let theirs = other.limit else { return false }
    return mine === theirs || mine.value.gives(atLeastAny: theirs.value)
  }

  /// The same grant, counted from each of these purchases and joined; unchanged when there are none.
  func anchored(at purchases: [Date]) -> Granted {
    guard let first = purchases.first else { return self }
    return purchases.dropFirst().reduce(anchored(at: first)) { $0.joined(with: anchored(at: $1)) }
  }

  /// Stays the same reference when the grant is not counted from a purchase, so that joining it with itself stays trivial.
  private func anchored(at purchase: Date) -> Granted {
    guard let limit else { return self }
    let anchored = limit.value.anchored(at: purchase)
    return limit.value.equals(anchored) ? self : .limited(anchored)
  }

  var lookBack: TimeInterval? { limit?.value.lookBack }
  var changesWithTime: Bool { limit?.value.changesWithTime ?? false }
}

extension Granted: Hashable {
  /// Equal when both are unlimited or both hold equal grants.
  public static func == (a: Self, b: Self) -> Bool {
    guard let one = a.limit, let other = b.limit else { return a.isUnlimited && b.isUnlimited }
    return one === other || one.value.equals(other.value)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    if let limit { hasher.combine(limit.value) } else { hasher.combine(0) }
  }
}
