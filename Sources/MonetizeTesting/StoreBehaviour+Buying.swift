// SPDX-License-Identifier: Apache-2.0
import Monetize

extension StoreBehaviour {
  private static let results = "StoreKit: Product.PurchaseResult"

  /// The results of a purchase, and that it stays unfinished until it is finished.
  static let buying: [StoreBehaviour] = [
    .init("store.products", "A paywall shows names and prices of the store.", "StoreKit: Product.products(for:)") { trial in
      let product = try trial.product(.nonConsumable)
      let products = try await trial.store.products(for: [product, "no.such.product"])
      return products.map(\.id) == [product] ? nil : "Asked for one that is sold and one that is not, it gave \(products.map(\.id))."
    },
    .init("store.unknown-product", "A purchase of something that is not sold fails and says so.", results) { trial in
      do {
        _ = try await trial.store.purchase(PurchaseRequest("no.such.product"))
        return "It sold something that it does not sell."
      } catch let error as StoreError { return error.code == .productUnavailable ? nil : "It failed with \(error.code)." }
    },
    .init("store.purchase", "A purchase gives a verified transaction of the product.", results) { trial in
      let product = try trial.product(.nonConsumable)
      guard case .success(let signed) = try await trial.store.purchase(PurchaseRequest(product)) else { return "It was not sold." }
      return signed.isVerified && signed.transaction.productID == product ? nil : "It gave \(signed.transaction.productID)."
    },
    .init(
      "store.app-transaction", "How the customer got the app is said alike each time, and was before any purchase.",
      "StoreKit: AppTransaction.shared"
    ) { trial in
      let app: AppTransactionRecord
      do { app = try await trial.store.appTransaction() } catch let error as StoreError where error.code == .unsupported {
        throw NotChecked(reason: "The store does not know how the customer got the app.")
      }
      let bought = try await trial.buy(.nonConsumable)
      guard app.environment == bought.environment else {
        return "It is from \(app.environment), and a purchase from \(bought.environment)."
      }
      guard app.originalPurchaseDate <= bought.purchaseDate else { return "The customer got the app after buying in it." }
      return try await trial.store.appTransaction() == app ? nil : "The second answer is another."
    },
    .init("store.cancelled", "A person who closes the sheet has bought nothing, and nothing failed.", results) { trial in
      try await trial.turn(.sheet(.cancel))
      let result = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable)))
      guard result == .userCancelled else { return "It answered \(result)." }
      return try await trial.unfinished().isEmpty ? nil : "Something was bought."
    },
    .init("store.pending", "Ask to Buy answers pending, and gives nothing yet.", results) { trial in
      try await trial.turn(.sheet(.askToBuy))
      let result = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable)))
      guard result == .pending else { return "It answered \(result)." }
      return try await trial.listed().isEmpty ? nil : "It is listed before anybody said yes."
    },
    .init("store.unverified", "A wrong signature comes back as one.", "StoreKit: VerificationResult.unverified") { trial in
      try await trial.turn(.sheet(.wrongSignature))
      guard case .success(let signed) = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable))) else {
        return "It did not come back at all."
      }
      return signed.isVerified ? "It was called right." : nil
    },
    .init("store.interrupted", "A purchase that the bank interrupts has not been made yet.", "Apple: Testing an interrupted purchase") {
      trial in
      try await trial.turn(.sheet(.interrupted))
      if case .success = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable))) { return "It was made." }
      return try await trial.unfinished().isEmpty ? nil : "Something was bought."
    },
    .init("store.payment-fails", "A purchase that cannot be paid fails, and gives nothing.", "StoreKit: Product.PurchaseError") { trial in
      try await trial.turn(.payment(works: false))
      do {
        let result = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable)))
        return "It answered \(result)."
      } catch is StoreError { return try await trial.unfinished().isEmpty ? nil : "Something was bought." }
    },
    .init("store.again", "Buying a non-consumable again gives the same purchase.", "Apple: In-App Purchase, non-consumables") { trial in
      let first = try await trial.buy(.nonConsumable)
      return try await trial.buy(.nonConsumable).originalID == first.originalID ? nil : "It was sold twice."
    },
    .init("store.consumables", "A consumable is bought anew each time.", "Apple: In-App Purchase, consumables") { trial in
      let first = try await trial.buy(.consumable)
      return try await trial.buy(.consumable).id == first.id ? "Two purchases are one transaction." : nil
    },
    .init("store.quantity", "A transaction says how many were bought.", "StoreKit: Product.PurchaseOption.quantity(_:)") { trial in
      let bought = try await trial.buy(.consumable, quantity: 3)
      return bought.quantity == 3 ? nil : "It says \(bought.quantity)."
    },
    .init("store.account", "A transaction says which of the app's accounts it is for.", "StoreKit: PurchaseOption.appAccountToken(_:)") {
      trial in
      let bought = try await trial.buy(.nonConsumable, account: "account-1")
      return bought.account == "account-1" ? nil : "It says \(bought.account ?? "nothing")."
    },
    .init("store.unfinished", "What is not finished comes again.", "StoreKit: Transaction.unfinished") { trial in
      let bought = try await trial.buy(.nonConsumable)
      return try await trial.unfinished().contains { $0.id == bought.id } ? nil : "It is not among the unfinished."
    },
    .init("store.finish", "What is finished does not come again, and finishing twice is harmless.", "StoreKit: Transaction.finish()") {
      trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.store.finish(bought.id)
      try await trial.store.finish(bought.id)
      return try await trial.unfinished().contains { $0.id == bought.id } ? "It is still unfinished." : nil
    },
    .init("store.finish-unknown", "Finishing what never was is harmless.", "StoreBackend: finish") { trial in
      try await trial.store.finish("no-such-transaction")
      return nil
    },
    .init("store.introductory-once", "An introductory offer is for those who never had one.", "Apple: Implementing introductory offers") {
      trial in
      let plan = try trial.product(.plan)
      guard try await trial.store.products(for: [plan]).first?.introductoryOffer != nil else { return "A new customer is not offered it." }
      guard try await trial.buy(.plan).offer?.type == .introductory else { return "It was not applied." }
      return try await trial.store.products(for: [plan]).first?.introductoryOffer == nil ? nil : "It is offered again."
    },
  ]
}
