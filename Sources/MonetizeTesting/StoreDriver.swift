// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// Controls a store, so that ``StoreBackendKit`` can check how the store reacts to events.
///
/// A driver may support only some events. Behaviours that need the others are reported as not checked, and never as passed. A driver for
/// StoreKit could use `SKTestSession`.
///
/// ```swift
/// struct MyDriver: StoreDriver {
///   func newCustomer() async throws -> StoreSeat { StoreSeat(store: try MyStore.empty(), customer: "c", device: "d") }
///   func product(_ role: StoreRole) -> ProductID? { role == .nonConsumable ? "pack" : nil }
/// }
/// let report = await StoreBackendKit(driver: MyDriver()).run()
/// ```
public protocol StoreDriver: Sendable {
  /// A device of a new customer who owns nothing; a different customer at each call.
  func newCustomer() async throws -> StoreSeat
  /// The product for a role; `nil` when the store sells none.
  func product(_ role: StoreRole) -> ProductID?
  /// Another device of the same customer; `nil` when that is not possible.
  func anotherDevice(of seat: StoreSeat) async throws -> StoreSeat?
  /// A device of a new member of the customer's family; `nil` when that is not possible.
  func familyMember(of seat: StoreSeat) async throws -> StoreSeat?
  /// Performs an event, and returns after devices were notified. Returns `false` when this driver cannot.
  func turn(_ wheel: StoreWheel, at seat: StoreSeat) async throws -> Bool
  /// Whether the store may answer from the device's cache, as StoreKit does. Its answers then have no date, and some do not need a network.
  /// Default: `false`.
  var answersFromCache: Bool { get }
}

extension StoreDriver {
  /// `nil`.
  public func anotherDevice(of seat: StoreSeat) async throws -> StoreSeat? { nil }
  /// `nil`.
  public func familyMember(of seat: StoreSeat) async throws -> StoreSeat? { nil }
  /// `false`.
  public var answersFromCache: Bool { false }
  /// `false`.
  public func turn(_ wheel: StoreWheel, at seat: StoreSeat) async throws -> Bool { false }
}

/// A customer at a device, where a behaviour is checked.
public struct StoreSeat: Sendable {
  /// The store as it appears on this device.
  public let store: any StoreBackend
  /// The driver's name for the customer.
  public let customer: String
  /// The driver's name for the device.
  public let device: String

  /// Makes a seat.
  public init(store: any StoreBackend, customer: String, device: String) {
    self.store = store
    self.customer = customer
    self.device = device
  }
}

/// The role of a product in the checks.
public enum StoreRole: String, Sendable, Hashable, CaseIterable {
  /// A non-consumable that a family may share.
  case nonConsumable
  /// A consumable.
  case consumable
  /// A pass: access for a time that the app determines, without renewal.
  case nonRenewing
  /// A plan in the middle of its group, with an introductory offer.
  case plan
  /// A plan of a higher level in the same group.
  case higherPlan
  /// A plan of a lower level in the same group.
  case lowerPlan
}

/// An event at a store.
public enum StoreWheel: Sendable, Hashable {
  /// The person's action in the next purchase sheet.
  public enum Sheet: String, Sendable, Hashable, CaseIterable {
    /// Cancels.
    case cancel
    /// Asks a parent for approval.
    case askToBuy
    /// Has to leave the sheet, for the bank or for new terms.
    case interrupted
    /// Pays, and the transaction has a wrong signature.
    case wrongSignature
  }
  /// The action in the next purchase sheet.
  case sheet(Sheet)
  /// A parent approves.
  case approve(ProductID)
  /// A parent declines.
  case decline(ProductID)
  /// The latest purchase is refunded.
  case refund(ProductID)
  /// The refund is reversed.
  case reverseRefund(ProductID)
  /// Time passes until the current period has just ended and the store has processed that.
  case endOfPeriod(ProductID)
  /// Time passes until a grace period has just ended.
  case endOfGrace(ProductID)
  /// The customer turns renewal on or off.
  case autoRenew(ProductID, isOn: Bool)
  /// The customer's payment method works or fails.
  case payment(works: Bool)
  /// The device can reach the store, or cannot.
  case network(isOnline: Bool)
  /// A member of the customer's family leaves.
  case familyLeaves(customer: String)
}
