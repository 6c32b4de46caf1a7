// SPDX-License-Identifier: Apache-2.0

/// Items for coins that the customer has earned, not bought. Source: a shop of avatar items priced in coins.
///
/// The prices stand at the items of the collections that the feature is about (`in`). Grants: `true`, at the item's price; an item without
/// one costs nothing. A judgement only compares; taking the coins is a fact of the wallet. `"unlimited"` is free of charge.
public struct CoinsShape: AllowanceShape {
  /// `coins`.
  public static let name = "coins"
  /// Opened item by item.
  public static let isAboutItems = true

  /// Each item has one.
  public static let needsPrices = true

  /// Without money the prices in coins still hold.
  public var withoutMoney: Granted { .limited(Grant(isGiven: true)) }

  /// At the price; `false` is not at all.
  public struct Grant: Permission {
    /// Whether it is given.
    public let isGiven: Bool
    /// Makes a grant.
    public init(isGiven: Bool) { self.isGiven = isGiven }

    /// Allowed when there are as many coins as the item costs, when it was bought before, and without an item; always with the numbers.
    public func judgeGiven(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      var verdict = Verdict.allowed
      if let item = context.item {
        let price = context.isBought(item.path) ? 0 : item.coins ?? 0
        verdict = Verdict(isAllowed: context.balance >= price, reason: .insufficientCoins)
        verdict.price = price
      }
      verdict.balance = context.balance
      return verdict
    }
  }
}
