// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
public import MonetizeSimulator

/// A customer with one device, one app and a store, for tests of apps.
public struct Stage: Sendable {
  /// The app's catalog.
  public let catalog: Catalog
  /// The store, with the clock.
  public let store: SimulatedStore
  /// The customer's device.
  public let device: SimulatedDevice
  /// The app.
  public let monetizer: Monetizer

  /// The start of every stage.
  public static let start = Date(timeIntervalSince1970: 1_772_366_400)  // 2026-03-01T12:00:00Z

  /// Installs an app on a customer's device, with its own store unless one is given.
  public init(
    _ catalog: Catalog, store: SimulatedStore? = nil, device: DeviceID = "phone", storage: any StateStorage = .memory,
    start: Date = Stage.start,
    gateOpens: Bool = true
  ) {
    let store = store ?? SimulatedStore(catalog: catalog, start: start)
    let phone = store.device(device, customer: "ann")
    self.catalog = catalog
    self.store = store
    self.device = phone
    monetizer = Monetizer(catalog: catalog) { configuration in
      configuration.store = phone
      configuration.storage = storage
      configuration.time = phone.time
      configuration.zone = { Calendar.storeCalendar.timeZone }
      configuration.parentalGate = Gate(opens: gateOpens)
      configuration.source = SourceID(device.rawValue)
      configuration.startsByItself = false
    }
  }

  /// Buys a product, through the gate.
  @discardableResult
  public func buy(_ product: ProductID, _ sheet: Sheet = .confirm) async throws -> PurchaseOutcome {
    device.nextSheet = sheet
    return try await monetizer.purchase(product, pass: monetizer.passParentalGate())
  }

  /// The JSON of an app's catalog, with replacements that must occur in it.
  public static func json(_ app: String, _ changes: (old: String, new: String)...) throws -> Data {
    var text = try String(contentsOf: products.appendingPathComponent("\(app).json"), encoding: .utf8)
    for (old, new) in changes {
      guard text.contains(old) else { throw ChangeMissed(text: old) }
      text = text.replacingOccurrences(of: old, with: new)
    }
    return Data(text.utf8)
  }

  /// The error for a replacement that does not occur.
  public struct ChangeMissed: Error {
    /// The missing text.
    public let text: String
  }

  /// The repository.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let products = root.appendingPathComponent("Products")
}

/// A parental gate with a fixed result.
private struct Gate: ParentalGate {
  let opens: Bool
  func challenge() async -> Bool { opens }
}

extension Stage {
  /// Brings a product into a state through the store, as a customer would; `nil` for an impossible state.
  public static func at(_ state: ProductState, of product: ProductID?, in catalog: Catalog) async throws -> Stage? {
    let stage = Stage(catalog)
    if state == .unknown { return stage }
    await stage.monetizer.start()
    if state == .never { return stage }
    guard let product, let definition = catalog.product(product) else { return nil }
    if state == .pending {
      try await stage.buy(product, .askToBuy)
      return stage
    }
    guard try await stage.subscribe(to: definition, until: state) else { return nil }
    return stage
  }

  private func subscribe(to product: CatalogProduct, until state: ProductState) async throws -> Bool {
    try await buy(product.id)
    if state == .revoked {
      try await store.refund(product.id, customer: "ann")
      return true
    }
    guard let terms = product.subscription else { return state == .active }
    let hasTrial = terms.introductoryOffer?.mode == .freeTrial
    if state == .trial { return hasTrial }
    if hasTrial, let end = terms.introductoryOffer?.period { await store.advance(by: end) }
    if state == .active { return true }
    try store.setGracePeriod(Period(days: 16))
    await store.setPayment(.fails, customer: "ann")
    guard let renewal = store.nextRenewal(of: "ann") else { return false }
    await store.advance(to: renewal)
    if state == .grace { return true }
    await store.advance(by: Period(days: 16))
    if state == .billingRetry { return true }
    await store.advance(by: Period(days: 60))
    return state == .expired
  }
}
