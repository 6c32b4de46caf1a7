// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// How far the loading of products has come: what a paywall shows in the place of its prices.
public enum ProductLoading: Sendable, Hashable {
  /// The store is asked.
  case loading
  /// It could not answer. The store is asked again at `retriesAt`; `nil` when it is not, and the person has to ask for it.
  case failed(StoreError, retriesAt: Date?)
  /// What it sells here; what it does not sell is missing.
  case loaded([StoreProduct])

  /// The products; none while there is no answer.
  public var products: [StoreProduct] { if case .loaded(let products) = self { products } else { [] } }
  /// Why there is no answer; `nil` while the store is asked, and when it has answered.
  public var error: StoreError? { if case .failed(let error, _) = self { error } else { nil } }
}

/// When a store that failed is asked again. Only what may pass by itself is tried again, see ``StoreError/isTransient``.
public struct StoreRetries: Sendable, Hashable {
  /// How long to wait before each further try, in seconds. Their number is the number of further tries.
  public let delays: [TimeInterval]

  /// Makes retries from the waits before them, in seconds; a negative one is none.
  public init(delays: [TimeInterval]) { self.delays = delays.map { max(0, $0) } }

  /// Three more tries, after 1, 2 and 4 seconds.
  public static let standard = StoreRetries(delays: [1, 2, 4])
  /// One try.
  public static let none = StoreRetries(delays: [])
}
