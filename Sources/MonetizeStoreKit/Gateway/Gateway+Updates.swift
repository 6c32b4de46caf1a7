// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Monetize
  import StoreKit
  #if canImport(UIKit)
    import UIKit
  #endif

  /// The updates that StoreKit sends by itself.
  extension Gateway {
    static func transactions(_ body: @escaping @Sendable (Verified) async -> Void) -> Task<Void, Never> {
      follow(StoreKit.Transaction.updates, body)
    }

    static func statuses(_ body: @escaping @Sendable (Product.SubscriptionInfo.Status) async -> Void) -> Task<Void, Never> {
      follow(Product.SubscriptionInfo.Status.updates, body)
    }

    static func countries(_ body: @escaping @Sendable (StoreCountry) async -> Void) -> Task<Void, Never> {
      follow(Storefront.updates) { await body(StoreCountry($0)) }
    }

    /// Purchases that begin on the App Store, such as promoted ones; `nil` below iOS 16.4.
    static func intents(_ body: @escaping @Sendable (Product, _ offerID: String?) async -> Void) -> Task<Void, Never>? {
      #if os(iOS) || os(macOS) || STAND_INS
        guard #available(iOS 16.4, macOS 14.4, *) else { return nil }
        return follow(PurchaseIntent.intents) { intent in
          if #available(iOS 18.0, macOS 15.0, *) { return await body(intent.product, intent.offer?.id) }
          await body(intent.product, nil)
        }
      #else
        return nil
      #endif
    }

    /// Messages of the App Store; `nil` below iOS 16. Receiving them means showing them, because the system no longer does.
    static func messages(_ place: @escaping @Sendable (StoreMessage) async -> StoreObject?) -> Task<Void, Never>? {
      #if os(iOS) || os(visionOS) || STAND_INS
        guard #available(iOS 16.0, visionOS 1.0, *) else { return nil }
        return follow(Message.messages) { message in
          guard let scene = await place(StoreMessage(message.reason))?.value as? UIWindowScene else { return }
          try? await display(message, in: scene)
        }
      #else
        return nil
      #endif
    }

    #if os(iOS) || os(visionOS) || STAND_INS
      @available(iOS 16.0, visionOS 1.0, *)
      @MainActor
      private static func display(_ message: Message, in scene: UIWindowScene) throws { try message.display(in: scene) }
    #endif

    /// Reads a sequence to its end, or until the task is cancelled. Subscribes before it returns, so that no later update is missed.
    private static func follow<Updates: AsyncSequence>(
      _ updates: sending Updates, _ body: @escaping @Sendable (Updates.Element) async -> Void
    ) -> Task<Void, Never> where Updates.Element: Sendable, Updates.AsyncIterator: SendableMetatype {
      let iterator = updates.makeAsyncIterator()
      return Task {
        var iterator = iterator
        while let update = try? await iterator.next() { await body(update) }
      }
    }
  }
#endif
