// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Buys a product. Access is there when this returns `.completed`.
  ///
  /// One purchase of a product is under way at a time: a second call gets the first one's outcome. A caller that is cancelled does not
  /// cancel the purchase.
  /// - Parameters:
  ///   - product: What is bought.
  ///   - offer: The offer that is to be used; introductory offers apply by themselves.
  ///   - quantity: How many; only consumables can be more than one.
  ///   - pass: A fresh pass of the parental gate, where the catalog's gate covers purchases. It is used up, whatever the outcome.
  /// - Throws: ``GateRequired`` when there is no such pass, and nothing else. The store has not been asked then.
  public func purchase(_ product: ProductID, offer: String? = nil, quantity: Int = 1, pass: GatePass? = nil) async throws(GateRequired)
    -> PurchaseOutcome
  {
    try useUp(pass, at: .purchase)
    return await effects.purchases.purchase(product, offer: offer, quantity: quantity)
  }

  /// Brings back what the customer bought before. Only call it when a person asks for it: the store may want them to sign in.
  /// - Parameter pass: A fresh pass of the parental gate, where the catalog's gate covers restoring.
  /// - Throws: ``GateRequired`` when there is no such pass, and nothing else.
  public func restorePurchases(pass: GatePass? = nil) async throws(GateRequired) -> RestoreOutcome {
    try useUp(pass, at: .restore)
    return await effects.purchases.restore()
  }
}
