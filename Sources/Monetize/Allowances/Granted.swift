// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A grant, or the top of every lattice: unlimited.
///
/// One reference, whatever the grant: each decision copies it a dozen times. Two that were read from one place in the catalog are the same
/// reference, and seldom need to be compared.
public struct Granted: Sendable {
  private let limit: Shared<any Allowance>?

  private init(limit: Shared<any Allowance>?) { self.limit = limit }

  /// Without any limit.
  public static var unlimited: Granted { Granted(limit: nil) }
  /// With a limit.
  public static func limited(_ allowance: any Allowance) -> Granted { Granted(limit: Shared(allowance)) }

  /// The limit; `nil` where there is none.
  public var allowance: (any Allowance)? { limit?.value }
  /// Whether there is no limit.
  public var isUnlimited: Bool { limit == nil }

  /// The most permissive of both.
  public func joined(with other: Granted) -> Granted {
    guard let mine = limit, let theirs = other.limit else { return .unlimited }
    return mine === theirs ? self : .limited(mine.value.joined(withAny: theirs.value))
  }

  /// Whether this gives all that `other` gives: joining it adds nothing.
  public func gives(atLeast other: Granted) -> Bool {
    guard let mine = limit else { return true }
    guard let theirs = other.limit else { return false }
    return mine === theirs || mine.value.gives(atLeastAny: theirs.value)
  }

  /// The same, counted from each of these purchases; unchanged where there is none.
  func anchored(at purchases: [Date]) -> Granted {
    guard let limit, let first = purchases.first else { return self }
    return purchases.dropFirst().reduce(.limited(limit.value.anchored(at: first))) {
      $0.joined(with: .limited(limit.value.anchored(at: $1)))
    }
  }

  var lookBack: TimeInterval? { limit?.value.lookBack }
  var changesWithTime: Bool { limit?.value.changesWithTime ?? false }
}

extension Granted: Hashable {
  /// Equal when both are unlimited, or the same grant.
  public static func == (a: Self, b: Self) -> Bool {
    guard let one = a.limit, let other = b.limit else { return a.isUnlimited && b.isUnlimited }
    return one === other || one.value.equals(other.value)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    if let limit { hasher.combine(limit.value) } else { hasher.combine(0) }
  }
}
