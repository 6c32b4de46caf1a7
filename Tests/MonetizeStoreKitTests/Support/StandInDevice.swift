// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import StoreKit

/// StoreKit on one simulated device: the answers of the simulated App Store in StoreKit's types.
final class StandInDevice: Sendable {
  let store = StandInStore()
  private let device: SimulatedDevice
  private let listening = Locked<StoreListening?>(nil)
  /// The last answer, for what StoreKit keeps on the device.
  private let kept = Locked(StoreAnswer(transactions: []))

  init(_ device: SimulatedDevice) {
    self.device = device
    var script = StandInStore.Script()
    script.products = { ids in
      do { return try await device.products(for: ids.map { ProductID($0) }).map { Self.product($0, of: device) } } catch {
        throw Self.error(error)
      }
    }
    script.purchase = { product, options, _ in
      do { return Self.result(try await device.purchase(Self.request(product, options)), of: device) } catch { throw Self.error(error) }
    }
    script.isEligible = { group in
      let plans = Shop.products.map(\.id) + ["plan", "higher", "lower"]
      let products = try? await device.products(for: plans)
      return products?.contains { device.store.group(of: $0.id) == group && $0.introductoryOffer != nil } ?? false
    }
    script.sync = { do { try await device.synchronize() } catch { throw Self.error(error) } }
    script.finish = { try? await device.finish(TransactionID(rawValue: "t\($0)")) }
    script.unfinished = { (try? await device.unfinished())?.map { Self.transaction($0, of: device) } ?? [] }
    script.history = {
      device.store.transactions(of: device.customer).filter { Self.isKept($0, device) }
        .map { .verified(Self.transaction($0, of: device)) }
    }
    script.appTransaction = {
      do { return .verified(Self.app(try await device.appTransaction())) } catch { throw Self.error(error) }
    }
    let kept = kept
    let answer: @Sendable () async -> StoreAnswer = {
      if let answer = try? await device.read() { kept.set(answer) }
      return kept.copy
    }
    script.entitlements = { await answer().transactions.map { Self.transaction($0, of: device) } }
    script.statuses = { group in
      await answer().renewals.filter { device.store.group(of: $0.productID) == group }.map { Self.status($0, of: device) }
    }
    store.script = script
  }

  /// Announces the store's updates from now on.
  func startListening() {
    let (store, device) = (store, device)
    listening.set(
      device.listen { update in
        switch update {
        case .transaction(let signed): await store.updates.send(Self.transaction(signed, of: device))
        case .renewal(let info): await store.statuses.send(Self.status(info, of: device))
        case .intent, .country: break
        }
      })
  }

  /// Announces nothing any more, as StoreKit without a listener.
  func stopListening() { listening.set(nil) }

  /// StoreKit keeps no consumables in the history.
  private static func isKept(_ transaction: StoreTransaction, _ device: SimulatedDevice) -> Bool {
    device.store.type(of: transaction.productID) != .consumable
  }
}

extension SimulatedStore {
  /// The subscription group of a product, by the products of the tests.
  func group(of product: ProductID) -> String? {
    ["plan", "higher", "lower"].contains(product.rawValue) ? "kit" : Shop.products.first { $0.id == product }?.terms?.group
  }

  func type(of product: ProductID) -> StoreProductType? {
    ["plan", "higher", "lower"].contains(product.rawValue) ? .autoRenewable : Shop.products.first { $0.id == product }?.type
  }
}
