// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTesting

/// Controls every aspect of a simulated store.
final class SimulatedDriver: StoreDriver {
  let store = Shop.store()
  private let quirks: [StoreQuirk]
  private let wrap: @Sendable (SimulatedDevice) -> any StoreBackend
  private let made = Locked(0)

  /// - Parameter wrap: Makes the store that is checked.
  init(quirks: [StoreQuirk] = [], wrap: @escaping @Sendable (SimulatedDevice) -> any StoreBackend = { $0 }) throws {
    (self.quirks, self.wrap) = (quirks, wrap)
    try store.setGracePeriod(Period(days: 16))
    let introductory = SubscriptionOffer(
      type: .introductory, mode: .payAsYouGo, period: Period(months: 1), periods: 1, price: Shop.usd("1.00"))
    for product in [
      Shop.plan("plan", "P1M", "10.00", level: 2, group: "kit", offers: [introductory]),
      Shop.plan("higher", "P1M", "20.00", level: 1, group: "kit"), Shop.plan("lower", "P1M", "5.00", level: 3, group: "kit"),
    ] { store.setProduct(product) }
    for quirk in quirks { try store.setQuirk(quirk) }
  }

  private func number() -> Int {
    made.withLock { made in
      made += 1
      return made
    }
  }

  private func seat(_ customer: String) -> StoreSeat {
    let device = "device\(number())"
    return StoreSeat(store: wrap(store.device(DeviceID(device), customer: CustomerID(customer))), customer: customer, device: device)
  }

  func newCustomer() async throws -> StoreSeat { seat("customer\(number())") }
  func anotherDevice(of seat: StoreSeat) async throws -> StoreSeat? { self.seat(seat.customer) }
  func familyMember(of seat: StoreSeat) async throws -> StoreSeat? {
    let member = self.seat("customer\(number())")
    try await store.joinFamily(CustomerID(member.customer), of: CustomerID(seat.customer))
    return member
  }

  func product(_ role: StoreRole) -> ProductID? {
    switch role {
    case .nonConsumable: "pack"
    case .consumable: "coins"
    case .nonRenewing: "season"
    case .plan: "plan"
    case .higherPlan: "higher"
    case .lowerPlan: "lower"
    }
  }

  func turn(_ wheel: StoreWheel, at seat: StoreSeat) async throws -> Bool {
    let (customer, device) = (CustomerID(seat.customer), store.device(DeviceID(seat.device)))
    switch wheel {
    case .sheet(.cancel): device.nextSheet = .cancel
    case .sheet(.askToBuy): device.nextSheet = .askToBuy
    case .sheet(.interrupted): device.nextSheet = .interrupted
    case .sheet(.wrongSignature): device.nextSheet = .unverified
    case .approve(let product): try await store.approve(product, customer: customer)
    case .decline(let product): try await store.decline(product, customer: customer)
    case .refund(let product): try await store.refund(product, customer: customer)
    case .reverseRefund(let product): try await store.reverseRefund(product, customer: customer)
    case .autoRenew(let product, let isOn): try await store.setAutoRenew(isOn, product: product, customer: customer)
    case .payment(let works): await store.setPayment(works ? .works : .fails, customer: customer)
    case .network(let isOnline): try await store.setNetwork(isOnline ? .online : .offline, device: device.id)
    case .familyLeaves(let member): try await store.leaveFamily(CustomerID(member))
    case .endOfPeriod:
      // To the exact time: quirks act just after a renewal.
      guard let end = store.subscriptions(of: customer).compactMap(\.expires).max() else { return false }
      await store.advance(to: end)
    case .endOfGrace:
      // After the time at which a quirk ends.
      await store.advance(by: store.settings.renewalDelay)
      guard let end = store.subscriptions(of: customer).compactMap(\.graceUntil).max() else { return false }
      await store.advance(to: end)
    }
    return true
  }
}
