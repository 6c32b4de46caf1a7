// SPDX-License-Identifier: Apache-2.0

/// What becomes of what an app has recorded when somebody signs in or out: when one owner of facts takes the place of another. Closed.
public enum HandOverPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Each keeps their own.
  case keep
  /// The new owner gets all of it, and the old one has nothing left: a guest becomes an account.
  case transfer
  /// Both have all of it: whoever signs in and out gains nothing by it.
  case share
}

extension CustomerState {
  /// What two owners of facts have after the first has handed over to the second. Pure: doing it again changes nothing. O(n log n) in both.
  ///
  /// Handed over is what the app has recorded: uses, totals, gifts, caps, completions and coins. What the store said is not: each device
  /// reads its own store, and ``Situation/account`` says for whom a purchase counts. The exception is a purchase that no store lists again:
  /// a finished consumable, whose credits go where their uses go. The latest time seen is known to both whatever the policy says, so that a
  /// clock that was set back does not profit from signing out.
  /// - Parameters:
  ///   - other: What the new owner has already.
  ///   - policy: Who has what afterwards.
  ///   - consumables: Products that the store does not list again.
  public func handedOver(to other: CustomerState, policy: HandOverPolicy = .keep, consumables: Set<ProductID> = [])
    -> (left: CustomerState, taken: CustomerState)
  {
    func isHandedOver(_ fact: Fact) -> Bool {
      if case .transaction(let transaction) = fact { consumables.contains(transaction.productID) } else { fact.isRecorded }
    }
    let own = facts.filter(isHandedOver)
    var (left, taken) = (self, other)
    switch policy {
    case .keep: break
    case .transfer:
      left = CustomerState(facts.filter { !isHandedOver($0) })
      taken.insert(contentsOf: own)
    case .share:
      left.insert(contentsOf: other.facts.filter(isHandedOver))
      taken.insert(contentsOf: own)
    }
    let seen = [self, other].flatMap { $0.time.sorted.map(Fact.time) }
    left.insert(contentsOf: seen)
    taken.insert(contentsOf: seen)
    return (left, taken)
  }
}
