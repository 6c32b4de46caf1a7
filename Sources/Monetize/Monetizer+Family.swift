// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// How much a parent allows of a feature, in the words of its allowance.
public struct CapAmount: Sendable, Hashable {
  let json: String

  /// Not at all.
  public static let nothing = CapAmount(json: "false")
  /// So many uses, items or things at once.
  public static func count(_ number: Int) -> CapAmount { CapAmount(json: "\(max(0, number))") }
  /// So long, or so far back.
  public static func duration(_ length: Period) -> CapAmount { CapAmount(json: "\"\(length)\"") }
  /// Up to a level, by its name.
  public static func level(_ name: String) -> CapAmount { CapAmount(json: JSONWriter.quoted(name)) }
}

extension Monetizer {
  /// Limits a feature for a member of the family, in place of an earlier limit; `nil` lifts it. A limit only narrows: it allows nothing that
  /// the grants deny, it counts all uses, also those made before it was set, and no purchase lifts it.
  ///
  /// An amount that does not fit the feature's allowance closes the feature for the member: what was meant is not known.
  public func limit(_ feature: FeatureID, to amount: CapAmount?, for member: Member) async {
    let id = catalog.feature(feature)?.id ?? feature
    let now = now
    let sequence = core.withLock { ($0.state.caps[Cap.Key(feature: id, subject: member.subject)]?.revision.sequence ?? -1) + 1 }
    await record(
      .cap(Cap(feature: id, subject: member.subject, amount: amount?.json, revision: Revision(now, sequence: sequence))), by: .customer)
  }

  /// Gives entitlements without a purchase: by support, by a promotion, for life or for a while. Giving the same id again replaces it.
  /// - Parameters:
  ///   - entitlements: What is given.
  ///   - id: What names the gift.
  ///   - until: Until when; `nil` for life.
  public func give(_ entitlements: [EntitlementID], id: String, until: Date? = nil) async {
    await give(entitlements, id, until, isRevoked: false)
  }

  /// Takes a gift back.
  public func takeBack(gift id: String) async {
    guard let grant = core.withLock({ $0.state.grants[id] }) else { return }
    await give(grant.entitlements, id, grant.until, isRevoked: true)
  }

  private func give(_ entitlements: [EntitlementID], _ id: String, _ until: Date?, isRevoked: Bool) async {
    let now = now
    let known = core.withLock { $0.state.grants[id] }
    let grant = ComplimentaryGrant(
      id: id, entitlements: entitlements, from: known?.from ?? now, until: until, isRevoked: isRevoked,
      revision: Revision(now, sequence: (known?.revision.sequence ?? -1) + 1))
    await record(.grant(grant), by: .customer)
  }
}

extension MemberAccess {
  /// The coins there are: earned minus spent over all sources, never shown below 0.
  public var coins: Int { max(0, monetizer.wallet(of: member).reduce(0) { $0 + $1.earned - $1.spent }) }

  /// Pays coins out, for a reason that has not been paid for yet: the higher total of one reason counts, so that a retry pays once.
  public func earn(_ coins: Int, for reason: String) async {
    await monetizer.record(
      .wallet(WalletEntry(id: reason, subject: member.subject, source: monetizer.configuration.source, earned: coins)), by: member)
  }

  private static func reason(_ item: ItemPath) -> String { "item:\(item)" }

  /// Whether an item was bought for coins. One that costs nothing is not bought.
  public func hasBought(_ item: ItemPath) -> Bool {
    monetizer.wallet(of: member).contains { $0.id == Self.reason(item) && $0.spent > 0 }
  }

  /// Buys an item for coins. Buying it again costs nothing.
  /// - Returns: the coins that are left.
  /// - Throws: ``AccessDenied`` when there are too few, or the item may not be bought now.
  @discardableResult
  public func buy(_ item: ItemPath, of feature: FeatureID) async throws(AccessDenied) -> Int {
    let reason = Self.reason(item)
    guard monetizer.begins() else { throw AccessDenied(decision: .denied(.handedOver)) }
    defer { monetizer.ends() }
    while true {
      if hasBought(item) { return coins }
      let (version, snapshot) = monetizer.current(member)
      let decision = snapshot.decision(for: AccessRequest(feature, item: item))
      guard decision.isAllowed else { throw AccessDenied(decision: decision) }
      guard member.role != .demo else { return coins }
      let entry = Fact.wallet(
        WalletEntry(id: reason, subject: member.subject, source: monetizer.configuration.source, spent: decision.price ?? 0))
      // Judged outside the lock; paid only if nothing has changed since, so that two items at once never cost more than there is.
      guard monetizer.insert(entry, ifVersion: version) else { continue }
      _ = await monetizer.journal.write([entry, monetizer.timeFact()])
      return coins
    }
  }
}

extension Monetizer {
  func wallet(of member: Member) -> [WalletEntry] { core.withLock { $0.state.wallet }.values.filter { $0.subject == member.subject } }

  func insert(_ fact: Fact, ifVersion version: Int) -> Bool {
    core.withLock { core in
      guard core.version == version else { return false }
      core.state.insert(fact)
      core.changed()
      return true
    }
  }
}
