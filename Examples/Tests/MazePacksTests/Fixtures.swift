// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazePacks
import Monetize

extension ProductID {
  static let denny: Self = "com.example.mazes.pack.denny"
  static let robin: Self = "com.example.mazes.pack.robin"
}

extension CollectionID {
  static let denny: Self = "denny"
  static let robin: Self = "robin"
}

/// The shipped file, and changed copies of it: content only, no code.
enum MazeFile {
  struct PatchMissed: Error { let text: String }

  static let url = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Products/maze-packs.json")

  static func json(_ patches: (old: String, new: String)...) throws -> Data { try patched(patches) }

  /// A second pack, as an app's team would add it: one collection, one product.
  static func twoPacks() throws -> MazeCatalog {
    let robin =
      #""robin": { "title": "Robin's Stories", "cover": "robin-cover", "theme": "robin", "items": 20,"#
      + #" "parts": ["easy", "medium", "hard"] }"#
    let product =
      #"{ "kind": "nonConsumable", "id": "com.example.mazes.pack.robin", "name": "Robin's Stories", "description": "All stories of this pack.","#
      + #" "price": { "amount": "9.99", "currency": "USD" }, "grants": { "story.play": { "robin": "unlimited" } } }"#
    return try MazeCatalog(
      json: json(
        (#""hard"] }"#, #""hard"] }, "# + robin), (#"{ "denny": "unlimited" } }"#, #"{ "denny": "unlimited" } }"#),
        (#""unlimited" } } }"#, #""unlimited" } } }, "# + product)))
  }

  static func patched(_ patches: [(old: String, new: String)]) throws -> Data {
    var text = try String(contentsOf: url, encoding: .utf8)
    for (old, new) in patches {
      guard text.components(separatedBy: old).count == 2 else { throw PatchMissed(text: old) }
      text = text.replacingOccurrences(of: old, with: new)
    }
    return Data(text.utf8)
  }
}

/// An app with a controlled store, clock and gate.
struct App {
  let store: ScriptedStore
  let clock: StandingClock
  let log: EventLog
  let shop: MazeShop
  var monetizer: Monetizer { shop.monetizer }
  var grid: StoryGrid? { shop.grid(of: .denny, at: .easy) }

  /// Launches the app. With `answered: false` the store has not answered yet.
  static func launch(
    _ maze: MazeCatalog? = nil, store: ScriptedStore = ScriptedStore(), storage: any StateStorage = .memory, gateOpens: Bool = true,
    answered: Bool = true
  ) async throws -> App {
    let clock = StandingClock()
    let log = EventLog()
    let shop = MazeShop(try maze ?? MazeCatalog(contentsOf: MazeFile.url)) {
      $0.store = store
      $0.storage = storage
      $0.time = clock
      $0.parentalGate = ScriptedGate(opens: gateOpens)
      $0.onEvent = { log.add($0) }
      $0.startsByItself = false
    }
    if answered { await shop.monetizer.start() }
    return App(store: store, clock: clock, log: log, shop: shop)
  }

  /// The numbers of the playable stories of a pack, at each difficulty.
  func playable(_ pack: CollectionID = .denny) -> [Difficulty: [Int]] {
    Dictionary(uniqueKeysWithValues: Difficulty.allCases.map { ($0, playable(pack, $0)) })
  }

  func playable(_ pack: CollectionID = .denny, _ difficulty: Difficulty) -> [Int] {
    shop.grid(of: pack, at: difficulty)?.cells.filter { $0.access.lock == .open }.map(\.number) ?? []
  }

  func level(_ number: Int, _ difficulty: Difficulty = .easy, in pack: CollectionID = .denny) -> StoryLevel {
    Story(pack: pack, id: "\(number)").level(difficulty)
  }

  /// Taps, passes the gate and buys.
  func buy(_ pack: CollectionID = .denny) async throws -> PurchaseOutcome? {
    guard case .offer(let offer) = await shop.offer(for: pack) else { return nil }
    return try await shop.buy(offer)
  }
}

/// The view in place of a story in the grid.
enum Lock: Equatable {
  case open
  case locked(ProductID)
  case waiting(Reason)
  case closed(Reason)
}

extension FeatureAccess {
  var lock: Lock {
    switch self {
    case .open: .open
    case .offer(let paywall, let decision): paywall.products.first.map(Lock.locked) ?? .closed(decision.reason)
    case .waiting(let decision): .waiting(decision.reason)
    case .closed(let decision): .closed(decision.reason)
    }
  }
}
