// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Questions to a monetizer, over all ids of a catalog with 44 features. Each feature of the subscriber ends with the period, so that each
/// question looks at the clock; the customer who has bought nothing is the other case.
func measureQuestions(isQuick: Bool) throws -> [Figure] {
  let catalog = try Bench.catalog44()
  let subscriber = Bench.monetizer(catalog, try Bench.storage([Bench.subscription()]))
  let free = Bench.monetizer(catalog, MemoryStorage())
  let texts = catalog.features.map(\.id.rawValue)
  let ids = catalog.features.map(\.id)
  let dictionary = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ($1, $0) })
  let snapshot = subscriber.snapshot
  let items = ids.filter { $0.rawValue.hasPrefix("generated") && catalog.feature($0).map { type(of: $0.shape).name == "items" } == true }
  let levels = ids.filter { catalog.feature($0).map { type(of: $0.shape).name == "level" && $0.part == nil } == true }
  let paths = (1...20).map { ItemPath(collection: "denny", item: "\($0)") }
  guard subscriber.allows("growthPathCollections"), !free.allows("growthPathCollections") else {
    throw Failure("The catalog is not as expected.")
  }
  let loops = isQuick ? 50 : 100

  func over<Question>(_ name: String, _ all: [Question], _ ask: @escaping (Question) -> Bool) -> Runner {
    let repeats = max(1, loops * 44 / all.count)
    return Runner(name: name, operations: repeats * all.count) {
      var sum = 0
      for _ in 0..<repeats { for question in all where ask(question) { sum += 1 } }
      return sum
    }
  }
  let runners = [
    over("Dictionary<String, Int> look-up", texts) { (dictionary[$0] ?? 0) & 1 == 0 },
    over("allows(feature), subscriber", ids) { subscriber.allows($0) },
    over("allows(feature), free customer", ids) { free.allows($0) },
    over("allows, the id made at the call", texts) { subscriber.allows(FeatureID(rawValue: $0)) },
    over("decision(for: feature)", ids) { subscriber.decision(for: $0).isAllowed },
    over("decision(for: feature, item:)", paths) { path in subscriber.decision(for: items[0], item: path).isAllowed },
    over("decision with a level", levels.flatMap { feature in ["low", "high"].map { AccessRequest(feature, level: $0) } }) {
      subscriber.decision(for: $0).isAllowed
    },
    over("an item, judged anew (a snapshot)", paths) { path in snapshot.decision(for: items[0], item: path).isAllowed },
    over("snapshot.allows(feature)", ids) { snapshot.allows($0) },
    over("a switch by hand (Magical Stories)", StoriesFeature.allCases) { $0.isAllowed(isPremium: true) },
  ]
  return Harness.race(
    rounds: isQuick ? 40 : 100, runners,
    goals: [
      "allows(feature), subscriber": 1.5, "allows(feature), free customer": 1.5, "decision(for: feature)": 2,
      "decision(for: feature, item:)": 3, "decision with a level": 3, "snapshot.allows(feature)": 0.7,
    ],
    allocationGoals: ["allows(feature), subscriber": 0, "allows(feature), free customer": 0, "snapshot.allows(feature)": 0])
}
