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
    /// The end of its introductory period, in seconds since the start; 0 without one.
    var introductionEnd = 0
    /// The quantity of a consumable.
    var quantity = 0

    static func < (a: Self, b: Self) -> Bool {
      (a.standing, a.since, a.end, a.introductionEnd, a.quantity) < (b.standing, b.since, b.end, b.introductionEnd, b.quantity)
    }
  }

  /// The purchases by product. Holds only those that were made, so that a state is small also in a large catalog.
  struct Purchases: Sendable, Hashable {
    struct Entry: Sendable, Hashable, Comparable {
      let product: Int
      var purchase: Purchase

      static func < (a: Self, b: Self) -> Bool { (a.product, a.purchase) < (b.product, b.purchase) }
    }
    /// In the order of the products.
    fileprivate(set) var made: [Entry] = []

    /// The products that are active.
    var active: [Int] { made.filter { $0.purchase.standing == .active }.map(\.product) }

    subscript(product: Int) -> Purchase {
      get { made.first { $0.product == product }?.purchase ?? Purchase() }
      set {
        made.removeAll { $0.product == product }
        if newValue == Purchase() { return }
        made.insert(Entry(product: product, purchase: newValue), at: made.firstIndex { $0.product > product } ?? made.count)
      }
    }

    /// The same with the purchases of `first[product]` instead of those of each product.
    func grouped(by first: [Int]) -> Self { Self(made: made.map { Entry(product: first[$0.product], purchase: $0.purchase) }.sorted()) }
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
  var purchases = Purchases()
  var uses: [Uses] = []
  /// The number of steps of time.
  var changes = 0
  var isReinstalled = false

  /// Whether there was any purchase.
  var hasBought: Bool { !purchases.made.isEmpty }
  /// Whether any purchase is active.
  var hasActive: Bool { purchases.made.contains { $0.purchase.standing == .active } }
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
