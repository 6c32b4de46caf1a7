// SPDX-License-Identifier: Apache-2.0

/// What happens to the app's recorded facts when a person signs in or out. Closed.
///
/// A hand-over concerns everything that the app recorded: uses, totals, complimentary grants, caps, completions, coins, progress, children,
/// arms of experiments, and facts of the app's own unless their policy says otherwise. The only purchases that it concerns are credits,
/// which no store lists again. Under every policy:
/// - Limits are never lifted. Caps, and uses of features with `survivesReinstall`, stay with both owners.
/// - Credits bought for an account stay with it, together with the uses that they covered.
/// - The record of a damaged state stays with its owner, because the other owner's counts are undamaged.
/// - Both owners keep the latest time seen, so that signing out gives no advantage to a customer who set the clock back.
/// - Both owners keep the first arm of each experiment, so that signing in or out changes no arm. An arm that was assigned to an account
///   stays with that account.
public enum HandOverPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Each owner keeps their own facts.
  case keep
  /// The new owner gets all facts, and the old one keeps none that give access. For a guest who becomes an account.
  case transfer
  /// Both owners have all facts, so that signing in and out gains nothing.
  case share
}

/// A hand-over of facts between two owners. Pure and idempotent.
struct HandOver: Sendable {
  var policy = HandOverPolicy.keep
  /// The old and the new account; `nil` for a guest.
  var accounts: (from: String?, to: String?) = (nil, nil)
  /// The catalog's products with credits and features with lasting uses.
  var scope = FactScope()
  /// The new subject of the customer's own facts in a transfer. A guest has no name, and an account may have several children.
  var heir = SubjectID.customer
  /// The guest's source in the account's wallet, to count the higher of both earnings; `nil` to count their sum.
  var guest: SourceID?

  /// The facts of both owners after the hand-over. O(n log n) in both.
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
    let seen = [owner, other].flatMap {
      $0.time.sorted.map(Fact.time) + $0.assignments.sorted.filter { !$0.isOfAccount }.map(Fact.assignment)
    }
    left.insert(contentsOf: seen)
    taken.insert(contentsOf: seen)
    return (left, taken)
  }

  /// Deducts coins that both have earned, so that the account has the higher sum. Idempotent, because the deduction is an entry of its own.
  private static func settle(
    _ given: FactSet<WalletEntry>, in taken: inout CustomerState, known: CustomerState, _ heir: SubjectID, _ guest: SourceID
  ) {
    let id = "transfer"
    func earned(_ wallet: FactSet<WalletEntry>, _ subject: SubjectID) -> Int {
      wallet.values.reduce(0) {
        $1.subject != subject ? $0 : $0 + $1.counted.earned - ($1.id == id ? $1.counted.spent : 0)
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
    // Credits are one sum. If any belong to another account, uses cannot be attributed to single purchases.
    let areBound = state.transactions.values.contains { scope.creditProducts.contains($0.productID) && !$0.isBought(for: account) }
    return state.facts.filter { fact in
      let policy = fact.policy(in: scope)
      return policy.isRecorded && !(areBound && policy.isCredit) && !fact.isOfAccount
    }
  }
}

extension Fact {
  /// Whether it belongs to one account, so that no other owner gets it.
  fileprivate var isOfAccount: Bool { if case .assignment(let fact) = sort { fact.isOfAccount } else { false } }

  /// This fact with the heir as its subject, where the subject is the customer: uses, totals, completions, coins and progress.
  fileprivate func belonging(to heir: SubjectID) -> Fact {
    func moved<Record>(_ record: Record, _ subject: WritableKeyPath<Record, SubjectID>) -> Record {
      guard record[keyPath: subject] == .customer else { return record }
      var record = record
      record[keyPath: subject] = heir
      return record
    }
    return switch sort {
    case .use(let use): .use(moved(use.value, \.subject))
    case .total(let total): .total(moved(total, \.subject))
    case .history(let history): .history(moved(history, \.subject))
    case .completion(let completion): .completion(moved(completion, \.subject))
    case .wallet(let entry): .wallet(moved(entry, \.subject))
    case .progress(let entry): .progress(moved(entry, \.subject))
    default: self
    }
  }
}
