// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize
@testable import MonetizeSimulator

/// The laws about money detect a store that charges wrongly.
@Suite("Broken on purpose: money", .timeLimit(.minutes(30)))
struct BrokenMoneyTests {
  @Test("A store that breaks a law about money is noticed within a few steps", arguments: Flaw.allCases)
  func noticed(flaw: Flaw) async throws {
    let shelf = try Story.Shelf()
    let found = try await BrokenStoryTests.shortest(breaking: flaw.rawValue, among: 1...20_000, about: flaw.theme, of: shelf) { hooks in
      let till = BrokenTill(flaw: flaw)
      var broken = hooks
      broken.after = { world, step in till.breakIn(world, step) }
      return broken
    }
    let (story, violation) = try #require(found)
    #expect(story.steps.count <= 5, "\(story.file(of: violation))")
    // An intact store has no violation.
    #expect(try await StoryRun.play(story, shelf).violation == nil)
  }

  /// The defect of each broken store, by the law that detects it.
  enum Flaw: String, CaseIterable {
    case chargesTwice = "charged-adds-up"
    case refundsMore = "refunded-within-charged"
    case mixesWorlds = "sandbox-is-no-money"
    case takesTheRise = "no-rise-without-consent"
    case takesDollars = "priced-where-bought"
    case chargesACent = "charged-as-agreed"

    /// The stories that may show the defect.
    var theme: String {
      switch self {
      case .chargesTwice, .chargesACent: "\"purchase\""
      case .refundsMore: "\"refund\""
      case .mixesWorlds: "\"sandbox\""
      case .takesTheRise: "\"price\""
      case .takesDollars: "\"DEU\""
      }
    }
  }
}

private final class BrokenTill: Sendable {
  private let flaw: BrokenMoneyTests.Flaw
  /// Price rises that waited for consent after the previous step.
  private let rises = Locked<[TransactionID: Money]>([:])

  init(flaw: BrokenMoneyTests.Flaw) { self.flaw = flaw }

  func breakIn(_ world: ScenarioWorld, _ step: ScenarioStep) {
    world.store.state.withLock { state in for buyer in state.world.customers.rows { breakIn(&state.world, buyer) } }
  }

  private func breakIn(_ world: inout StoreWorld, _ buyer: Row<Customer>) {
    let paid = world.customers[buyer].purchases.rows.filter { row in
      let purchase = world.customers[buyer].purchases[row]
      return purchase.source == nil && !purchase.isForged && purchase.transaction.price?.amount ?? 0 > 0
    }
    guard let last = paid.last else { return }
    let transaction = world.customers[buyer].purchases[last].transaction
    switch flaw {
    case .chargesTwice: if let price = transaction.price { world.customers[buyer].account(transaction.environment) { $0.charge(price) } }
    case .refundsMore:
      for row in paid where world.customers[buyer].purchases[row].refunded > 0 { world.giveBack(1, row, buyer, canBeReversed: true) }
    case .mixesWorlds:
      for index in world.customers[buyer].ledgers.indices { world.customers[buyer].ledgers[index].environment = .production }
    case .takesTheRise: takeRise(&world, buyer)
    case .takesDollars:
      guard world.customers[buyer].settings.storefront == "DEU", let price = transaction.price, price.currency == "EUR" else { return }
      take(Money(amount: price.amount, currency: "USD"), for: last, &world, buyer, paid)
    case .chargesACent:
      guard let price = transaction.price else { return }
      take(Money(amount: Shop.decimal("0.01"), currency: price.currency), for: last, &world, buyer, paid)
    }
  }

  /// Another price, with all sums right.
  private func take(_ price: Money, for last: Row<Purchase>, _ world: inout StoreWorld, _ buyer: Row<Customer>, _ paid: [Row<Purchase>]) {
    world.customers[buyer].purchases[last].transaction.price = price
    world.customers[buyer].ledgers = []
    for row in paid {
      let purchase = world.customers[buyer].purchases[row].transaction
      if let price = purchase.price { world.customers[buyer].account(purchase.environment) { $0.charge(price) } }
    }
  }

  /// Renews a subscription that ended without consent, at the price without consent.
  private func takeRise(_ world: inout StoreWorld, _ buyer: Row<Customer>) {
    for chain in world.customers[buyer].chains where !chain.isShared && !chain.isForgotten {
      if chain.reason == .didNotConsentToPriceIncrease, let price = rises.withLock({ $0.removeValue(forKey: chain.originalID) }) {
        let request = PurchaseRequest(world.products[chain.product].id)
        _ = world.record(
          Order(request: request, product: chain.product, buyer: buyer, date: chain.expires), chain.environment,
          originalID: chain.originalID, from: chain.expires, to: chain.expires, price: price, reason: .renewal)
      } else if let rise = chain.priceRise, rise.needsConsent, !rise.isAgreed {
        rises.withLock { $0[chain.originalID] = rise.price.money }
      }
    }
  }
}
