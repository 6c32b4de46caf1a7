// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Questions and uses by a feature that the compiler knows: only what its shape allows compiles.
extension MemberAccess {
  /// Whether the member may use a feature now.
  public func allows(_ feature: some NamedFeature) -> Bool { allows(feature.id) }

  /// The whole answer for a feature.
  public func decision(for feature: some NamedFeature) -> Decision { decision(for: feature.id) }

  /// Uses a counted feature; see ``spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed; nothing was counted then.
  @discardableResult
  public func spend(_ feature: CountedFeature, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision {
    try await spend(feature.id, count: count, key: key)
  }

  /// Uses some seconds of a feature; see ``spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed; nothing was counted then.
  @discardableResult
  public func spend(_ feature: TimedFeature, seconds: Int, key: String? = nil) async throws(AccessDenied) -> Decision {
    try await spend(feature.id, count: seconds, key: key)
  }

  /// Does some work that uses a counted feature; see ``withSpending(_:item:count:key:_:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed, before the body runs; else what the body throws.
  public func withSpending<Result>(
    _ feature: CountedFeature, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await withSpending(feature.id, count: count, key: key, body)
  }

  /// The level that is granted; `nil` for none, and for one that the enum does not know.
  public func level<Level>(of feature: LevelFeature<Level>) -> Level? { decision(for: feature.id).level.flatMap(Level.init) }

  /// From when on things are shown; `nil` when all are, and when none are (ask ``allows(_:)-(NamedFeature)``).
  public func cutoff(of feature: WindowFeature) -> Date? { decision(for: feature.id).cutoff }

  /// Buys an item for coins; see ``buy(_:of:)-(ItemPath,FeatureID)``.
  /// - Throws: ``AccessDenied`` when there are too few, or the item may not be bought now.
  @discardableResult
  public func buy(_ item: ItemPath, of feature: CoinFeature) async throws(AccessDenied) -> Int { try await buy(item, of: feature.id) }
}

extension Monetizer {
  private var customer: MemberAccess { self.as(.customer) }

  /// Whether the customer may use a feature now.
  public func allows(_ feature: some NamedFeature) -> Bool { allows(feature.id) }

  /// The whole answer for a feature.
  public func decision(for feature: some NamedFeature) -> Decision { decision(for: feature.id) }

  /// Uses a counted feature; see ``MemberAccess/spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed; nothing was counted then.
  @discardableResult
  public func spend(_ feature: CountedFeature, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision {
    try await customer.spend(feature, count: count, key: key)
  }

  /// Uses some seconds of a feature; see ``MemberAccess/spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed; nothing was counted then.
  @discardableResult
  public func spend(_ feature: TimedFeature, seconds: Int, key: String? = nil) async throws(AccessDenied) -> Decision {
    try await customer.spend(feature, seconds: seconds, key: key)
  }

  /// Does some work that uses a counted feature; see ``MemberAccess/withSpending(_:item:count:key:_:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed, before the body runs; else what the body throws.
  public func withSpending<Result>(
    _ feature: CountedFeature, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await customer.withSpending(feature, count: count, key: key, body)
  }

  /// The level that is granted; `nil` for none, and for one that the enum does not know.
  public func level<Level>(of feature: LevelFeature<Level>) -> Level? { customer.level(of: feature) }

  /// From when on things are shown; `nil` when all are, and when none are.
  public func cutoff(of feature: WindowFeature) -> Date? { customer.cutoff(of: feature) }
}
