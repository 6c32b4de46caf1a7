// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The permissions of one player. A feature that is not out yet is not shown: it is not locked, and nothing leads to a purchase.
public struct Seat: Sendable {
  /// The player.
  public let player: Player
  let access: MemberAccess

  /// Whether the player may use a feature.
  public func may(_ feature: FeatureID) -> Bool { access.allows(feature) }

  /// Whether this player may use a preset.
  public func may(_ preset: Preset) -> Bool { access.decision(for: .circuitChallenge("presets"), item: preset.path).isAllowed }

  // MARK: Levels

  /// A level on the map.
  public enum LevelState: Sendable, Hashable {
    /// Solved; it may be repeated.
    case solved
    /// Open.
    case open
    /// Opens after this one is solved.
    case after(LevelID)
    /// Levels are not out yet.
    case notOut
  }

  /// The state of a level for the player.
  public func state(of level: LevelID) -> LevelState {
    let decision = access.decision(for: .circuitChallenge("progressionLevels"), item: level.path)
    if let previous = decision.requires.flatMap({ LevelID($0.item) }) { return .after(previous) }
    guard decision.isAllowed else { return .notOut }
    return access.completions.contains { $0.item == level.path } ? .solved : .open
  }

  /// Records a solved level.
  public func solve(_ level: LevelID) async { await access.complete(level.path) }

  // MARK: Time

  /// Seconds left to play today; `nil` without a limit.
  public var secondsLeft: Int? { access.decision(for: .playTime).remaining }

  /// Counts play time, in small steps.
  /// - Returns: Whether the player may continue.
  public func played(seconds: Int) async -> Bool {
    let decision = access.decision(for: .playTime)
    // A feature that is not out yet limits no player.
    guard decision.reason != .notAvailable else { return true }
    let counted = min(seconds, decision.remaining ?? seconds)
    if counted > 0 { _ = try? await access.spend(.playTime, count: counted) }
    return access.allows(.playTime)
  }

  // MARK: Coins

  /// The coins to show; `nil` while coins are not out. They are earned anyway.
  public var coins: Int? { may(.coins) ? access.coins : nil }

  /// Pays out a puzzle. Its tally is never below 0, so it never takes coins away. Finishing it twice pays once.
  public func finish(puzzle id: String, _ tally: CoinTally) async { await access.earn(tally.coins, for: "puzzle:\(id)") }

  /// An item in the shop.
  public struct ShopItem: Sendable, Hashable, Identifiable {
    /// The item.
    public let id: ItemPath
    /// The price in coins.
    public let price: Int
    /// Whether the player owns it.
    public let isOwned: Bool
    /// Whether the player has enough coins.
    public let isAffordable: Bool
  }

  /// The items of the shop, in the file's order; empty while the shop is not out.
  public var shelf: [ShopItem] {
    let catalog = access.snapshot.catalog
    guard may(.shop), let collections = catalog.feature(.shop)?.collections else { return [] }
    return collections.compactMap(catalog.collection).flatMap(\.paths).map { path in
      let decision = access.decision(for: .shop, item: path)
      return ShopItem(id: path, price: decision.price ?? 0, isOwned: access.hasBought(path), isAffordable: decision.isAllowed)
    }
  }

  /// Buys an item for coins; only once, for any number of taps.
  /// - Returns: The remaining coins.
  /// - Throws: ``Monetize/AccessDenied`` with too few coins.
  @discardableResult
  public func buy(_ item: ItemPath) async throws(AccessDenied) -> Int { try await access.buy(item, of: .shop) }
}
