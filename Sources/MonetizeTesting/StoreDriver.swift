// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// Turns a store's own wheels, so that ``StoreBackendKit`` can see what a store does when things happen to it.
///
/// A driver need not turn all of them: what it cannot turn is reported as not checked, and never as passed. A driver for StoreKit would be
/// written over `SKTestSession`.
///
/// ```swift
/// struct MyDriver: StoreDriver {
///   func newCustomer() async throws -> StoreSeat { StoreSeat(store: try MyStore.empty(), customer: "c", device: "d") }
///   func product(_ role: StoreRole) -> ProductID? { role == .nonConsumable ? "pack" : nil }
/// }
/// let report = await StoreBackendKit(driver: MyDriver()).run()
/// ```
public protocol StoreDriver: Sendable {
  /// A device of somebody who owns nothing and whom nobody knows; another one each time.
  func newCustomer() async throws -> StoreSeat
  /// The product that plays a part; `nil` when the store sells none.
  func product(_ role: StoreRole) -> ProductID?
  /// Another device of the same customer; `nil` when there can be none.
  func anotherDevice(of seat: StoreSeat) async throws -> StoreSeat?
  /// A device of somebody who joins the customer's family now; `nil` when there can be none.
  func familyMember(of seat: StoreSeat) async throws -> StoreSeat?
  /// Makes something happen, and returns when devices have been told; `false` when this driver cannot.
  func turn(_ wheel: StoreWheel, at seat: StoreSeat) async throws -> Bool
}

extension StoreDriver {
  /// Most drivers have one device.
  public func anotherDevice(of seat: StoreSeat) async throws -> StoreSeat? { nil }
  /// Most drivers have no families.
  public func familyMember(of seat: StoreSeat) async throws -> StoreSeat? { nil }
  /// A driver without wheels.
  public func turn(_ wheel: StoreWheel, at seat: StoreSeat) async throws -> Bool { false }
}

/// Somebody at a device: where a behaviour is checked.
public struct StoreSeat: Sendable {
  /// The store, as this device sees it.
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

/// A part that a product plays in the checks.
public enum StoreRole: String, Sendable, Hashable, CaseIterable {
  /// Bought once, and a family may share it.
  case nonConsumable
  /// Used up.
  case consumable
  /// For a time that the app knows, without renewal.
  case nonRenewing
  /// A plan in the middle of its group, with an introductory offer.
  case plan
  /// A plan of a higher level in the same group.
  case higherPlan
  /// A plan of a lower level in the same group.
  case lowerPlan
}

/// Something that can happen at a store.
public enum StoreWheel: Sendable, Hashable {
  /// What a person does with the sheet of the next purchase.
  public enum Sheet: String, Sendable, Hashable, CaseIterable {
    /// Closes it.
    case cancel
    /// Asks a parent.
    case askToBuy
    /// Has to leave it, for the bank or for new terms.
    case interrupted
    /// Pays, and what comes back has a wrong signature.
    case wrongSignature
  }
  /// What happens with the sheet of the next purchase.
  case sheet(Sheet)
  /// A parent says yes.
  case approve(ProductID)
  /// A parent says no.
  case decline(ProductID)
  /// The latest purchase is given back.
  case refund(ProductID)
  /// The refund is taken back.
  case reverseRefund(ProductID)
  /// Time passes until the running period is just over and what the store does then is done.
  case endOfPeriod(ProductID)
  /// Time passes until a grace period is just over.
  case endOfGrace(ProductID)
  /// The customer turns renewal on or off.
  case autoRenew(ProductID, isOn: Bool)
  /// The customer's payment method works or fails.
  case payment(works: Bool)
  /// The device reaches the store, or does not.
  case network(isOnline: Bool)
  /// The customer's family member leaves.
  case familyLeaves(customer: String)
}
