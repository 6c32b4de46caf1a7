// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import MonetizeStoreKit
import MonetizeTesting
import StoreKit
import Testing

/// A file that imports StoreKit beside every module of Monetize may use the names of each without a prefix. A collision would not compile.
@Suite("StoreKit: names", .timeLimit(.minutes(30)))
struct NameTests {
  /// StoreKit's names at top level.
  private func apple(_ product: Product, _ transaction: Transaction, _ front: Storefront, _ message: Message, _ intent: PurchaseIntent)
    -> [Any.Type]
  {
    [
      Product.self, Transaction.self, Storefront.self, Message.self, PurchaseIntent.self, AppStore.self, AppTransaction.self,
      StoreKitError.self, VerificationResult<Transaction>.self,
    ]
  }

  /// The common names of Monetize.
  private func ours(_ monetizer: Monetizer, _ decision: Decision, _ snapshot: Snapshot, _ paywall: Paywall?) -> [Any.Type] {
    [
      StoreProduct.self, StoreTransaction.self, RenewalInfo.self, SubscriptionOffer.self, PurchaseRequest.self, PurchaseOutcome.self,
      PurchaseResult.self, StoreError.self, StoreCountry.self, StoreSheet.self, StoreObject.self, StoreUpdate.self, Catalog.self,
      Money.self,
      Period.self, PaywallScreen.self, SimulatedStore.self, StoreBackendKit.self, AppStoreBackend.self, StoreMessage.self,
    ]
  }

  @Test("Names of StoreKit and of every module of Monetize stand side by side") func names() throws {
    let counter = Counter()
    let monetizer = try counter.app()
    let decision = monetizer.decision(for: "export")
    let paywall = Monetizer.testing(monetizer.catalog).snapshot.paywall(at: .default)
    #expect(ours(monetizer, decision, monetizer.snapshot, paywall).count == 20)
    let product = Counter.products[0]
    let named = apple(
      product, Counter.transaction(1), Storefront(countryCode: "USA", id: "1"), Message(reason: .generic), PurchaseIntent(product: product))
    #expect(named.count == 9)
  }
}
