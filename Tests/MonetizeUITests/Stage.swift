// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import MonetizeUI
import SwiftUI

/// An app over the simulated store, with a clock of its own and a parental gate whose numbers are known.
@MainActor final class Stage {
  static let start = Date(timeIntervalSince1970: 1_772_366_400)  // 2026-03-01T12:00:00Z
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  let app: String
  let catalog: Catalog
  let store: SimulatedStore
  let device: SimulatedDevice
  let model: MonetizerModel
  var monetizer: Monetizer { model.monetizer }
  /// The addresses that views have opened.
  private(set) var opened: [String] = []
  private var hosts: [ViewHost] = []

  private static let names = [
    "com.example.mazes": "maze-packs", "com.heatlab": "heatlab", "com.magicalstories": "magical-stories", "com.dozzi": "dozzi",
    "com.maxspuzzles": "maxs-puzzles",
  ]

  static func catalog(_ app: String, _ change: (String) -> String = { $0 }) throws -> Catalog {
    let text = try String(contentsOf: root.appendingPathComponent("Products/\(app).json"), encoding: .utf8)
    return try Catalog(json: Data(change(text).utf8))
  }

  /// Sets an app up.
  /// - Parameters:
  ///   - owned: What was bought before the launch.
  ///   - isAnswered: Whether the store has answered.
  convenience init(_ app: String, owns owned: [ProductID] = [], isAnswered: Bool = true, seed: UInt64 = 1) async throws {
    try await self.init(catalog: Self.catalog(app), owns: owned, isAnswered: isAnswered, seed: seed)
  }

  init(
    catalog: Catalog, owns owned: [ProductID] = [], isAnswered: Bool = true, seed: UInt64 = 1,
    wrap: (SimulatedDevice) -> any StoreBackend = { $0 }
  ) async throws {
    (self.catalog, app) = (catalog, Self.names[catalog.app.id] ?? "")
    store = SimulatedStore(catalog: catalog, start: Self.start, seed: seed)
    device = store.device()
    for product in owned { _ = try await device.purchase(PurchaseRequest(product)) }
    let prompt = ParentalPrompt(generator: SeededGenerator(seed))
    let (backend, time) = (wrap(device), device.time)
    let names = Names()
    let monetizer = Monetizer(catalog: catalog) {
      $0.store = backend
      $0.time = time
      $0.zone = { TimeZone(secondsFromGMT: 0) ?? .current }
      $0.parentalGate = prompt
      $0.startsByItself = false
      $0.makeID = { names.next() }
    }
    if isAnswered { await monetizer.start() }
    model = MonetizerModel(monetizer, prompt: prompt)
  }

  /// Shows a view of the app.
  func show(_ view: some View, width: Double = 390, height: Double = 844, _ configure: (inout ViewHostSettings) -> Void = { _ in })
    -> ViewHost
  {
    let host = ViewHost(view.monetizer(model), width: width, height: height) { settings in
      settings.openURL = OpenURLAction { url in
        MainActor.assumeIsolated { self.opened.append(url.absoluteString) }
        return .handled
      }
      configure(&settings)
    }
    _ = host.tree
    hosts.append(host)
    return host
  }

  /// Waits until nothing that is under way changes a view any more. By turns of the main thread, without a clock.
  func settle() async {
    var quiet = 0
    for _ in 0..<4000 where quiet < 60 {
      let before = hosts.map(\.renderings)
      await monetizer.settled()
      await Task.yield()
      for host in hosts { _ = host.tree }
      // On a busy machine the news may be on their way from another thread.
      quiet = hosts.map(\.renderings) == before && model.snapshot == monetizer.snapshot ? quiet + 1 : 0
    }
  }

  /// Answers the parental gate's task on the screen.
  func passGate(_ host: ViewHost, right: Bool = true) async {
    await settle()
    guard let question = host.texts.first(where: { $0.contains("×") }) else { return }
    let numbers = question.split { !$0.isNumber }.compactMap { Int($0) }
    for digit in "\(numbers.reduce(1, *) + (right ? 0 : 1))" { host.tap("\(digit)") }
    host.tap("Continue")
    await settle()
  }

  func tap(_ name: String, in host: ViewHost) async -> Bool {
    let isTapped = host.tap(name)
    await settle()
    return isTapped
  }
}

/// Names for runs and uses, in order.
private final class Names: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func next() -> String {
    lock.lock()
    defer { lock.unlock() }
    count += 1
    return "id\(count)"
  }
}

/// Numbers that a seed decides.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
