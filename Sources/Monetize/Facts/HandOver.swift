// SPDX-License-Identifier: Apache-2.0

/// What becomes of what an app has recorded when somebody signs in or out: when one owner of facts takes the place of another. Closed.
///
/// Handed over are uses, totals, gifts, caps, completions and coins, and of the purchases only credits, which no store lists again. Whatever the
/// policy says:
/// - Nothing that narrows is lifted: a cap stays with both, and so does what was used of a feature that says `survivesReinstall`.
/// - Credits that were bought for an account stay with it, together with the uses that they covered.
/// - That a state was damaged stays with its owner, because the other knows what it knows.
/// - Both know the latest time seen, so that a clock that was set back does not profit from signing out.
public enum HandOverPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Each keeps their own.
  case keep
  /// The new owner gets all of it, and the old one has nothing left that opens anything: a guest becomes an account.
  case transfer
  /// Both have all of it: whoever signs in and out gains nothing by it.
  case share
}

/// One hand-over of facts between two owners. Pure: doing it again changes nothing.
struct HandOver: Sendable {
  /// Who has what afterwards.
  var policy = HandOverPolicy.keep
  /// The account that hands over, and the one that takes over; `nil` for a guest.
  var accounts: (from: String?, to: String?) = (nil, nil)
  /// What the catalog says about credits and lasting uses.
  var scope = FactScope()

  /// What both have afterwards. O(n log n) in both.
  func between(_ owner: CustomerState, _ other: CustomerState) -> (left: CustomerState, taken: CustomerState) {
    var (left, taken) = (owner, other)
    if policy != .keep {
      let given = given(by: owner, to: accounts.to)
      taken.insert(contentsOf: given)
      if policy == .transfer {
        let gone = Set(given.filter { !$0.policy(in: scope).stays })
        left = CustomerState(owner.facts.filter { !gone.contains($0) })
      } else {
        left.insert(contentsOf: self.given(by: other, to: accounts.from))
      }
    }
    let seen = [owner, other].flatMap { $0.time.sorted.map(Fact.time) }
    left.insert(contentsOf: seen)
    taken.insert(contentsOf: seen)
    return (left, taken)
  }

  private func given(by state: CustomerState, to account: String?) -> [Fact] {
    // Credits are one sum: where some of them belong to another account, no use can be told to be covered by one purchase or another.
    let areBound = state.transactions.values.contains { scope.creditProducts.contains($0.productID) && !$0.isBought(for: account) }
    return state.facts.filter { fact in
      let policy = fact.policy(in: scope)
      return policy.isRecorded && !(areBound && policy.isCredit)
    }
  }
}
