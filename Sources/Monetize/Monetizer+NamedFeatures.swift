// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Questions and uses with features as Swift types. Only operations that fit the feature's shape compile.
extension AccessControl {
  /// Whether the member may use a feature now.
  public func allows(_ feature: NamedFeature<some Any>) -> Bool { allows(feature.id) }

  /// The decision for a feature.
  public func decision(for feature: NamedFeature<some Any>) -> Decision { decision(for: feature.id) }

  /// Uses a counted feature; see ``spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when the use is not allowed. Nothing is counted then.
  @discardableResult
  public func spend(_ feature: CountedFeature, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision {
    try await spend(feature.id, count: count, key: key)
  }

  /// Uses some seconds of a feature; see ``spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when the use is not allowed. Nothing is counted then.
  @discardableResult
  public func spend(_ feature: TimedFeature, seconds: Int, key: String? = nil) async throws(AccessDenied) -> Decision {
    try await spend(feature.id, count: seconds, key: key)
  }

  /// Runs work that uses a counted feature; see ``withSpending(_:item:count:key:_:)``.
  /// - Throws: ``AccessDenied`` before the body runs, when the use is not allowed; otherwise the error of the body.
  public func withSpending<Result>(
    _ feature: CountedFeature, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await withSpending(feature.id, count: count, key: key, body)
  }

  /// The granted level; `nil` for none, and for one that the enum does not have.
  public func level<Level>(of feature: LevelFeature<Level>) -> Level? { decision(for: feature.id).level.flatMap(Level.init) }

  /// The start of the visible history; `nil` when all of it is visible, and when none is (check `allows`).
  public func cutoff(of feature: WindowFeature) -> Date? { decision(for: feature.id).cutoff }
}

extension MemberAccess {
  /// Buys an item with coins; see ``buy(_:of:)-(ItemPath,FeatureID)``.
  /// - Throws: ``AccessDenied`` when the balance is too low, or the item may not be bought now.
  @discardableResult
  public func buy(_ item: ItemPath, of feature: CoinFeature) async throws(AccessDenied) -> Int { try await buy(item, of: feature.id) }
}
