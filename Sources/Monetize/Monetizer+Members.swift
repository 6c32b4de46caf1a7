// SPDX-License-Identifier: Apache-2.0

extension Monetizer {
  /// The same questions and uses for one member of a family, for a guest, or for somebody who only looks around.
  public func `as`(_ member: Member) -> MemberAccess { MemberAccess(monetizer: self, member: member) }
}

/// What one member may do. A value to pass around; it holds on to the monetizer.
public struct MemberAccess: Sendable {
  package let monetizer: Monetizer
  /// Who it is.
  public let member: Member

  /// All answers for this member at this moment.
  public var snapshot: Snapshot { monetizer.current(member).snapshot }

  /// Whether the member may use a feature now.
  public func allows(_ feature: FeatureID) -> Bool { snapshot.allows(feature) }

  /// The whole answer for a feature.
  public func decision(for feature: FeatureID) -> Decision { decision(for: AccessRequest(feature)) }

  /// The whole answer for one item of a collection.
  public func decision(for feature: FeatureID, item: ItemPath) -> Decision { decision(for: AccessRequest(feature, item: item)) }

  /// The whole answer to a question.
  public func decision(for request: AccessRequest) -> Decision {
    let snapshot = snapshot
    return snapshot.decision(for: request, at: max(snapshot.date, monetizer.now))
  }

  /// Does what a tap on something by this member does; see ``Monetizer/open(_:)``. A paywall sells to the customer, whoever has tapped.
  public func open(_ request: AccessRequest) async -> Monetizer.Opening { await monetizer.open(request, as: member) }

  /// Uses a feature; see ``Monetizer/spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed; nothing was counted then.
  @discardableResult
  public func spend(_ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision
  {
    try await monetizer.spend(AccessRequest(feature, item: item, count: count), by: member, key: key)
  }

  /// Does some work that uses a feature; see ``Monetizer/withSpending(_:item:count:key:_:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed, before the body runs; else what the body throws.
  public func withSpending<Result>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await monetizer.withSpending(AccessRequest(feature, item: item, count: count), by: member, key: key, body)
  }

  /// Remembers that an item, or a part of one, was completed by this member.
  public func complete(_ item: ItemPath) async { await monetizer.complete(item, by: member) }

  /// All that this member completed, sorted by item.
  public var completions: [Completion] { monetizer.completions(by: member) }
}
