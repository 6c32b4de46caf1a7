// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A future event of the store.
struct FutureEvent: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// The end of a subscription's period, grace period or retry period.
    case chain(Row<SubscriptionChain>, generation: Int)
    /// The end of a request to buy.
    case request(Int)
  }

  let date: Date
  let number: Int
  let customer: Row<Customer>
  let kind: Kind
}

/// Future events, the next one first; at one date in the order of planning. A binary heap: O(log n) to insert and remove.
struct EventQueue: Sendable {
  private var heap: [FutureEvent] = []
  private var planned = 0

  var next: FutureEvent? { heap.first }
  var count: Int { heap.count }

  mutating func add(_ kind: FutureEvent.Kind, of customer: Row<Customer>, at date: Date) {
    planned += 1
    heap.append(FutureEvent(date: date, number: planned, customer: customer, kind: kind))
    var index = heap.count - 1
    while index > 0, isEarlier(index, (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeNext() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var index = 0
    while true {
      var earliest = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && isEarlier(child, earliest) { earliest = child }
      if earliest == index { return }
      heap.swapAt(index, earliest)
      index = earliest
    }
  }

  private func isEarlier(_ a: Int, _ b: Int) -> Bool { (heap[a].date, heap[a].number) < (heap[b].date, heap[b].number) }
}
