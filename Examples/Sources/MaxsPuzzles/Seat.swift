// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What one player may do. What is not out yet is not shown: it is not locked, and nothing leads to a purchase.
public struct Seat: Sendable {
  /// Who sits there.
  public let player: Player
  let access: MemberAccess

  /// Whether the player may use a feature.
  public func may(_ feature: FeatureID) -> Bool { access.allows(feature) }

  /// Whether there is a preset, for this player.
  public func may(_ preset: Preset) -> Bool { access.decision(for: .circuitChallenge("presets"), item: preset.path).isAllowed }

  // MARK: Levels

  /// A level on the map.
  public enum LevelState: Sendable, Hashable {
    /// Solved; it may be played again.
    case solved
    /// May be played.
    case open
    /// Opens when this one is solved.
    case after(LevelID)
    /// Levels are not out yet.
    case notOut
  }

  /// Where the player stands with a level.
  public func state(of level: LevelID) -> LevelState {
    let decision = access.decision(for: .circuitChallenge("progressionLevels"), item: level.path)
    if let previous = decision.requires.flatMap({ LevelID($0.item) }) { return .after(previous) }
    guard decision.isAllowed else { return .notOut }
    return access.completions.contains { $0.item == level.path } ? .solved : .open
  }

  /// Remembers that a level was solved.
  public func solve(_ level: LevelID) async { await access.complete(level.path) }

  // MARK: Time

  /// Seconds that may still be played today; `nil` without a limit.
  public var secondsLeft: Int? { access.decision(for: .playTime).remaining }

  /// Counts time that was played, in small steps.
  /// - Returns: whether the player may go on.
  public func played(seconds: Int) async -> Bool {
    let decision = access.decision(for: .playTime)
    // What is not out yet limits nobody.
    guard decision.reason != .notAvailable else { return true }
    let counted = min(seconds, decision.remaining ?? seconds)
    if counted > 0 { _ = try? await access.spend(.playTime, count: counted) }
    return access.allows(.playTime)
  }

  // MARK: Coins

  /// The coins to show; `nil` while coins are not out. They are earned all the same.
  public var coins: Int? { may(.coins) ? access.coins : nil }

  /// Pays a puzzle out. Its tally never goes below 0, so that it never takes coins away. Finishing it twice pays once.
  public func finish(puzzle id: String, _ tally: CoinTally) async { await access.earn(tally.coins, for: "puzzle:\(id)") }

  /// Something in the shop.
  public struct ShopItem: Sendable, Hashable, Identifiable {
    /// The item.
    public let id: ItemPath
    /// What it costs in coins.
    public let price: Int
    /// Whether it is the player's already.
    public let isOwned: Bool
    /// Whether there are coins enough.
    public let isAffordable: Bool
  }

  /// The shop's shelf, in the file's order; empty while the shop is not out.
  public var shelf: [ShopItem] {
    let catalog = access.snapshot.catalog
    guard may(.shop), let collections = catalog.feature(.shop)?.collections else { return [] }
    return collections.compactMap(catalog.collection).flatMap(\.paths).map { path in
      let decision = access.decision(for: .shop, item: path)
      return ShopItem(id: path, price: decision.price ?? 0, isOwned: access.hasBought(path), isAffordable: decision.isAllowed)
    }
  }

  /// Buys something for coins; once, however often it is tapped.
  /// - Returns: the coins that are left.
  /// - Throws: ``Monetize/AccessDenied`` with too few coins.
  @discardableResult
  public func buy(_ item: ItemPath) async throws(AccessDenied) -> Int { try await access.buy(item, of: .shop) }
}
