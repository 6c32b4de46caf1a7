// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// All that a search knows of one customer: what was bought and used, and how often time passed. Two paths to one state are one state.
struct CheckState: Sendable, Hashable {
  /// What a product is to the customer.
  enum Standing: UInt8, Sendable, Hashable, Comparable {
    case never, active, ended, replaced, refunded
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  struct Purchase: Sendable, Hashable, Comparable {
    var standing = Standing.never
    /// When it was bought, and when its period ends, in seconds since the start; no end is 0.
    var since = 0
    var end = 0
    var isTrial = false
    /// How many of a consumable.
    var quantity = 0

    static func < (a: Self, b: Self) -> Bool {
      (a.standing, a.since, a.end, a.isTrial ? 1 : 0, a.quantity) < (b.standing, b.since, b.end, b.isTrial ? 1 : 0, b.quantity)
    }
  }

  /// Uses of one feature at one moment.
  struct Uses: Sendable, Hashable, Comparable {
    var feature = 0
    var at = 0
    var day = 0
    var amount = 0
    var isCounted = true
    var credits = 0
    /// Whether nothing that was bought gave it.
    var isFree = true
    /// Whether a reinstallation made the device forget it.
    var isForgotten = false

    static func < (a: Self, b: Self) -> Bool {
      (a.feature, a.at, a.amount, a.isForgotten ? 1 : 0) < (b.feature, b.at, b.amount, b.isForgotten ? 1 : 0)
    }
  }

  /// Seconds since the start.
  var now = 0
  var purchases: [Purchase]
  var uses: [Uses] = []
  /// How often time has passed.
  var changes = 0
  var isReinstalled = false

  /// Whether anything was ever bought.
  var hasBought: Bool { purchases.contains { $0.standing != .never } }
  /// Whether anything that was bought is in force.
  var hasActive: Bool { purchases.contains { $0.standing == .active } }
  /// Which products are in force, as bits.
  var active: UInt64 { purchases.indices.reduce(0) { purchases[$1].standing == .active ? $0 | 1 << UInt64($1 & 63) : $0 } }
}

/// One thing that a customer, or time, does.
enum CheckAction: Sendable, Hashable {
  case buy(Int)
  case lapse(Int)
  case refund(Int)
  case use(feature: Int, amount: Int)
  case nextChange
  case reinstall
}
