// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The state of loading products, which a paywall shows in place of prices.
public enum ProductLoading: Sendable, Hashable {
  /// The request to the store is under way.
  case loading
  /// The store failed. The request is repeated at `retriesAt`; `nil` when it is repeated only at a person's request.
  case failed(StoreError, retriesAt: Date?)
  /// The products that the store sells here. Other products are missing.
  case loaded([StoreProduct])

  /// The loaded products; empty before they are loaded.
  public var products: [StoreProduct] { if case .loaded(let products) = self { products } else { [] } }
  /// The last error; `nil` while loading and after success.
  public var error: StoreError? { if case .failed(let error, _) = self { error } else { nil } }
}
