// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Foundation
  import Monetize
  import StoreKit
  #if canImport(UIKit)
    import UIKit
  #endif

  /// Every call of StoreKit that has an effect or waits. Makes no decisions, so that the rest can be tested with values.
  ///
  /// In a cancelled task StoreKit returns nothing and no error. Its callers check for that.
  enum Gateway {
    typealias Verified = VerificationResult<StoreKit.Transaction>

    static func products(_ ids: [ProductID]) async throws -> [Product] { try await Product.products(for: ids.map(\.rawValue)) }

    /// Buys, in a scene or from a view controller if the system supports it. visionOS needs a place; without one, uses the scene in front.
    @MainActor
    static func purchase(_ product: Product, _ options: Set<Product.PurchaseOption>, in place: StoreObject?) async throws
      -> Product.PurchaseResult
    {
      #if os(iOS) || os(tvOS) || os(visionOS) || STAND_INS
        if #available(iOS 18.2, tvOS 18.2, visionOS 2.2, *), let controller = place?.value as? UIViewController {
          return try await product.purchase(confirmIn: controller, options: options)
        }
        if #available(iOS 17.0, tvOS 17.0, visionOS 1.0, *), let scene = place?.value as? UIScene {
          return try await product.purchase(confirmIn: scene, options: options)
        }
      #endif
      #if os(visionOS)
        guard let scene = sceneInFront else { throw StoreError(.unsupported) }
        return try await product.purchase(confirmIn: scene, options: options)
      #else
        return try await product.purchase(options: options)
      #endif
    }

    #if os(visionOS)
      // Xcode builds packages so that app extensions can use them, and code for extensions may not refer to `UIApplication.shared`.
      @MainActor private static var sceneInFront: UIScene? {
        let scenes = (UIApplication.value(forKey: "sharedApplication") as? UIApplication)?.connectedScenes ?? []
        return scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
      }
    #endif

    static func entitlements() async -> [Verified] { await all(StoreKit.Transaction.currentEntitlements) }
    static func history() async -> [Verified] { await all(StoreKit.Transaction.all) }
    static func unfinished() async -> [Verified] { await all(StoreKit.Transaction.unfinished) }

    private static func all(_ transactions: StoreKit.Transaction.Transactions) async -> [Verified] {
      var found: [Verified] = []
      for await transaction in transactions { found.append(transaction) }
      return found
    }

    static func statuses(of group: String) async throws -> [Product.SubscriptionInfo.Status] {
      try await Product.SubscriptionInfo.status(for: group)
    }

    static func isEligibleForIntroOffer(in group: String) async -> Bool {
      await Product.SubscriptionInfo.isEligibleForIntroOffer(for: group)
    }

    static func finish(_ transaction: StoreKit.Transaction) async { await transaction.finish() }

    /// May show a sign-in prompt, so call it only for a tap.
    static func synchronize() async throws { try await AppStore.sync() }

    static func country() async -> StoreCountry? { await Storefront.current.map(StoreCountry.init) }

    /// `nil` below iOS 16.
    static func appTransaction() async throws -> (isVerified: Bool, AppTransactionRecord)? {
      guard #available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *) else { return nil }
      let result = try await AppTransaction.shared
      let app = result.unsafePayloadValue
      let record = AppTransactionRecord(
        appID: app.bundleID, environment: StoreEnvironment(storeKit: app.environment.rawValue) ?? .production,
        originalPurchaseDate: app.originalPurchaseDate, originalAppVersion: app.originalAppVersion, jws: result.jwsRepresentation)
      if case .verified = result { return (true, record) }
      return (false, record)
    }

    /// Shows a sheet. Returns `false` when the person cancelled, and `nil` when the system has no such sheet.
    @MainActor
    static func show(_ sheet: StoreSheet, in place: StoreObject?) async throws -> Bool? {
      #if os(iOS) || os(visionOS) || STAND_INS
        guard let scene = place?.value as? UIWindowScene else { return nil }
        switch sheet {
        case .subscriptions: try await AppStore.showManageSubscriptions(in: scene)
        case .refund(let id):
          guard let id = UInt64(id.rawValue) else { throw StoreError(.productUnavailable) }
          do {
            return try await StoreKit.Transaction.beginRefundRequest(for: id, in: scene) == .success
          } catch StoreKit.Transaction.RefundRequestError.duplicateRequest {
            throw StoreError(.alreadyRequested)
          }
        case .code:
          guard #available(iOS 16.0, visionOS 1.0, *) else { return nil }
          try await AppStore.presentOfferCodeRedeemSheet(in: scene)
        }
        return true
      #else
        return nil
      #endif
    }
  }
#endif
