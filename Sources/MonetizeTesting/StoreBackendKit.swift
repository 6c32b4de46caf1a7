// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// Checks the requirements on every `StoreBackend`, behaviour by behaviour, each with a new customer.
///
/// ```swift
/// let report = await StoreBackendKit(driver: MyDriver()).run()
/// print(report)          // one line for each behaviour: its name, reason, source and result
/// ```
public struct StoreBackendKit: Sendable {
  private let driver: any StoreDriver
  private let subject: String

  /// Makes a kit for a store that a driver can control.
  public init(driver: any StoreDriver) {
    self.driver = driver
    subject = "Store of \(type(of: driver))"
  }

  /// Makes a kit for a store that cannot be controlled. Reports most behaviours as not checked.
  /// - Parameters:
  ///   - store: Makes a store for a new customer without purchases, at each call. Purchases must complete without a person: use a test
  ///     store, or a configuration file with dialogs turned off.
  ///   - product: A non-consumable that it sells.
  ///   - answersFromCache: Whether the store may answer from the device's cache, as StoreKit does.
  public init(
    nonConsumable product: ProductID, answersFromCache: Bool = false, _ store: @escaping @Sendable () async throws -> any StoreBackend
  ) {
    driver = PlainDriver(nonConsumable: product, answersFromCache: answersFromCache, make: store)
    subject = "Store without a driver"
  }

  /// The ids of all behaviours, in the order of the checks.
  public static var behaviours: [String] { StoreBehaviour.all.map(\.id) }

  /// Checks every behaviour.
  public func run() async -> KitReport {
    var report = KitReport(subject: subject)
    for behaviour in StoreBehaviour.all {
      var failure: String?
      var notChecked: String?
      do {
        failure = try await behaviour.check(StoreTrial(driver))
      } catch let error as NotChecked {
        notChecked = error.reason
      } catch {
        failure = "It threw: \(error)"
      }
      report.behaviours.append(
        .init(id: behaviour.id, reason: behaviour.reason, source: behaviour.source, failure: failure, notChecked: notChecked))
    }
    return report
  }
}

/// A driver with one product and no controls.
private struct PlainDriver: StoreDriver {
  let nonConsumable: ProductID
  let answersFromCache: Bool
  let make: @Sendable () async throws -> any StoreBackend

  func newCustomer() async throws -> StoreSeat { StoreSeat(store: try await make(), customer: "customer", device: "device") }
  func product(_ role: StoreRole) -> ProductID? { role == .nonConsumable ? nonConsumable : nil }
}
