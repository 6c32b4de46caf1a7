// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// When and how a customer first got the app itself, as the store signed it. StoreKit: `AppTransaction`.
///
/// For an app that changes its model and honours who had it before: paid once and now free with purchases, or free and now with a plan.
/// It says nothing about purchases, opens nothing by itself, and is no fact of ``CustomerState``; what the app makes of it is, such as a
/// gift.
public struct AppTransactionRecord: Sendable, Hashable {
  /// The app's bundle id, or what else the store calls it.
  public var appID: String
  /// The world that it is from. Ask it first: in the App Store's sandbox everybody got version `1.0` on 2013-08-01, so that all testers
  /// look like old customers.
  public var environment: StoreEnvironment
  /// When the customer first got the app; deleting and installing again does not change it.
  public var originalPurchaseDate: Date
  /// The version that they got then. On iOS and its relatives `CFBundleVersion`, the build; on macOS `CFBundleShortVersionString`; so that
  /// the date is the better question for an app on both.
  public var originalAppVersion: String

  /// Makes a record. Only one whose signature was right may be made from a store's word.
  public init(appID: String, environment: StoreEnvironment = .production, originalPurchaseDate: Date, originalAppVersion: String) {
    self.appID = appID
    self.environment = environment
    self.originalPurchaseDate = originalPurchaseDate
    self.originalAppVersion = originalAppVersion
  }
}
