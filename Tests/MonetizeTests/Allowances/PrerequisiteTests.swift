// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct PrerequisiteTests {
  private let feature = #"{ "allowance": "prerequisite", "in": ["c"], "requires": "previous" }"#
  private let extra = #""collections": { "c": { "title": "C", "items": 3, "parts": ["easy"] }, "d": { "title": "D", "items": 1 } },"#

  private func decide(_ catalog: Catalog, _ item: ItemPath?, _ facts: [Fact] = []) -> Decision {
    Snapshot(of: CustomerState(facts), catalog: catalog, at: t0).decision(for: AccessRequest("f", item: item))
  }

  @Test func oneAfterTheOther() throws {
    let catalog = try Catalog.small(feature, free: "true", paid: "\"unlimited\"", extra: extra)
    #expect(decide(catalog, nil).isAllowed && decide(catalog, "c/1").isAllowed)
    let second = decide(catalog, "c/2/easy")
    #expect(second.reason == .requiresCompletion && second.requires == "c/1" && second.unlockedBy == ["p"])
    #expect(decide(catalog, "c/2/easy", [.completion(Completion(item: "c/1"))]).isAllowed)
    #expect(!decide(catalog, "c/2", [.completion(Completion(item: "c/1/easy"))]).isAllowed, "a part is not the whole")
    #expect(!decide(catalog, "c/3", [.completion(Completion(item: "c/1"))]).isAllowed)
    #expect(decide(catalog, "c/3", [bought("p")]).isAllowed)
    #expect(decide(catalog, "d/1").reason == .unknownItem && decide(catalog, "c/4").reason == .unknownItem)
  }

  @Test("Snapshots with different answers about an item are not equal") func differentItems() throws {
    let catalog = try Catalog.small(feature, free: "true", extra: extra)
    func snapshot(_ facts: [Fact]) -> Snapshot { Snapshot(of: CustomerState(facts), catalog: catalog, at: t0) }
    let completed = snapshot([.completion(Completion(item: "c/1"))])
    #expect(completed != snapshot([]))
    #expect(completed == snapshot([.completion(Completion(item: "c/1")), .completion(Completion(item: "c/1", subject: "max"))]))
  }

  @Test func withoutMoneyTheRuleStays() throws {
    let catalog = try Catalog.small(feature, paid: "true", extra: extra + #""monetization": "off","#)
    #expect(decide(catalog, "c/1").reason == .monetizationOff)
    #expect(decide(catalog, "c/2").reason == .requiresCompletion)
  }

  @Test func wrongRules() {
    let free = "true"
    let none = Catalog.mistakes(#"{ "allowance": "prerequisite", "in": ["c"] }"#, free: free, extra: extra)
    #expect(none.first?.hasPrefix("missing-key") == true)
    let next = Catalog.mistakes(#"{ "allowance": "prerequisite", "in": ["c"], "requires": "next" }"#, free: free, extra: extra)
    #expect(next.count == 1 && next[0].hasPrefix("bad-value features.f.requires"))
    #expect(Catalog.mistakes(feature, free: "1", extra: extra).first?.hasPrefix("type-mismatch freeTier.grants.f") == true)
  }

  @Test("PUZZ-08 PUZZ-05 PUZZ-07: levels unlock by progress") func levelsUnlockByProgress() throws {
    let level: (String) -> AccessRequest = { AccessRequest("circuit-challenge.progressionLevels", item: ItemPath("levels/" + $0)) }
    let off = Snapshot(of: CustomerState(), catalog: try Shipped.catalog("maxs-puzzles"), at: t0).decision(for: level("1-A"))
    #expect(off.reason == .notAvailable && off.unlockedBy.isEmpty && off.placement == nil)

    let catalog = try Shipped.catalog("maxs-puzzles", releases: ["v1", "v2"])
    let fresh = Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    #expect(fresh.decision(for: level("1-A")).isAllowed)
    let denied = fresh.decision(for: level("1-B"))
    #expect(denied.reason == .requiresCompletion && denied.requires == "levels/1-A" && denied.unlockedBy.isEmpty && denied.placement == nil)
    let after = Snapshot(of: CustomerState([.completion(Completion(item: "levels/1-A"))]), catalog: catalog, at: t0)
    #expect(after.decision(for: level("1-B")).isAllowed && !after.decision(for: level("1-C")).isAllowed)

    let levels = try #require(catalog.collection("levels"))
    #expect(levels.items.count == 30)
    #expect([0, 1, 2, 3, 27, 29].map { levels.items[$0].id } == ["1-A", "1-B", "1-C", "2-A", "10-A", "10-C"])
    for wrong in ["0-A", "1-D", "11-A", "1a"] { #expect(fresh.decision(for: level(wrong)).reason == .unknownItem) }
  }

  @Test("PUZZ-01 PUZZ-03 PUZZ-04: everything of the first release") func everythingOfTheFirstRelease() throws {
    let catalog = try Shipped.catalog("maxs-puzzles")
    let first = catalog.features.filter { $0.release == "v1" }
    #expect(catalog.products.isEmpty && first.count == 13)
    for feature in first {
      let role = feature.roles == nil ? Member.customer : .parent("anna")
      #expect(Snapshot(of: CustomerState(), catalog: catalog, situation: Situation(member: role), at: t0).allows(feature.id))
    }
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    func preset(_ id: String) -> Reason {
      snapshot.decision(for: "circuit-challenge.presets", item: ItemPath(collection: "presets", item: id)).reason
    }
    #expect((1...10).allSatisfy { preset("\($0)") == .free } && preset("custom") == .free && preset("11") == .unknownItem)
  }
}
