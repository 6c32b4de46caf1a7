// SPDX-License-Identifier: Apache-2.0

/// What becomes of what an app has recorded when somebody signs in or out: when one owner of facts takes the place of another. Closed.
///
/// Handed over are uses, totals, gifts, caps, completions and coins, and of the purchases only credits, which no store lists again. Whatever the
/// policy says:
/// - Nothing that narrows is lifted: a cap stays with both, and so does what was used of a feature that says `survivesReinstall`.
/// - Credits that were bought for an account stay with it, together with the uses that they covered.
/// - That a state was damaged stays with its owner, because the other knows what it knows.
/// - Both know the latest time seen, so that a clock that was set back does not profit from signing out.
/// - Both know the first arm of each experiment, so that signing in or out changes no arm that was given first.
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
  /// Whose it becomes, where it was the customer's and is transferred: a guest has no name, and an account may have several children.
  var heir = SubjectID.customer
  /// Names the guest in the account's wallet, where the higher of what both have earned counts and not the sum; `nil` for the sum.
  var guest: SourceID?

  /// What both have afterwards. O(n log n) in both.
  func between(_ owner: CustomerState, _ other: CustomerState) -> (left: CustomerState, taken: CustomerState) {
    var (left, taken) = (owner, other)
    if policy != .keep {
      let given = given(by: owner, to: accounts.to)
      let known = policy == .transfer ? taken : nil
      taken.insert(contentsOf: policy == .transfer ? given.map { $0.belonging(to: heir) } : given)
      if let known, let guest { Self.settle(owner.wallet, in: &taken, known: known, heir, guest) }
      if policy == .transfer {
        let gone = Set(given.filter { !$0.policy(in: scope).stays })
        left = CustomerState(owner.facts.filter { !gone.contains($0) })
      } else {
        left.insert(contentsOf: self.given(by: other, to: accounts.from))
      }
    }
    let seen = [owner, other].flatMap { $0.time.sorted.map(Fact.time) + $0.assignments.sorted.map(Fact.assignment) }
    left.insert(contentsOf: seen)
    taken.insert(contentsOf: seen)
    return (left, taken)
  }

  /// Takes back what both have earned twice over: the account has the higher of the two sums then. Said again it is the same, because what was
  /// taken back stays an entry of its own.
  private static func settle(
    _ given: FactSet<WalletEntry>, in taken: inout CustomerState, known: CustomerState, _ heir: SubjectID, _ guest: SourceID
  ) {
    let id = "transfer"
    func earned(_ wallet: FactSet<WalletEntry>, _ subject: SubjectID) -> Int {
      wallet.values.reduce(0) {
        $1.subject != subject ? $0 : $0 + ($1.id == id ? $1.balance : WalletEntry(id: "", earned: $1.earned).balance)
      }
    }
    for subject in Set(given.values.map(\.subject)) {
      let owner = subject == .customer ? heir : subject
      let before = earned(known.wallet, owner)
      let double = earned(taken.wallet, owner) - max(before, earned(given, subject))
      let done = taken.wallet[WalletEntry(id: id, subject: owner, source: guest).key]?.spent ?? 0
      if double > 0 { taken.insert(.wallet(WalletEntry(id: id, subject: owner, source: guest, spent: done + double))) }
    }
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

extension Fact {
  /// The same of another subject, where it is the customer's own: what was done, not what was allowed or bought.
  fileprivate func belonging(to heir: SubjectID) -> Fact {
    switch sort {
    case .use(var fact) where fact.subject == .customer:
      fact.subject = heir
      return .use(fact)
    case .total(var fact) where fact.subject == .customer:
      fact.subject = heir
      return .total(fact)
    case .completion(var fact) where fact.subject == .customer:
      fact.subject = heir
      return .completion(fact)
    case .wallet(var fact) where fact.subject == .customer:
      fact.subject = heir
      return .wallet(fact)
    case .progress(var fact) where fact.subject == .customer:
      fact.subject = heir
      return .progress(fact)
    default: return self
    }
  }
}
