// SPDX-License-Identifier: Apache-2.0
import Foundation

/// All facts about one customer. Facts of a store's test environments are included and filtered when they are judged.
///
/// Never stores whether something is active. A ``Snapshot`` computes that from facts and a time.
public struct CustomerState: Sendable, Hashable {
  /// Purchases and renewals.
  public private(set) var transactions = FactSet<StoreTransaction>()
  /// The transactions by product, sorted and summarized, so that a snapshot reads only the latest ones.
  private(set) var purchases = PurchaseHistories()
  /// The renewal status of subscriptions.
  public private(set) var renewals = FactSet<RenewalInfo>()
  /// Purchases that wait for approval.
  public private(set) var pending = FactSet<PendingPurchase>()
  /// Uses of metered features.
  public private(set) var usage = UsageLedger()
  /// Access given without a purchase.
  public private(set) var grants = FactSet<ComplimentaryGrant>()
  /// Limits set by parents.
  public private(set) var caps = FactSet<Cap>()
  /// Completed items.
  public private(set) var completions = FactSet<Completion>()
  /// Coins earned and spent.
  public private(set) var wallet = FactSet<WalletEntry>()
  /// The coin balance of each subject, updated with each entry, so that a spend does not add up all entries.
  private(set) var coins: [SubjectID: Int] = [:]
  /// The price that each subject paid in coins for each item. Two devices that both bought an item before they met have paid for it once.
  private(set) var paid: [SubjectID: [String: Int]] = [:]
  /// Progress values of all subjects.
  public private(set) var progress = FactSet<ProgressEntry>()
  /// The children of the family, including removed ones.
  public private(set) var children = FactSet<FamilyChild>()
  /// The arms of experiments.
  public private(set) var assignments = FactSet<ArmAssignment>()
  /// The latest time seen.
  public private(set) var time = FactSet<TimeSeen>()
  /// The store's last answer.
  package private(set) var answer = FactSet<AnswerSeen>()
  /// The name of this installation.
  package private(set) var installation = FactSet<Installation>()
  /// Facts of an app's own sorts.
  private(set) var custom = FactSet<AnyCustomFact>()

  /// Makes a state without facts.
  public init() {}

  /// Makes a state from facts in any order, with any number of copies. O(n log n).
  public init(_ facts: some Sequence<Fact>) { insert(contentsOf: Array(facts)) }

  /// Adds facts in any order. O(n log n).
  ///
  /// Takes an array: the generic version is not specialized across modules and allocates for each fact.
  mutating func insert(contentsOf facts: [Fact]) {
    // Removed children, sums and transactions change other facts, so each sort is handled once for all its facts: once per fact would be
    // quadratic.
    var histories: [UsageHistory] = []
    var uses: [(date: Date, use: Shared<Use>)] = []
    uses.reserveCapacity(facts.count)
    for fact in facts {
      switch fact.sort {
      case .child(let child): children.insert(child)
      case .history(let history): histories.append(history)
      case .use(let use): uses.append((use.value.date, use))
      default: break
      }
    }
    forgetRemoved()
    usage.insert(contentsOf: histories.filter { !isOfRemoved(.history($0)) })
    // A use of the last day takes its place at the end, at the least cost.
    uses.sort { $0.date < $1.date }
    for (_, use) in uses { insert(Fact(sort: .use(use))) }
    for fact in facts {
      switch fact.sort {
      case .child, .history, .use: break
      case .transaction(let transaction): transactions.insert(transaction)
      default: insert(fact)
      }
    }
    purchases = PurchaseHistories(transactions.values)
  }

  /// Adds a fact, or merges it with the known copy. Returns whether that changed anything. O(log n).
  @discardableResult
  public mutating func insert(_ fact: Fact) -> Bool {
    if isOfRemoved(fact) { return false }
    return switch fact.sort {
    case .transaction(let fact): insert(fact)
    case .renewal(let fact): renewals.insert(fact)
    case .pending(let fact): pending.insert(fact)
    case .use(let fact): usage.insert(fact)
    case .total(let fact): usage.insert(fact)
    case .history(let fact): usage.insert(contentsOf: [fact])
    case .grant(let fact): grants.insert(fact)
    case .cap(let fact): caps.insert(fact)
    case .completion(let fact): completions.insert(fact)
    case .wallet(let fact): insert(fact)
    case .progress(let fact): progress.insert(fact)
    case .child(let fact): insert(fact)
    case .assignment(let fact): assignments.insert(fact)
    case .time(let fact): time.insert(fact)
    case .answer(let fact): answer.insert(fact)
    case .installation(let fact): installation.insert(fact)
    case .custom(let fact): custom.insert(fact)
    }
  }

