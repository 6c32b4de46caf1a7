// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Monetizer {
  /// Takes over what another source has counted: a server, another device. Of one source the higher total counts, sources add up, and what
  /// this source recorded one by one is part of its total; see ``UsageTotal``.
  /// - Returns: whether it was news; `false` as well for a feature that the catalog does not have.
  @discardableResult
  public func record(_ total: UsageTotal) async -> Bool {
    parts.names.look(at: total.feature)
    guard let feature = catalog.feature(total.feature) else { return false }
    var total = total
    total.feature = feature.id
    return await record(.total(total), by: .customer)
  }

  /// Takes over single uses that another source has counted, in one step. A use that is known by its key counts once.
  public func record(_ uses: [Use]) async {
    for use in uses { parts.names.look(at: use.feature) }
    await add(uses.map(Fact.use))
  }

  /// Gives entitlements without a purchase: by support, by a promotion, for life or for a while. Giving the same id again replaces it.
  /// - Parameters:
  ///   - entitlements: What is given.
  ///   - id: What names the gift.
  ///   - until: Until when; `nil` for life.
  public func give(_ entitlements: [EntitlementID], id: String, until: Date? = nil) async {
    for entitlement in entitlements { parts.names.look(at: entitlement) }
    await give(entitlements, id, until, isRevoked: false)
  }

  /// Takes a gift back.
  public func takeBack(gift id: String) async {
    guard let grant = state.grants[id] else { return }
    await give(grant.entitlements, id, grant.until, isRevoked: true)
  }

  private func give(_ entitlements: [EntitlementID], _ id: String, _ until: Date?, isRevoked: Bool) async {
    let (now, known) = (now, state.grants[id])
    let revision = Revision(now, sequence: (known?.revision.sequence ?? -1) + 1)
    let grant = ComplimentaryGrant(
      id: id, entitlements: entitlements, from: known?.from ?? now, until: until, isRevoked: isRevoked, revision: revision)
    await record(.grant(grant), by: .customer)
  }

  /// Records something that the app brings. Durable when this returns, unless the disk refuses; then it is written with the next fact.
  /// - Returns: whether it was news. In a demo nothing is.
  @discardableResult
  package func record(_ fact: Fact, by member: Member) async -> Bool { member.role == .demo ? false : await !add([fact]).isEmpty }

  /// Records facts, unless everything is handed over, and but for those that could not be read at the next start: a date that is no number.
  /// - Returns: what was news.
  @discardableResult
  func add(_ facts: [Fact]) async -> [Fact] {
    guard parts.work.begin() else { return [] }
    defer { parts.work.end() }
    return await parts.writer.add(facts.compactMap(parts.journal.readable)).news
  }

  /// Something happened at the store.
  func receive(_ update: StoreUpdate) async { await effects.sync.receive(update) }
}
