// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize
@testable import MonetizeSimulator

/// Each charge is the agreed price, the price of the offer, or nothing, in every shipped scenario. The expected amount comes from the
/// catalog and the steps, not from the store.
@Suite("The law of the amount", .timeLimit(.minutes(30)))
struct AmountLawTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Examples/Scenarios")

  private static let files: [URL] = {
    let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    return found.filter { $0.pathExtension == "json" && !$0.path.contains("/schema/") }.sorted { $0.path < $1.path }
  }()

  /// The number of checked charges of a scenario, and the wrong ones. `nil` for a file that is no scenario.
  private func play(_ file: URL, breaking: @escaping @Sendable (inout StoreWorld) -> Void = { _ in }) async throws -> AmountLaw? {
    guard let scenario = try? Scenario(json: Data(contentsOf: file)) else { return nil }
    let catalog = URL(fileURLWithPath: scenario.catalogPath, relativeTo: file)
    var runner = try ScenarioRunner(scenario, catalog: Data(contentsOf: catalog))
    let law = Locked(AmountLaw(runner))
    runner.hooks.after = { world, step in
      world.store.state.withLock { breaking(&$0.world) }
      let (store, catalogs) = (world.store.world, world.sessions.map(\.version.catalog))
      law.withLock { $0.look(at: store, after: step, catalogs) }
    }
    _ = await runner.run()
    return law.withLock { $0 }
  }

  @Test("every charge of every shipped scenario matches the catalog and the steps") func amounts() async throws {
    var charges = 0
    for file in Self.files {
      guard let law = try await play(file) else { continue }
      #expect(law.violations == [], "\(file.lastPathComponent)")
      charges += law.charges
    }
    #expect(charges > 500, "\(charges) charges were looked at")
  }

  @Test("a store that charges 0.01 for everything is noticed in every scenario with a charge") func cent() async throws {
    var noticed = 0
    for file in Self.files {
      let honest = try await play(file)
      guard let honest, honest.costly > 0 else { continue }
      let broken = try await play(file) { world in
        for buyer in world.customers.indices {
          for index in world.customers[buyer].purchases.indices {
            guard let price = world.customers[buyer].purchases[index].transaction.price, price.amount != 0 else { continue }
            world.customers[buyer].purchases[index].transaction.price = Money(amount: Shop.decimal("0.01"), currency: price.currency)
          }
        }
      }
      #expect(broken?.violations.isEmpty == false, "\(file.lastPathComponent)")
      noticed += 1
    }
    #expect(noticed > 50)
  }
}
