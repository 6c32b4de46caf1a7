// SPDX-License-Identifier: Apache-2.0

/// Items for coins that the customer has earned, not bought. Source: a shop of avatar items priced in coins.
///
/// The collections of the feature (`in`) hold the prices. Grants: `true`, at the item's price; an item without a price costs nothing. A
/// judgement only compares; spending the coins is a wallet fact. `"unlimited"` makes every item free.
public struct CoinsShape: AllowanceShape {
  /// `coins`.
  public static let name = "coins"
  /// `true`.
  public static let isAboutItems = true

  /// `true`.
  public static let needsPrices = true

  /// The prices in coins apply even without monetization.
  public var withoutMoney: Granted { .limited(Grant(isGiven: true)) }

  /// `true`: at the item's price. `false`: denied.
  public struct Grant: Permission {
    /// Whether access is granted.
    public let isGiven: Bool
    /// Makes a grant.
    public init(isGiven: Bool) { self.isGiven = isGiven }

    /// Allowed when the balance covers the price, the item was bought before, or no item is named. Always includes price and balance.
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
