// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SmokeTests {
  @Test func mazeMatrix() async throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let reading = Catalog.reading(try Data(contentsOf: url.appendingPathComponent("Products/maze-packs.json")))
    for d in reading.diagnostics { print(d) }
    let catalog = try #require(reading.catalog)
    let now = Date(timeIntervalSince1970: 1_772_366_400)
    let pack: ProductID = "com.example.mazes.pack.denny"
    func allowed(_ snapshot: Snapshot) -> Int {
      var count = 0
      for item in 1...20 {
        for part in ["easy", "medium", "hard"] where snapshot.decision(for: "story.play", item: ItemPath("denny/\(item)/\(part)")!).isAllowed { count += 1 }
      }
      return count
    }
    let before = Snapshot(of: CustomerState(), catalog: catalog, at: now)
    #expect(allowed(before) == 9)
    #expect(before.decision(for: "story.play", item: "denny/4").unlockedBy == [pack])
    let after = Snapshot(of: CustomerState([.transaction(StoreTransaction(id: "1", productID: pack, purchaseDate: now))]), catalog: catalog, at: now)
    #expect(allowed(after) == 60)
    #expect(after.newlyAllowed(since: before).count == 17)
    #expect(after.decision(for: "story.play", item: "denny/21").reason == .unknownItem)
    #expect(after.decision(for: "story.play", item: "denny/20").reason == .owned)
  }
}
