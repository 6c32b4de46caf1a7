// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// When and how a customer first got the app itself, as signed by the store. StoreKit: `AppTransaction`.
///
/// For an app that changes its business model and honours existing customers: once paid and now free with purchases, or once free and now
/// with a plan. Contains nothing about purchases, gives no access, and is not a fact of ``CustomerState``. An app can record a
/// complimentary grant because of it.
public struct AppTransactionRecord: Sendable, Hashable {
  /// The app's bundle id, or the store's equivalent.
  public var appID: String
  /// The environment. Check it first: in the sandbox every customer has version `1.0` from 2013-08-01, like an old customer.
  public var environment: StoreEnvironment
  /// When the customer first got the app. Reinstalling does not change it.
  public var originalPurchaseDate: Date
  /// The version that the customer got first: `CFBundleVersion` (the build) on iOS and its relatives, `CFBundleShortVersionString` on
  /// macOS. For an app on both, compare the date instead.
  public var originalAppVersion: String
  /// The signed data of the store; `nil` when the store does not provide it. StoreKit: a JWS.
  public var jws: String?

  /// Makes a record. A store may make one only from verified data.
  public init(
    appID: String, environment: StoreEnvironment = .production, originalPurchaseDate: Date, originalAppVersion: String, jws: String? = nil
  ) {
    self.appID = appID
    self.environment = environment
    self.originalPurchaseDate = originalPurchaseDate
    self.originalAppVersion = originalAppVersion
    self.jws = jws
  }
}
