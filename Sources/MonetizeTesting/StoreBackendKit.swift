// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// Checks what every ``StoreBackend`` has to do, as far as it can be seen without turning the store's own wheels.
///
/// The customer must own nothing at first, and buying must need no person: a test store, a simulated one, a configuration file with dialogs
/// turned off.
public struct StoreBackendKit: Sendable {
  private let store: any StoreBackend
  private let product: ProductID

  /// Makes a kit.
  /// - Parameters:
  ///   - store: The store of a customer who owns nothing.
  ///   - product: A non-consumable that it sells.
  public init(_ store: any StoreBackend, nonConsumable product: ProductID) {
    self.store = store
    self.product = product
  }

  /// Checks every behaviour, in an order in which each builds on those before.
  public func run() async -> KitReport {
    var report = KitReport(subject: "Store \(type(of: store))")
    await report.check("store.products", "A paywall shows names and prices of the store.") {
      let products = try await store.products(for: [product, "no.such.product"])
      return products.map(\.id) == [product]
        ? nil : "Asked for one product that is sold and one that is not, it gave \(products.map(\.id))."
    }
    await report.check("store.unknown-product", "A purchase of something that is not sold fails and says so.") {
      do {
        _ = try await store.purchase(PurchaseRequest("no.such.product"))
        return "It sold something that it does not sell."
      } catch let error as StoreError { return error.code == .productUnavailable ? nil : "It failed with \(error.code)." }
    }
    await report.check("store.nothing", "A customer who bought nothing has nothing.") {
      try await store.read().transactions.isEmpty ? nil : "It lists a purchase."
    }
    await report.check("store.gone", "Asked about a purchase that never was, the store says so.") {
      try await store.standing(of: "no-such-transaction") == .gone ? nil : "It knows a purchase that never was."
    }
    var bought: StoreTransaction?
    await report.check("store.purchase", "A purchase gives a verified transaction of the product.") {
      guard case .success(let signed) = try await store.purchase(PurchaseRequest(product)) else { return "It was not sold." }
      bought = signed.transaction
      return signed.isVerified && signed.transaction.productID == product ? nil : "It gave \(signed.transaction.productID)."
    }
    guard let bought else { return report }
    await report.check("store.unfinished", "What is not finished comes again.") {
      try await store.unfinished().contains { $0.transaction.id == bought.id } ? nil : "It is not among the unfinished."
    }
    await report.check("store.finish", "What is finished does not come again, and finishing twice is harmless.") {
      try await store.finish(bought.id)
      try await store.finish(bought.id)
      return try await store.unfinished().contains { $0.transaction.id == bought.id } ? "It is still unfinished." : nil
    }
    await report.check("store.held", "Asked about a purchase that the customer has, the store says so.") {
      if case .held = try await store.standing(of: bought.id) { return nil }
      return "It does not know the purchase."
    }
    await report.check("store.again", "Buying a non-consumable again gives the same purchase.") {
      guard case .success(let signed) = try await store.purchase(PurchaseRequest(product)) else { return "It was not given." }
      return signed.transaction.originalID == bought.originalID ? nil : "It was sold twice."
    }
    await report.check("store.synchronize", "Restoring brings purchases back.") {
      try await store.synchronize()
      return try await store.read().transactions.contains { $0.transaction.originalID == bought.originalID }
        ? nil : "The purchase is not listed."
    }
    return report
  }
}
