// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize
@testable import MonetizeSimulator

/// Each charge is the agreed price, the price of the offer, or nothing, in every shipped scenario. The expected amount comes from the
/// catalog and the steps, not from the store.
@Suite("The law of the amount", .timeLimit(.minutes(10)))
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

  @Test("every charge of every shipped scenario is what the catalog and the steps say") func amounts() async throws {
    var charges = 0
    for file in Self.files {
      guard let law = try await play(file) else { continue }
      #expect(law.violations == [], "\(file.lastPathComponent)")
      charges += law.charges
    }
    #expect(charges > 500, "\(charges) charges were looked at")
  }

  @Test("a store that charges 0.01 for everything is noticed, wherever anything is charged") func cent() async throws {
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

/// The possible charges, from the catalog and the steps alone.
private struct AmountLaw: Sendable {
  /// The prices of a product or offer over time, everywhere and in single storefronts, the newest last.
  private struct Prices: Sendable {
    var everywhere: [Decimal] = []
    var local: [String: [Decimal]] = [:]

    func now(in storefront: String) -> Decimal? { local[storefront]?.last ?? everywhere.last }
    func ever(in storefront: String) -> [Decimal] { everywhere + (local[storefront] ?? []) }
    mutating func add(_ amount: Decimal, in storefront: String?) {
      if let storefront { local[storefront, default: []].append(amount) } else { everywhere.append(amount) }
    }
  }

  private var prices: [ProductID: Prices] = [:]
  /// The prices of offers and codes, by product and name.
  private var offers: [ProductID: [String: Prices]] = [:]
  private var isPlan: Set<ProductID> = []
  private var seen: [CustomerID: Int] = [:]
  private(set) var charges = 0
  /// The number of charges above zero.
  private(set) var costly = 0
  private(set) var violations: [String] = []

  init(_ runner: ScenarioRunner) {
    learn(runner.catalog)
    if let settings = runner.scenario.settings { obey(settings.0) }
  }

  /// Adds the prices of a catalog, only for products that are still unknown.
  private mutating func learn(_ catalog: Catalog) {
    for product in catalog.products where prices[product.id] == nil {
      prices[product.id] = Prices(everywhere: [product.price?.amount ?? 0])
      if product.subscription != nil { isPlan.insert(product.id) }
      for offer in product.subscription?.offers ?? [] {
        let amount = offer.mode == .freeTrial ? 0 : offer.price?.amount ?? 0
        offers[product.id, default: [:]][offer.id ?? offer.type.rawValue, default: Prices()].add(amount, in: nil)
      }
    }
  }

  private mutating func obey(_ settings: WorldSettings) {
    for (product, codes) in settings.codes ?? [:] {
      for (code, amount) in codes { offers[ProductID(product), default: [:]][code, default: Prices()].add(Shop.decimal(amount), in: nil) }
    }
    guard let price = settings.price, let amount = Money.amount(price.amount) else { return }
    if let offer = price.offer {
      offers[price.product, default: [:]][offer, default: Prices()].add(amount, in: price.storefront)
    } else {
      prices[price.product, default: Prices()].add(amount, in: price.storefront)
    }
  }

  mutating func look(at world: StoreWorld, after step: ScenarioStep, _ catalogs: [Catalog]) {
    for catalog in catalogs { learn(catalog) }
    if case .act(.set(let settings), _) = step.content { obey(settings) }
    for customer in world.customers {
      for purchase in customer.purchases.dropFirst(seen[customer.id] ?? 0) where purchase.source == nil && !purchase.isForged {
        look(at: purchase.transaction, customer.settings.storefront)
      }
      seen[customer.id] = customer.purchases.count
    }
  }

  private mutating func look(at transaction: StoreTransaction, _ storefront: String) {
    guard let charged = transaction.price?.amount else { return }
    charges += 1
    costly += charged == 0 ? 0 : 1
    let known = prices[transaction.productID] ?? Prices()
    let allowed: [Decimal]
    if let offer = transaction.offer {
      allowed = offers[transaction.productID]?[offer.id ?? offer.type.rawValue]?.ever(in: storefront) ?? []
    } else if isPlan.contains(transaction.productID) {
      // A subscriber keeps the agreed price until a consent to a higher one.
      allowed = known.ever(in: storefront)
    } else {
      allowed = known.now(in: storefront).map { [$0] } ?? []
    }
    if !allowed.contains(where: { $0 * Decimal(transaction.quantity) == charged }) {
      violations.append("\(transaction.productID) cost \(charged), and may cost \(allowed)")
    }
  }
}
