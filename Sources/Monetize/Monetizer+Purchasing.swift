// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Buys a product. Access is available when this returns `.completed`.
  ///
  /// One purchase of a product runs at a time; a second call gets its outcome. Cancelling the caller does not cancel the purchase.
  /// - Parameters:
  ///   - product: The product to buy.
  ///   - offer: The offer to use. Introductory offers apply automatically.
  ///   - quantity: The quantity; more than 1 only for consumables.
  ///   - pass: A valid pass of the parental gate, if the catalog's gate covers purchases. It is used up, whatever the outcome.
  /// - Throws: ``GateRequired`` when the pass is missing, and nothing else. The store has not been asked then.
  public func purchase(_ product: ProductID, offer: String? = nil, quantity: Int = 1, pass: GatePass? = nil) async throws(GateRequired)
    -> PurchaseOutcome
  {
    try useUp(pass, at: .purchase)
    return await effects.purchases.purchase(product, offer: offer, quantity: quantity)
  }

  /// Restores the customer's purchases. Call it only at a person's request, because the store may ask them to sign in.
  /// - Parameter pass: A valid pass of the parental gate, if the catalog's gate covers restoring.
  /// - Throws: ``GateRequired`` when the pass is missing, and nothing else.
  public func restorePurchases(pass: GatePass? = nil) async throws(GateRequired) -> RestoreOutcome {
    try useUp(pass, at: .restore)
    return await effects.purchases.restore()
  }
}
