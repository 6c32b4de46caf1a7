// SPDX-License-Identifier: Apache-2.0
import Monetize

extension StoreBehaviour {
  private static let results = "StoreKit: Product.PurchaseResult"

  /// The results of a purchase, and unfinished transactions.
  static let buying: [StoreBehaviour] = [
    .init("store.products", "A paywall shows names and prices of the store.", "StoreKit: Product.products(for:)") { trial in
      let product = try trial.product(.nonConsumable)
      let products = try await trial.store.products(for: [product, "no.such.product"])
      return products.map(\.id) == [product] ? nil : "Asked for a sold and an unsold product, it returned \(products.map(\.id))."
    },
    .init("store.unknown-product", "A purchase of an unsold product fails with the right code.", results) { trial in
      do {
        _ = try await trial.store.purchase(PurchaseRequest("no.such.product"))
        return "It sold a product that it does not offer."
      } catch let error as StoreError { return error.code == .productUnavailable ? nil : "It failed with \(error.code)." }
    },
    .init("store.purchase", "A purchase gives a verified transaction of the product.", results) { trial in
      let product = try trial.product(.nonConsumable)
      guard case .success(let signed) = try await trial.store.purchase(PurchaseRequest(product)) else {
        return "The purchase did not succeed."
      }
      return signed.isVerified && signed.transaction.productID == product ? nil : "It returned \(signed.transaction.productID)."
    },
    .init(
      "store.app-transaction", "The app transaction is the same each time, and not later than any purchase.",
      "StoreKit: AppTransaction.shared"
    ) { trial in
      let app: AppTransactionRecord
      do { app = try await trial.store.appTransaction() } catch let error as StoreError where error.code == .unsupported {
        throw NotChecked(reason: "The store has no app transaction.")
      }
      let bought = try await trial.buy(.nonConsumable)
      guard app.environment == bought.environment else {
        return "The app transaction is from \(app.environment), and a purchase from \(bought.environment)."
      }
      guard app.originalPurchaseDate <= bought.purchaseDate else { return "The app transaction is later than a purchase." }
      return try await trial.store.appTransaction() == app ? nil : "The second answer is different."
    },
    .init("store.cancelled", "Closing the sheet is a result, not an error, and buys nothing.", results) { trial in
      try await trial.turn(.sheet(.cancel))
      let result = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable)))
      guard result == .userCancelled else { return "The result is \(result)." }
      return try await trial.unfinished().isEmpty ? nil : "There is a purchase."
    },
    .init("store.pending", "Ask to Buy results in a pending purchase without access.", results) { trial in
      try await trial.turn(.sheet(.askToBuy))
      let result = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable)))
      guard result == .pending else { return "The result is \(result)." }
      return try await trial.listed().isEmpty ? nil : "It is listed before the approval."
    },
    .init("store.unverified", "A wrong signature is reported as unverified.", "StoreKit: VerificationResult.unverified") { trial in
      try await trial.turn(.sheet(.wrongSignature))
      guard case .success(let signed) = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable))) else {
        return "No transaction was returned."
      }
      return signed.isVerified ? "The wrong signature counts as verified." : nil
    },
    .init("store.interrupted", "An interrupted purchase does not succeed.", "Apple: Testing an interrupted purchase") {
      trial in
      try await trial.turn(.sheet(.interrupted))
      if case .success = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable))) { return "The purchase succeeded." }
      return try await trial.unfinished().isEmpty ? nil : "There is a purchase."
    },
    .init("store.payment-fails", "A purchase whose payment fails results in an error and no access.", "StoreKit: Product.PurchaseError") {
      trial in
      try await trial.turn(.payment(works: false))
      do {
        let result = try await trial.store.purchase(PurchaseRequest(trial.product(.nonConsumable)))
        return "The result is \(result)."
      } catch is StoreError { return try await trial.unfinished().isEmpty ? nil : "There is a purchase." }
    },
    .init("store.again", "Buying a non-consumable again returns the same purchase.", "Apple: In-App Purchase, non-consumables") { trial in
      let first = try await trial.buy(.nonConsumable)
      return try await trial.buy(.nonConsumable).originalID == first.originalID ? nil : "There are two purchases."
    },
    .init("store.consumables", "Each purchase of a consumable is a new transaction.", "Apple: In-App Purchase, consumables") { trial in
      let first = try await trial.buy(.consumable)
      return try await trial.buy(.consumable).id == first.id ? "Two purchases have the same transaction." : nil
    },
    .init("store.quantity", "A transaction has the quantity.", "StoreKit: Product.PurchaseOption.quantity(_:)") { trial in
      let bought = try await trial.buy(.consumable, quantity: 3)
      return bought.quantity == 3 ? nil : "The quantity is \(bought.quantity)."
    },
    .init("store.account", "A transaction has the app's account.", "StoreKit: PurchaseOption.appAccountToken(_:)") {
      trial in
      let bought = try await trial.buy(.nonConsumable, account: "account-1")
      return bought.account == "account-1" ? nil : "The account is \(bought.account ?? "nothing")."
    },
    .init("store.unfinished", "An unfinished transaction is delivered again.", "StoreKit: Transaction.unfinished") { trial in
      let bought = try await trial.buy(.nonConsumable)
      return try await trial.unfinished().contains { $0.id == bought.id } ? nil : "It is not among the unfinished transactions."
    },
    .init(
      "store.finish", "A finished transaction is not delivered again, and finishing twice is harmless.", "StoreKit: Transaction.finish()"
    ) {
      trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.store.finish(bought.id)
      try await trial.store.finish(bought.id)
      return try await trial.unfinished().contains { $0.id == bought.id } ? "It is still unfinished." : nil
    },
    .init("store.finish-unknown", "Finishing an unknown transaction is harmless.", "StoreBackend: finish") { trial in
      try await trial.store.finish("no-such-transaction")
      return nil
    },
    .init("store.introductory-once", "A customer gets an introductory offer only once.", "Apple: Implementing introductory offers") {
      trial in
      let plan = try trial.product(.plan)
      guard try await trial.store.products(for: [plan]).first?.introductoryOffer != nil else {
        return "A new customer does not get the offer."
      }
      guard try await trial.buy(.plan).offer?.type == .introductory else { return "The offer was not applied." }
      return try await trial.store.products(for: [plan]).first?.introductoryOffer == nil ? nil : "The offer is available again."
    },
  ]
}