  private mutating func insert(_ transaction: StoreTransaction) -> Bool {
    let known = transactions[transaction.id]
    // Of two copies one wins as it is, so a change of the known one is this one.
    guard transactions.insert(transaction) else { return false }
    purchases.replace(known, with: transaction)
    return true
  }

  var removedChildren: Int { children.values.count(where: \.isRemoved) }

  /// Whether a fact belongs to a removed child, whose facts are not kept.
  func isOfRemoved(_ fact: Fact) -> Bool {
    !children.isEmpty && fact.subject.map { children[$0]?.isRemoved ?? false } ?? false
  }

  @discardableResult
  private mutating func insert(_ child: FamilyChild) -> Bool {
    let isNews = children.insert(child)
    if isNews, child.isRemoved { forgetRemoved() }
    return isNews
  }

  /// Removes all facts of removed children. O(n log n).
  private mutating func forgetRemoved() {
    let all = facts
    let rest = all.filter { !isOfRemoved($0) }
    if rest.count < all.count { self = CustomerState(rest) }
  }

  private mutating func insert(_ entry: WalletEntry) -> Bool {
    let before = wallet[entry.key]?.counted
    guard wallet.insert(entry), let after = wallet[entry.key]?.counted else { return false }
    var spent = after.spent - (before?.spent ?? 0)
    if let item = entry.boughtItem {
      // Two devices may have paid for the same item, which costs its price once.
      spent = max(0, after.spent - (paid[entry.subject]?[item] ?? 0))
      if spent > 0 { paid[entry.subject, default: [:]][item] = after.spent }
    }
    coins[entry.subject, default: 0] += after.earned - (before?.earned ?? 0) - spent
    return true
  }

  /// The facts that would change this state, each compared after adding those before it. O(n) in the state.
  public func news(in facts: [Fact]) -> [Fact] {
    var known = self
    return facts.filter { known.insert($0) }
  }

  /// Adds all facts of another state. Associative, commutative and idempotent. O(n log n) in both states.
  public mutating func merge(_ other: Self) { insert(contentsOf: other.facts(isSorted: false)) }

  /// Replaces a source's uses that are older than `end` for their feature with sums. No answer changes, as long as no limit looks back
  /// further.
  mutating func fold(_ source: SourceID, at now: Date, before end: (FeatureID) -> Date) {
    usage.insert(contentsOf: usage.folded(of: source, at: now, before: end))
  }

  /// All facts, in an order that depends only on their contents. O(n log n).
  public var facts: [Fact] { facts(isSorted: true) }

  private func facts(isSorted: Bool) -> [Fact] {
    func all<F: MergingFact>(_ facts: some Collection<F>, _ fact: (F) -> Fact) -> [Fact] {
      isSorted ? facts.sorted { $0.key < $1.key }.map(fact) : facts.map(fact)
    }
    let parts = [
      all(transactions.values, Fact.transaction), all(renewals.values, Fact.renewal), all(pending.values, Fact.pending),
      all(usage.allHistories, Fact.history), (isSorted ? usage.sortedUses : usage.sharedUses).map { Fact(sort: .use($0)) },
      all(usage.allTotals, Fact.total), all(grants.values, Fact.grant), all(caps.values, Fact.cap),
      all(completions.values, Fact.completion), all(wallet.values, Fact.wallet), all(progress.values, Fact.progress),
      all(children.values, Fact.child), all(assignments.values, Fact.assignment), all(time.values, Fact.time),
      all(answer.values, Fact.answer), all(installation.values, Fact.installation),
      all(custom.values) { Fact(sort: .custom($0)) },
    ]
    return Array(parts.joined())
  }

  /// The facts of a sort that the app defines, sorted by key. O(n log n) in the app's facts.
  public func facts<F: CustomFact>(of sort: F.Type) -> [F] { custom.facts(of: sort) }

  /// Whether there are no facts.
  public var isEmpty: Bool { self == CustomerState() }
}
