// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@Suite(.timeLimit(.minutes(30)))
struct AssumedCustomerTests {
  private let now = Date(timeIntervalSince1970: 1_772_366_400)

  private func catalog() throws -> Catalog {
    try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
          "features": { "edit": { "title": "Edits", "allowance": "count", "per": "month" }, "batch": { "of": "edit", "atLeast": 2 },
                        "play": { "allowance": "duration", "per": "day" }, "look": {} },
          "freeTier": { "grants": { "edit": 2, "play": "PT30M" } },
          "products": [{ "kind": "consumable", "id": "edits", "name": "Ten Edits", "credits": { "edit": 10 } }] }
        """#.utf8))
  }

  private func answers(_ customer: AssumedCustomer, _ member: Member = .customer) throws -> Snapshot {
    let catalog = try catalog()
    let bought = try customer.purchases(in: catalog, at: now).map(Fact.transaction)
    func snapshot(_ facts: [Fact]) -> Snapshot {
      Snapshot(of: CustomerState(facts), catalog: catalog, situation: Situation(member: member), at: now)
    }
    return snapshot(bought + (try customer.uses(in: snapshot(bought))))
  }

  @Test("What has ended did so thirty days ago, after one whole period, whatever its length; what never ends is refused")
  func ended() throws {
    let plans = ["P1W", "P1M", "P1Y"].map {
      #"{ "kind": "subscription", "id": "p.\#($0)", "name": "Plan \#($0)", "group": "g", "level": 1, "period": "\#($0)", "grants": { "look": true } }"#
    }
    let pass = #"{ "kind": "nonRenewing", "id": "pass", "name": "Pass", "period": "P3M", "grants": { "look": true } }"#
    let pack = #"{ "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "look": true } }"#
    let json = """
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "look": {} },
        "products": [\((plans + [pass, pack]).joined(separator: ","))] }
      """
    let catalog = try Catalog(json: Data(json.utf8))
    // Also at the end of a month, whose length differs.
    for date in [now, now + 30 * 86400, now - 2 * 86400] {
      for id in ["p.P1W", "p.P1M", "p.P1Y", "pass"] {
        let bought = try AssumedCustomer(ended: [id]).purchases(in: catalog, at: date)
        let status = try #require(
          Snapshot(of: CustomerState(bought.map(Fact.transaction)), catalog: catalog, at: date).status(of: ProductID(id)))
        let ends = try #require(status.expires)
        #expect(status.state == .expired && ends <= date - 30 * 86400 && ends > date - 33 * 86400, "\(id) \(ends)")
      }
    }
    let problem = #expect(throws: ToolProblem.self) { try AssumedCustomer(ended: ["pack"]).purchases(in: catalog, at: self.now) }
    #expect(problem?.description.contains("Pack has no end. Write --owned pack, or remove it.") == true)
  }

  @Test("Credits cover what the free uses do not, and what is beyond both is used as well")
  func credits() throws {
    #expect(try answers(AssumedCustomer(owned: ["edits"], used: ["edit=5"])).decision(for: "edit").remaining == 7)
    #expect(try answers(AssumedCustomer(owned: ["edits"], used: ["edit=99"])).decision(for: "edit").remaining == 0)
    #expect(try answers(AssumedCustomer(used: ["edit=1"])).decision(for: "edit").remaining == 1)
  }

  @Test("Time is a number of seconds or a length")
  func time() throws {
    for text in ["play=600", "play=PT10M", "play=10min", "play=10m", "play=10 minutes"] {
      #expect(try answers(AssumedCustomer(used: [text])).decision(for: "play").remaining == 1200, "\(text)")
    }
    for text in ["play=P1M", "play=1 month", "play=0min", "play=ten", "edit=3min"] {
      #expect(throws: ToolProblem.self, "\(text)") { try answers(AssumedCustomer(used: [text])) }
    }
  }

  @Test("A use of a part is one of its whole, and two amounts for one count are refused")
  func parts() throws {
    #expect(try answers(AssumedCustomer(used: ["batch=1"])).decision(for: "edit").remaining == 1)
    let problem = #expect(throws: ToolProblem.self) { try answers(AssumedCustomer(used: ["batch=1", "edit=1"])) }
    #expect(problem?.description == "--used: edit is counted twice. Write one amount.")
  }

  @Test("The uses are those of the member who asks")
  func members() throws {
    #expect(try answers(AssumedCustomer(used: ["edit=1"]), .child("max")).decision(for: "edit").remaining == 1)
  }
}
