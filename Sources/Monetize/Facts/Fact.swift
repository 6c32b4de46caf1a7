// SPDX-License-Identifier: Apache-2.0

/// One thing that has happened, of any sort: what is written to storage and exchanged between devices.
public enum Fact: Sendable, Hashable {
  /// A purchase or a renewal.
  case transaction(StoreTransaction)
  /// The future of a subscription.
  case renewal(RenewalInfo)
  /// A purchase that waits for somebody else.
  case pending(PendingPurchase)
  /// A use of a metered feature.
  case use(Use)
  /// How much a source has counted in sum.
  case total(UsageTotal)
  /// Something given without a purchase.
  case grant(ComplimentaryGrant)
  /// A parent's limit.
  case cap(Cap)
  /// An item that was completed.
  case completion(Completion)
  /// Coins.
  case wallet(WalletEntry)
  /// The latest time that was seen.
  case time(TimeSeen)

  /// Whether the app has recorded it, and neither the store nor a clock has said it.
  var isRecorded: Bool {
    switch self {
    case .use, .total, .grant, .cap, .completion, .wallet: true
    case .transaction, .renewal, .pending, .time: false
    }
  }
}

extension Fact: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case transaction, renewal, pending, use, total, grant, cap, completion, wallet, time
  }

  /// Reads `{ "transaction": { … } }` and its like. An object without a known key is from a later version and is refused, never dropped.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let key = CodingKeys.allCases.first(where: container.contains) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath, debugDescription: "This is no fact that this version knows. It may be from a later version."))
    }
    switch key {
    case .transaction: self = .transaction(try container.decode(StoreTransaction.self, forKey: key))
    case .renewal: self = .renewal(try container.decode(RenewalInfo.self, forKey: key))
    case .pending: self = .pending(try container.decode(PendingPurchase.self, forKey: key))
    case .use: self = .use(try container.decode(Use.self, forKey: key))
    case .total: self = .total(try container.decode(UsageTotal.self, forKey: key))
    case .grant: self = .grant(try container.decode(ComplimentaryGrant.self, forKey: key))
    case .cap: self = .cap(try container.decode(Cap.self, forKey: key))
    case .completion: self = .completion(try container.decode(Completion.self, forKey: key))
    case .wallet: self = .wallet(try container.decode(WalletEntry.self, forKey: key))
    case .time: self = .time(try container.decode(TimeSeen.self, forKey: key))
    }
  }

  /// Writes `{ "transaction": { … } }` and its like.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .transaction(let fact): try container.encode(fact, forKey: .transaction)
    case .renewal(let fact): try container.encode(fact, forKey: .renewal)
    case .pending(let fact): try container.encode(fact, forKey: .pending)
    case .use(let fact): try container.encode(fact, forKey: .use)
    case .total(let fact): try container.encode(fact, forKey: .total)
    case .grant(let fact): try container.encode(fact, forKey: .grant)
    case .cap(let fact): try container.encode(fact, forKey: .cap)
    case .completion(let fact): try container.encode(fact, forKey: .completion)
    case .wallet(let fact): try container.encode(fact, forKey: .wallet)
    case .time(let fact): try container.encode(fact, forKey: .time)
    }
  }
}
