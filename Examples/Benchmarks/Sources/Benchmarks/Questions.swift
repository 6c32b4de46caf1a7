// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Asks a monetizer about all ids of a catalog with 44 features. Each feature of the subscriber ends with the period, so each question
/// reads the clock. The other case is a customer without purchases.
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
  let paths = ["denny", "ada"].flatMap { collection in (1...20).map { ItemPath(collection: CollectionID(collection), item: "\($0)") } }
  guard subscriber.allows("growthPathCollections"), !free.allows("growthPathCollections") else {
    throw Failure("The catalog is not as expected.")
  }
  let loops = isQuick ? 50 : 100
  let rounds = isQuick ? 40 : 100

  func over<Question>(_ name: String, _ all: [Question], _ ask: @escaping (Question) -> Bool) -> Runner {
    let repeats = max(1, loops * 44 / all.count)
    return Runner(name: name, operations: repeats * all.count) {
      var sum = 0
      for _ in 0..<repeats { for question in all where ask(question) { sum += 1 } }
      return sum
    }
  }
  let plain = Harness.race(
    rounds: rounds,
    [
      over("Dictionary<String, Int> look-up", texts) { (dictionary[$0] ?? 0) & 1 == 0 },
      over("allows(feature), subscriber", ids) { subscriber.allows($0) },
      over("allows(feature), free customer", ids) { free.allows($0) },
      over("decision(for: feature)", ids) { subscriber.decision(for: $0).isAllowed },
      over("snapshot.allows(feature)", ids) { snapshot.allows($0) },
      over("allows, the id made from a text at the call", texts) { subscriber.allows(FeatureID(rawValue: $0)) },
      over("decision(for: feature, item:)", paths) { path in subscriber.decision(for: items[0], item: path).isAllowed },
      over("decision with a level", levels.flatMap { feature in ["low", "high"].map { AccessRequest(feature, level: $0) } }) {
        subscriber.decision(for: $0).isAllowed
      },
      over("a switch by hand (Magical Stories)", StoriesFeature.allCases) { $0.isAllowed(isPremium: true) },
    ],
    goals: [
      "allows(feature), subscriber": 1.75, "allows(feature), free customer": 1.75, "decision(for: feature)": 2.25,
      "snapshot.allows(feature)": 0.5,
    ],
    allocationGoals: [
      "allows(feature), subscriber": 0, "allows(feature), free customer": 0, "decision(for: feature)": 0, "snapshot.allows(feature)": 0,
    ])
  let literal = Harness.race(
    rounds: rounds,
    [
      Runner(name: "allows, ids that are kept", operations: loops * 8) {
        (0..<loops).reduce(0) { sum, _ in sum + askKept(subscriber) }
      },
      Runner(name: "allows, ids written as literals", operations: loops * 8) {
        (0..<loops).reduce(0) { sum, _ in sum + askLiterals(subscriber) }
      },
    ], goals: ["allows, ids written as literals": 1.1], allocationGoals: ["allows, ids written as literals": 0])
  // A list on the screen: its questions at each of 120 frames a second may take one percent of a frame.
  let screen = (0..<60).map { paths[$0 % paths.count] }
  let list = Harness.race(
    rounds: rounds,
    [
      Runner(name: "60 questions with items", operations: 10) {
        (0..<10).reduce(0) { sum, _ in
          sum + screen.reduce(0) { $0 + (subscriber.decision(for: items[0], item: $1).isAllowed ? 1 : 0) }
        }
      }
    ], goals: ["60 questions with items": 1])
  return plain + literal + list.map { $0.compared(with: "1 % of 1/120 s", of: 83_333) }
}

/// Ids of Magical Stories, kept as static constants.
extension FeatureID {
  fileprivate static let story: Self = "story"
  fileprivate static let childProfiles: Self = "childProfiles"
  fileprivate static let growthPathCollections: Self = "growthPathCollections"
  fileprivate static let storyLibrary: Self = "storyLibrary"
  fileprivate static let offlineReading: Self = "offlineReading"
  fileprivate static let customThemes: Self = "customThemes"
  fileprivate static let priorityGeneration: Self = "priorityGeneration"
  fileprivate static let parentalAnalytics: Self = "parentalAnalytics"
}

@inline(never)
private func askKept(_ monetizer: Monetizer) -> Int {
  var sum = 0
  if monetizer.allows(.story) { sum += 1 }
  if monetizer.allows(.childProfiles) { sum += 1 }
  if monetizer.allows(.growthPathCollections) { sum += 1 }
  if monetizer.allows(.storyLibrary) { sum += 1 }
  if monetizer.allows(.offlineReading) { sum += 1 }
  if monetizer.allows(.customThemes) { sum += 1 }
  if monetizer.allows(.priorityGeneration) { sum += 1 }
  if monetizer.allows(.parentalAnalytics) { sum += 1 }
  return sum
}

@inline(never)
private func askLiterals(_ monetizer: Monetizer) -> Int {
  var sum = 0
  if monetizer.allows("story") { sum += 1 }
  if monetizer.allows("childProfiles") { sum += 1 }
  if monetizer.allows("growthPathCollections") { sum += 1 }
  if monetizer.allows("storyLibrary") { sum += 1 }
  if monetizer.allows("offlineReading") { sum += 1 }
  if monetizer.allows("customThemes") { sum += 1 }
  if monetizer.allows("priorityGeneration") { sum += 1 }
  if monetizer.allows("parentalAnalytics") { sum += 1 }
  return sum
}

/// Makes a snapshot of each of the five apps, for a customer with all products on sale, a few uses, and a hundred other facts.
func measureSnapshots(isQuick: Bool) throws -> [Figure] {
  try Bench.apps.map { app in
    let catalog = try Bench.catalog(app)
    var facts = catalog.products.enumerated().map { number, product in
      Fact.transaction(
        StoreTransaction(
          id: TransactionID("t\(number)"), productID: product.id, purchaseDate: Bench.start,
          expirationDate: Bench.start.addingTimeInterval(30 * 86400)))
    }
    for (number, feature) in catalog.features.enumerated() where type(of: feature.shape).isMetered && feature.part == nil {
      let day = Int(Bench.start.timeIntervalSince1970 / 86400)
      facts += (0..<100).map {
        Fact.use(Use(key: "\(number)-\($0)", feature: feature.id, date: Bench.start, day: day - $0, zone: "GMT", run: "earlier"))
      }
    }
    let state = CustomerState(facts)
    let now = Bench.start.addingTimeInterval(86400)
    let name = "a snapshot of \(app)"
    let repeats = isQuick ? 20 : 50
    let runner = Runner(name: name, operations: repeats) {
      (0..<repeats).reduce(0) { sum, _ in sum + Snapshot(of: state, catalog: catalog, at: now).products.count }
    }
    return Harness.race(rounds: isQuick ? 20 : 50, [runner], goals: [name: 1])[0].compared(with: "100 µs", of: 100_000)
  }
}
