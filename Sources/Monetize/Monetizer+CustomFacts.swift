// SPDX-License-Identifier: Apache-2.0

extension Monetizer {
  /// Records a fact of a sort that the app defines. Durable when this returns. If the disk refuses it, it is written with the next fact.
  /// - Returns: Whether it changed anything.
  @discardableResult
  public func record(_ fact: some CustomFact) async -> Bool { await record(.custom(fact), by: .customer) }
}

extension MemberAccess {
  /// Records a fact of a sort that the app defines. Does nothing in a demo.
  /// - Returns: Whether it changed anything.
  @discardableResult
  public func record(_ fact: some CustomFact) async -> Bool { await monetizer.record(.custom(fact), by: member) }
}
