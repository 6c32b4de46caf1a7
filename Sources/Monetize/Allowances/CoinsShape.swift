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

  /// Without money the prices in coins still hold.
  public var withoutMoney: Granted { .limited(Grant(isGiven: true)) }

  /// At the price; `false` is not at all.
  public struct Grant: Allowance, Decodable {
    let isGiven: Bool

    /// Reads `true` or `false`.
    public init(from decoder: any Decoder) throws { isGiven = try decoder.singleValueContainer().decode(Bool.self) }

    fileprivate init(isGiven: Bool) { self.isGiven = isGiven }

    /// Either.
    public func joined(with other: Self) -> Self { Grant(isGiven: isGiven || other.isGiven) }

    /// Allowed when there are as many coins as the item costs, and without an item; either way with the numbers.
    public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      guard isGiven else { return .denied(.requiresPurchase) }
      var verdict = Verdict.allowed
      if let item = context.item {
        let price = item.coins ?? 0
        verdict = Verdict(isAllowed: context.balance >= price, reason: .insufficientCoins)
        verdict.price = price
      }
      verdict.balance = context.balance
      return verdict
    }
  }
}
