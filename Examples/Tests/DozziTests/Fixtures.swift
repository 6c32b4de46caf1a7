// SPDX-License-Identifier: Apache-2.0
import Dozzi
import Foundation
import Monetize
import MonetizeSimulator

/// The shipped files.
enum Product {
  static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Products/\(name).json")
  }
}

extension ProductID {
  static let unlimited: Self = "com.dozzi.unlimited_stories"
}

struct Parent: ParentalGate {
  var isThere = true
  func challenge() async -> Bool { isThere }
}

/// Dozzi on a device of a simulated store; `restart` starts the next process with the same disk.
struct App {
  let store: SimulatedStore
  let device: SimulatedDevice
  let storage: any StateStorage
  let secure: MemoryStorage
  let dozzi: Dozzi

  static func launch(
    store: SimulatedStore? = nil, storage: any StateStorage = MemoryStorage(), secure: MemoryStorage = MemoryStorage(),
    parentIsThere: Bool = true, source: SourceID = .device, checks: PurchaseChecks? = nil
  ) async throws -> App {
    let url = Product.url("dozzi")
    let store = try store ?? SimulatedStore(catalog: Catalog(contentsOf: url), start: Date(timeIntervalSince1970: 1_772_366_400))
    let device = store.device("phone", customer: "ann")
    let dozzi = try Dozzi(contentsOf: url) {
      $0.store = checks.map { CheckedStore(device, $0) } ?? device
      $0.storage = storage
      $0.secureStorage = secure
      $0.time = device.time
      $0.parentalGate = Parent(isThere: parentIsThere)
      $0.source = source
      $0.startsByItself = false
    }
    await dozzi.monetizer.start()
    return App(store: store, device: device, storage: storage, secure: secure, dozzi: dozzi)
  }

  func restart() async throws -> App { try await App.launch(store: store, storage: storage, secure: secure) }
  func reinstall() async throws -> App { try await App.launch(store: store, secure: secure) }

  var monetizer: Monetizer { dozzi.monetizer }
  var counter: String { dozzi.status.counter.description }

  @discardableResult
  func buy() async throws -> PurchaseOutcome {
    try await monetizer.purchase(.unlimited, pass: monetizer.passParentalGate())
  }

  /// Makes a story, and returns the outcome.
  func make(_ id: String = UUID().uuidString, fails: Bool = false) async -> String {
    let creation = await dozzi.create(id: id) {
      if fails { throw GenerationFailed() }
      return "Once upon a time"
    }
    switch creation {
    case .done: return "story"
    case .paywall(let paywall, _): return "paywall \(paywall.placement)"
    case .gateFailed: return "gateFailed"
    case .waiting(let decision): return "waiting \(decision.reason)"
    case .closed(let decision): return "closed \(decision.reason)"
    case .failed: return "failed"
    }
  }
}

struct GenerationFailed: Error {}
