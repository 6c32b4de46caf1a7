// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The state of loading products, which a paywall shows in place of prices.
public enum ProductLoading: Sendable, Hashable {
  /// The store is being asked.
  case loading
  /// The store failed. It is asked again at `retriesAt`; `nil` when a person has to request that.
  case failed(StoreError, retriesAt: Date?)
  /// The products that the store sells here. Other products are missing.
  case loaded([StoreProduct])

  /// The loaded products; empty before they are loaded.
  public var products: [StoreProduct] { if case .loaded(let products) = self { products } else { [] } }
  /// The last error; `nil` while loading and after success.
  public var error: StoreError? { if case .failed(let error, _) = self { error } else { nil } }
}

/// The delays before a failed store is asked again. Only transient errors are retried, see ``StoreError/isTransient``.
public struct StoreRetries: Sendable, Hashable {
  /// The delay before each retry, in seconds. One retry per element.
  public let delays: [TimeInterval]

  /// Makes retries from delays in seconds. Negative delays become 0.
  public init(delays: [TimeInterval]) { self.delays = delays.map { max(0, $0) } }

  /// Three retries, after 1, 2 and 4 seconds.
  public static let standard = StoreRetries(delays: [1, 2, 4])
  /// No retries.
  public static let none = StoreRetries(delays: [])
}
