// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Monetizer {
  /// Records the total that another source has counted, such as a server or another device. For one source the higher total wins, and
  /// totals of different sources add up. A total includes uses that the source also reported individually; see ``ReportedTotal``. A total of
  /// a part counts for its whole, as a use of it does.
  /// - Returns: Whether it changed anything. `false` for a feature that is not in the catalog.
  @discardableResult
  public func record(_ total: ReportedTotal) async -> Bool {
    guard let counted = counted(total.feature) else { return false }
    var total = total
    total.feature = counted
    return await record(.total(total), by: .customer)
  }

  /// Records individual uses that another source has counted, in one step. A use with a known key counts once. A use of a part counts for
  /// its whole.
  public func record(_ uses: [Use]) async {
    await add(
      uses.map { use in
        var use = use
        use.feature = counted(use.feature) ?? use.feature
        return .use(use)
      })
  }

  /// The feature that uses of a feature count for: its whole for a part, otherwise itself. `nil` for a feature that is not in the catalog.
  private func counted(_ feature: FeatureID) -> FeatureID? {
    parts.names.look(at: feature)
    return baseCatalog.index.features[feature].map { baseCatalog.features[baseCatalog.index.wholes[$0]].id }
  }

  /// Gives entitlements without a purchase, for ever or until a date, such as a gift from support. Replaces an earlier grant with the same
  /// id.
  /// - Parameters:
  ///   - entitlements: The entitlements to give.
  ///   - id: The id of the complimentary grant.
  ///   - until: When it ends; `nil` when it never ends.
  public func give(_ entitlements: [EntitlementID], id: String, until: Date? = nil) async {
    for entitlement in entitlements { parts.names.look(at: entitlement) }
    await give(entitlements, id, until, isRevoked: false)
  }

  /// Revokes a complimentary grant.
  public func takeBack(gift id: String) async {
    guard let grant = state.grants[id] else { return }
    await give(grant.entitlements, id, grant.until, isRevoked: true)
  }

  private func give(_ entitlements: [EntitlementID], _ id: String, _ until: Date?, isRevoked: Bool) async {
    let (now, known) = (now, state.grants[id])
    let grant = ComplimentaryGrant(
      id: id, entitlements: entitlements, from: known?.from ?? now, until: until, isRevoked: isRevoked,
      revision: .next(after: known?.revision, at: now))
    await record(.grant(grant), by: .customer)
  }

  /// Records a fact from the app. Durable when this returns. A fact that the disk refuses is written with the next one.
  /// - Returns: Whether it changed anything. Always `false` in a demo.
  @discardableResult
  package func record(_ fact: Fact, by member: Member) async -> Bool { member.role == .demo ? false : await !add([fact]).isEmpty }

  /// Records facts, unless the monetizer has handed over.
  /// - Returns: The facts that changed something.
  @discardableResult
  func add(_ facts: [Fact]) async -> [Fact] {
    guard await parts.work.record() else { return [] }
    defer { parts.work.end() }
    return await parts.writer.add(facts).news
  }

  func receive(_ update: StoreUpdate) async { await effects.sync.receive(update) }
}
