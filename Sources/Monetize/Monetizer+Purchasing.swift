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
  /// - Throws: ``GateRequired`` when the pass is missing, and nothing else. No request was made to the store then.
  public func purchase(_ product: ProductID, offer: String? = nil, quantity: Int = 1, pass: GatePass? = nil) async throws(GateRequired)
    -> PurchaseOutcome
  {
    try await purchase(PurchaseRequest(product, offerID: offer, quantity: quantity), pass: pass)
  }

  /// Buys a product with the options of a request, such as the signature of an offer or the scene of the confirmation.
  ///
  /// The request's account is replaced by that of the configuration.
  /// - Throws: ``GateRequired`` when the pass is missing, and nothing else.
  public func purchase(_ request: PurchaseRequest, pass: GatePass? = nil) async throws(GateRequired) -> PurchaseOutcome {
    try usePass(pass, for: .purchase)
    return await effects.purchases.purchase(request)
  }

  /// Makes a purchase that a person began in the store, if the app accepts it and an adult passes the gate.
  func purchaseIntended(_ request: PurchaseRequest) async {
    guard await parts.configuration.acceptsIntent(request) else { return }
    var pass: GatePass?
    if let gate = baseCatalog.parentalGate, gate.covers(.purchase) {
      do throws(GateFailed) { pass = try await passParentalGate() } catch { return }
    }
    var (buyer, outcome) = (self, PurchaseOutcome?.none)
    repeat {
      // A person may sign in meanwhile.
      let heir = await buyer.current
      if heir !== buyer, pass != nil { pass = heir.effects.passes.give() }
      buyer = heir
      outcome = try? await buyer.purchase(request, pass: pass)
    } while outcome == .failed(StoreError(.cancelled)) && buyer.handOver.copy != nil
  }

  /// The monetizer that the app continues with: this one, or the one to which it hands over.
  private var current: Monetizer {
    get async {
      guard let begun = handOver.copy, case .success(let heir) = await begun.task.value else { return self }
      return await heir.current
    }
  }

  /// Restores the customer's purchases. Call it only at a person's request, because the store may show a sign-in prompt.
  /// - Parameter pass: A valid pass of the parental gate, if the catalog's gate covers restoring.
  /// - Throws: ``GateRequired`` when the pass is missing, and nothing else.
  public func restorePurchases(pass: GatePass? = nil) async throws(GateRequired) -> RestoreOutcome {
    try usePass(pass, for: .restore)
    return await effects.purchases.restore()
  }
}
