// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Monetize

/// The rules for reading and writing rows.
@Suite("Row scopes", .timeLimit(.minutes(30)))
struct RowScopeTests {
  typealias Party = RowScope.Party
  static let parent = Party(family: "ann", member: .parent("mum"))
  static let (max, mia) = (Party(family: "ann", member: .child("max")), Party(family: "ann", member: .child("mia")))
  static let strangers = [Party(family: "bob", member: .parent("dad")), Party(family: "bob", member: .child("max"))]
  static let unsigned = [
    Party(family: nil, member: .guest), Party(family: "ann", member: .demo), Party(family: "ann", member: .guest),
    Party(family: nil, member: .child("max")), Party(family: nil, member: .customer),
  ]

  /// All parties that can reach a row of Max or of the parent.
  static let reaches: [(reach: RowScope.Reach, child: Set<Party>, parent: Set<Party>)] = [
    (.none, [], []), (.own, [max], [parent]), (.ownAndChildren, [max, parent], [parent]),
    (.all, Set([parent, max, mia] + strangers + unsigned), Set([parent, max, mia] + strangers + unsigned)),
  ]

  @Test("PUZZ-26: own, own and children, all: the access of each party", arguments: reaches.indices) func table(index: Int) {
    let (reach, child, parent) = Self.reaches[index]
    for asker in [Self.parent, Self.max, Self.mia] + Self.strangers + Self.unsigned {
      for (action, scope) in [(RowScope.Action.read, RowScope(read: reach, write: .none)), (.write, RowScope(read: .none, write: reach))] {
        #expect(scope.allows(action, rowOf: Self.max, by: asker) == child.contains(asker), "\(reach) \(action) \(asker)")
        #expect(scope.allows(action, rowOf: Self.parent, by: asker) == parent.contains(asker), "\(reach) \(action) \(asker)")
        #expect(!scope.allows(action == .read ? .write : .read, rowOf: Self.max, by: asker) || reach == .none)
      }
    }
  }

  @Test("A row without a family can be used by no party, not even by another one without a family") func noFamily() {
    let scope = RowScope(read: .ownAndChildren, write: .own)
    for asker in Self.unsigned where asker.family == nil {
      for owner in Self.unsigned where owner.family == nil {
        #expect(!scope.allows(.read, rowOf: owner, by: asker) && !scope.allows(.write, rowOf: owner, by: asker))
      }
    }
  }

  @Test("Only parents write limits, children and gifts; a role of the app's own is no parent") func decisions() {
    let nanny = Party(family: "ann", member: Member(role: "nanny", subject: "nan"))
    let posed = Party(family: "ann", member: Member(role: "nanny", subject: .customer))
    let scope = RowScope(read: .ownAndChildren, write: .ownAndChildren)
    let revision = Revision(RandomFacts.start)
    let parental: [Fact] = [
      .cap(Cap(feature: "story", subject: "max", amount: nil, revision: revision)),
      .child(FamilyChild(id: "mia", name: "", isRemoved: true, revision: revision)),
      .grant(ComplimentaryGrant(id: "g", entitlements: ["all"], from: RandomFacts.start)),
    ]
    let earned = [SubjectID("max"), .customer].map { Fact.wallet(WalletEntry(id: "a", subject: $0, earned: 1)) }
    let credits = Fact.transaction(TestShop.transaction())
    func writes(_ asker: Party, _ fact: Fact?) -> Bool { scope.allows(.write, fact: fact, of: "ann", by: asker) }
    for asker in [Self.parent, Party(family: "ann", member: .customer), Self.max, Self.mia, nanny, posed] + Self.strangers + Self.unsigned {
      let isParent = asker == Self.parent || asker == Party(family: "ann", member: .customer)
      for fact in parental + [nil] { #expect(writes(asker, fact) == isParent, "\(asker)") }
      #expect(earned.map { writes(asker, $0) } == [isParent || asker == Self.max, isParent], "\(asker)")
      #expect(writes(asker, credits) == (isParent || [Self.max, Self.mia, nanny].contains(asker)), "\(asker)")
    }
    // A child reads its limits, the children and the gifts, as its own device has to know them.
    #expect(parental.map { scope.allows(.read, fact: $0, of: "ann", by: Self.max) } == [true, true, true])
    #expect(!scope.allows(.read, fact: parental[0], of: "ann", by: Self.mia))
    // Without reach over the children, a parent limits nobody.
    #expect(!RowScope(read: .own, write: .own).allows(.write, fact: parental[0], of: "ann", by: Self.parent))
  }

  @Test("A session with a child as the customer reaches no parent's row") func forged() {
    let forged = Party(family: "ann", member: Member(role: .child, subject: .customer))
    let scope = RowScope(read: .ownAndChildren, write: .ownAndChildren)
    #expect(!scope.allows(.read, rowOf: Self.parent, by: forged) && !scope.allows(.write, rowOf: Self.max, by: forged))
  }
}
