// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The state of one customer in a search: purchases, uses, and the number of steps of time. Two paths to one state are one state.
struct CheckState: Sendable, Hashable {
  /// The relation of a product to the customer.
  enum Standing: UInt8, Sendable, Hashable, Comparable {
    case never, active, ended, replaced, refunded
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  struct Purchase: Sendable, Hashable, Comparable {
    var standing = Standing.never
    /// The date of the purchase and the end of its period, in seconds since the start; 0 for no end.
    var since = 0
    var end = 0
    var isTrial = false
    /// The quantity of a consumable.
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
    /// The part of the amount to which no purchase contributed.
    var unpaid = 0
    /// Whether the device lost it in a reinstallation.
    var isForgotten = false

    static func < (a: Self, b: Self) -> Bool {
      (a.feature, a.at, a.amount, a.isForgotten ? 1 : 0) < (b.feature, b.at, b.amount, b.isForgotten ? 1 : 0)
    }
  }

  /// Seconds since the start.
  var now = 0
  var purchases: [Purchase]
  var uses: [Uses] = []
  /// The number of steps of time.
  var changes = 0
  var isReinstalled = false

  /// Whether there was any purchase.
  var hasBought: Bool { purchases.contains { $0.standing != .never } }
  /// Whether any purchase is active.
  var hasActive: Bool { purchases.contains { $0.standing == .active } }
}

/// One action of a customer, or a step of time.
enum CheckAction: Sendable, Hashable {
  case buy(Int)
  case lapse(Int)
  case refund(Int)
  case use(feature: Int, amount: Int)
  case nextChange
  case reinstall
}
