// SPDX-License-Identifier: Apache-2.0

extension Monetizer {
  /// Records a fact of an app's own sort. Durable when this returns, unless the disk refuses; then it is written with the next fact.
  /// - Returns: whether it was news.
  @discardableResult
  public func record(_ fact: some CustomFact) async -> Bool { await record(.custom(fact), by: .customer) }
}

extension MemberAccess {
  /// Records a fact of an app's own sort; in a demo nothing.
  /// - Returns: whether it was news.
  @discardableResult
  public func record(_ fact: some CustomFact) async -> Bool { await monetizer.record(.custom(fact), by: member) }
}
