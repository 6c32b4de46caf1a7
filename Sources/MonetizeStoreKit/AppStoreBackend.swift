// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Foundation
  public import Monetize
  import StoreKit

  /// The App Store, through StoreKit 2.
  ///
  /// ```swift
  /// let monetizer = Monetizer(catalog: catalog) { $0.store = .appStore; $0.storage = .file(stateURL) }
  /// ```
  ///
  /// Keeps nothing on disk. One backend serves one monetizer, from the launch of the app to its end. Below iOS 16.4, and on tvOS, watchOS
  /// and visionOS, purchases that begin on the App Store are not available. `Docs/ApplePlatforms.md` lists the limits of each system.
  public final class AppStoreBackend: StoreBackend {
    private struct State {
      /// The products as they were listed, so that the purchased product is the one that was shown.
      var products: [ProductID: Product] = [:]
      /// The accounts whose tokens were used in this process.
      var accounts: [UUID: String] = [:]
      /// The groups whose introductory offer is used up.
      var introduced: Set<String> = []
      /// The ids that were reported as missing.
      var missing: Set<ProductID> = []
    }

    private let state = Locked(State())
    private let onMissing: @Sendable ([ProductID]) -> Void
    private let messages: (@Sendable (StoreMessage) async -> StoreObject?)?

    /// Makes a backend.
    /// - Parameters:
    ///   - messages: Returns the scene in which a message of the App Store is shown, and may wait for a good moment; `nil` discards the
    ///     message. Without this function the system shows its messages by itself.
    ///   - onMissing: Called with the ids of products that the App Store does not sell here, once for each. Default: prints to standard
    ///     error in debug builds.
    public init(
      messages: (@Sendable (StoreMessage) async -> StoreObject?)? = nil,
      onMissing: @escaping @Sendable ([ProductID]) -> Void = MissingProducts.report
    ) {
      (self.messages, self.onMissing) = (messages, onMissing)
    }

    // MARK: Products

    /// The products in this storefront, with all offers and the customer's eligibility.
    public func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] {
      let found = try await load(ids)
      var products: [StoreProduct] = []
      for product in found { products.append(StoreProduct(product, eligibility: await eligibility(of: product))) }
      try checkCancellation()
      return products
    }

    private func load(_ ids: [ProductID]) async throws(StoreError) -> [Product] {
      let found = try await asked { try await Gateway.products(ids) }
      let known = Set(found.map { ProductID($0.id) })
      let missing = state.withLock { state in
        for product in found { state.products[ProductID(product.id)] = product }
        return ids.filter { !known.contains($0) && state.missing.insert($0).inserted }
      }
      if !missing.isEmpty { onMissing(missing) }
      return found
    }

    private func eligibility(of product: Product) async -> OfferEligibility {
      guard let subscription = product.subscription else { return OfferEligibility() }
      let group = subscription.subscriptionGroupID
      let isUsedUp = state.withLock { $0.introduced.contains(group) }
      var eligibility = OfferEligibility()
      if subscription.introductoryOffer != nil {
        eligibility.introductory = .introductory(
          isReportedEligible: await Gateway.isEligibleForIntroOffer(in: group), isUsedUp: isUsedUp,
          isSignedIn: await Gateway.country() != nil)
      }
      if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *), !subscription.winBackOffers.isEmpty {
        eligibility.winBack = (try? await Gateway.statuses(of: group)).map { statuses in
          statuses.compactMap { $0.renewalInfo.verified }.flatMap(\.eligibleWinBackOfferIDs)
        }
      }
      return eligibility
    }

    // MARK: Purchases

    /// Shows the purchase sheet. Passes the account as its `AppAccountToken`.
    public func purchase(_ request: PurchaseRequest) async throws(StoreError) -> Monetize.PurchaseResult {
      let known = state.withLock { $0.products[request.productID] }
      guard let product = if let known { known } else { try await load([request.productID]).first } else {
        throw StoreError(.productUnavailable)
      }
      if let account = request.account { state.withLock { $0.accounts[AppAccountToken(account).uuid] = account } }
      let options = try request.options(of: product)
      switch try await asked({ try await Gateway.purchase(product, options, in: request.place) }) {
      case .success(let result): return .success(signed(result))
      case .pending: return .pending
      case .userCancelled: return .userCancelled
      @unknown default: throw StoreError(.unknown)
      }
    }

    // MARK: The customer's purchases

    /// The current entitlements, and the status of each subscription group with a purchase. Also reads the history of purchases, the only
    /// source of the groups. O(number of all purchases).
    ///
    /// The answer has no date, because StoreKit may answer from the device's cache.
    public func read() async throws(StoreError) -> StoreAnswer {
      let listed = try await asked { await Gateway.entitlements() }
      let history = try await asked { await Gateway.history() }
      let groups = Set((listed + history).compactMap(\.unsafePayloadValue.subscriptionGroupID))
      var statuses: [Product.SubscriptionInfo.Status] = []
      for group in groups.sorted() { statuses += try await asked { try await Gateway.statuses(of: group) } }
      for transaction in history { note(transaction) }
      return StoreAnswer(listed: listed.map(signed), statuses: statuses)
    }

    /// Looks for one purchase in the history. An empty history without a storefront counts as no answer.
    public func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding {
      let history = try await asked { await Gateway.history() }
      if let found = history.last(where: { TransactionID($0.unsafePayloadValue.id) == transaction }).map(signed) {
        return found.transaction.revocation == nil ? .held(found) : .revoked(found)
      }
      if history.isEmpty, await Gateway.country() == nil { throw StoreError(.network) }
      return .gone
    }

    /// The transactions that are not finished yet.
    public func unfinished() async throws(StoreError) -> [SignedTransaction] {
      try await asked { await Gateway.unfinished() }.map(signed)
    }

    /// Finishes a transaction, after searching the unfinished ones.
    public func finish(_ transaction: TransactionID) async throws(StoreError) {
      let unfinished = try await asked { await Gateway.unfinished() }
      for found in unfinished where TransactionID(found.unsafePayloadValue.id) == transaction {
        await Gateway.finish(found.unsafePayloadValue)
      }
    }

    /// Finishes a known transaction.
    public func finish(_ signed: SignedTransaction) async throws(StoreError) {
      guard let transaction = signed.object?.value as? StoreKit.Transaction else { return try await finish(signed.transaction.id) }
      await Gateway.finish(transaction)
    }

    /// `AppStore.sync()`. Asks the person to sign in.
    public func synchronize() async throws(StoreError) { try await asked { try await Gateway.synchronize() } }

    // MARK: Others

    /// `AppTransaction.shared`; unsupported below iOS 16.
    public func appTransaction() async throws(StoreError) -> AppTransactionRecord {
      guard let (isVerified, record) = try await asked({ try await Gateway.appTransaction() }) else { throw StoreError(.unsupported) }
      guard isVerified else { throw StoreError(.unverified) }
      return record
    }

    /// `Storefront.current`.
    public func country() async throws(StoreError) -> StoreCountry {
      guard let country = try await asked({ await Gateway.country() }) else { throw StoreError(.network) }
      return country
    }

    /// Shows a sheet in a `UIWindowScene`. Unsupported on macOS, tvOS and watchOS, and for codes below iOS 16.
    public func show(_ sheet: StoreSheet, in place: StoreObject?) async throws(StoreError) {
      guard let isDone = try await asked({ try await Gateway.show(sheet, in: place) }) else { throw StoreError(.unsupported) }
      if !isDone { throw StoreError(.userCancelled) }
    }

    /// Listens to transactions, renewal statuses, purchases that begin on the App Store, and changes of the storefront.
    public func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening {
      let tasks = [
        Gateway.transactions { [self] in await deliver(.transaction(signed($0))) },
        Gateway.statuses { status in if let renewal = RenewalInfo(status) { await deliver(.renewal(renewal)) } },
        Gateway.countries { [self] country in
          state.withLock { $0.products = [:] }
          await deliver(.country(country))
        },
        Gateway.intents { [self] product, offerID in
          state.withLock { $0.products[ProductID(product.id)] = product }
          await deliver(.intent(PurchaseRequest(ProductID(product.id), offerID: offerID)))
        },
        messages.flatMap(Gateway.messages),
      ]
      return StoreListening { for task in tasks { task?.cancel() } }
    }

    // MARK: Helpers

    private func signed(_ result: Gateway.Verified) -> SignedTransaction {
      note(result)
      var signed = SignedTransaction(result)
      if let token = result.unsafePayloadValue.appAccountToken {
        signed.transaction.account = state.withLock { $0.accounts[token] } ?? token.uuidString
      }
      return signed
    }

    /// Remembers a used introductory offer, because StoreKit repeats its first answer for the life of the process.
    private func note(_ result: Gateway.Verified) {
      guard let transaction = result.verified, transaction.isIntroductory, let group = transaction.subscriptionGroupID else { return }
      state.withLock { _ = $0.introduced.insert(group) }
    }

    private func checkCancellation() throws(StoreError) { if Task.isCancelled { throw StoreError(.cancelled) } }

    /// Calls StoreKit. Rejects the result of a cancelled task.
    private func asked<Result>(_ body: () async throws -> Result) async throws(StoreError) -> Result {
      let result: Result
      do { result = try await body() } catch { throw StoreError(storeKit: error) }
      try checkCancellation()
      return result
    }
  }

  extension StoreBackend where Self == AppStoreBackend {
    /// The App Store, through StoreKit 2. A new backend at each call.
    public static var appStore: AppStoreBackend { AppStoreBackend() }
  }
#endif
