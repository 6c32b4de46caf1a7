// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeReports
import MonetizeSimulator
import Testing

/// No text and no page shows a price that the store did not give or that is not derived from it in its style, a trial to a customer who is not
/// known to be eligible, or a claim that the catalog contradicts. Over random catalogs, stores and histories.
@Suite("Laws of what is shown", .timeLimit(.minutes(30)))
struct ShownPriceLawTests {
  private static let mark: Character = "₪"

  private struct World {
    let text: String
    let sellsSubscriptions: Bool
    var listings: [StoreProduct] = []
    var facts: [Fact] = []
    var isLoaded = true
    var hasAnswered = true
  }

  /// A catalog of one to four products. Its own prices are in dollars and begin with 77, which no store's price does.
  private func world(_ random: inout SplitMix64) -> World {
    let plans = Int.random(in: 0...3, using: &random)
    let periods = ["P1W", "P1M", "P3M", "P1Y"].shuffled(using: &random)
    let trial = Bool.random(using: &random)
    var products = (0..<plans).map { index in
      let offers = trial ? #", "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }]"# : ""
      return
        #"{ "kind": "subscription", "id": "plan\#(index)", "name": "Plan \#(index)", "group": "g", "level": 1, "period": "\#(periods[index])", "price": { "amount": "77.\#(index)7", "currency": "USD" }, "grants": { "f": true }\#(offers) }"#
    }
    if plans == 0 || Bool.random(using: &random) {
      products.append(
        #"{ "kind": "nonConsumable", "id": "once", "name": "Once", "price": { "amount": "77.99", "currency": "USD" }, "grants": { "f": true } }"#
      )
    }
    let text = """
      { "schemaVersion": 1, "app": { "id": "a.b", "name": "App" }, "features": { "f": {} }, "products": [\(products.joined(separator: ","))],
        "paywalls": { "default": { "headline": "All of it", "subtitle": "For {price}", "actions": ["purchase", "restore", "dismiss"] } },
        "legal": { "terms": "https://a.example/t", "privacy": "https://a.example/p", "renewal": "Renews at {price} per {period}.",
                   "cancellation": "Cancel in Settings." } }
      """
    return World(text: text, sellsSubscriptions: plans > 0)
  }

  /// What the store lists and what has happened.
  private func fill(_ world: inout World, _ catalog: Catalog, _ random: inout SplitMix64) {
    let isCommaStyle = Bool.random(using: &random)
    world.listings = catalog.products.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }.map { product in
      let cents = Int.random(in: 1...7699, using: &random)
      let digits = "\(cents / 100)\(isCommaStyle ? "," : ".")\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
      let back = SubscriptionOffer(
        type: .winBack, mode: .payUpFront, period: Period(months: 1), id: "back",
        price: Money(amount: Decimal(cents) / 200, currency: "ILS"))
      let offers = StoreOffer.Eligibility.allCases.randomElement(using: &random).map {
        [StoreOffer(back, displayPrice: "\(Self.mark)\(cents)", eligibility: $0)]
      }
      return StoreProduct(
        id: product.id, displayName: product.name, displayPrice: "\(Self.mark)\(digits)",
        price: Money(amount: Decimal(cents) / 100, currency: "ILS"), period: product.subscription?.period,
        introductoryOffer: Bool.random(using: &random) ? product.subscription?.introductoryOffer : nil,
        offers: product.subscription == nil ? [] : offers ?? [])
    }
    let now = RandomMoment.now
    for product in catalog.products where Int.random(in: 0..<4, using: &random) == 0 {
      let start = now - TimeInterval(Int.random(in: 1...500, using: &random)) * 86400
      world.facts.append(
        .transaction(
          StoreTransaction(
            id: TransactionID(product.id.rawValue), productID: product.id, purchaseDate: start,
            expirationDate: product.subscription?.period.added(to: start, in: .storeCalendar),
            offer: product.subscription != nil && Bool.random(using: &random) ? .init(type: .introductory, mode: .freeTrial) : nil)))
    }
    world.isLoaded = Int.random(in: 0..<5, using: &random) > 0
    world.hasAnswered = Int.random(in: 0..<5, using: &random) > 0
  }

  private enum RandomMoment { static let now = Date(timeIntervalSince1970: 1_772_366_400) }

  /// The texts after the currency's mark that look like amounts.
  private func prices(in text: String) -> Set<String> {
    Set(
      text.split(separator: Self.mark, omittingEmptySubsequences: false).dropFirst().map { part in
        let digits = part.prefix { $0.isNumber || $0 == "." || $0 == "," }
        return digits.trimmingCharacters(in: [".", ","])
      })
  }

  /// The price per month, which is at least a part of the price and less than a cent above it.
  private func derived(_ listing: StoreProduct, _ perMonth: String?, _ seed: UInt64) -> [String] {
    guard let perMonth, let months = listing.period.map({ $0.years * 12 + $0.months }) else { return [] }
    let texts = prices(in: perMonth)
    for text in texts {
      let amount = Money.amount(text.replacingOccurrences(of: ",", with: ".")) ?? -1
      let over = amount * Decimal(months) - listing.price.amount
      #expect(over >= 0 && over < Decimal(months) / 100, "seed \(seed): \(perMonth) of \(listing.displayPrice)")
    }
    return Array(texts)
  }

  @Test("HEAT-32, MAGIC-02, XC-10: every price on a screen is the store's or derived from it; a trial only for the eligible")
  func shown() throws {
    var (count, comebacks) = (0, 0)
    for seed in 1...UInt64(400) {
      var random = SplitMix64(seed: seed)
      var world = world(&random)
      let catalog = try Catalog(json: Data(world.text.utf8))
      fill(&world, catalog, &random)
      guard let paywall = Snapshot(of: CustomerState(), catalog: catalog, at: RandomMoment.now).paywall(at: .default) else { continue }
      let situation = Situation(store: world.hasAnswered ? .answered : .waiting)
      let snapshot = Snapshot(of: CustomerState(world.facts), catalog: catalog, situation: situation, at: RandomMoment.now)
      let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: world.isLoaded ? .loaded(world.listings) : .loading)
      let allowed = Set(
        world.isLoaded
          ? world.listings.flatMap { listing in
            let derived = derived(listing, screen.options.first { $0.id == listing.id }?.pricePerMonth, seed)
            return [listing.displayPrice, listing.winBackOffer?.displayPrice ?? ""].map { String($0.dropFirst()) } + derived
          } : [])
      for text in [screen.text, screen.json, screen.page(app: "App")] {
        let found = prices(in: text)
        #expect(found.isSubset(of: allowed), "seed \(seed): \(found.subtracting(allowed)) is no price of the store")
        #expect(!text.contains("77."), "seed \(seed): the catalog's own price is shown")
        count += found.count
      }
      for option in screen.options {
        let hasTried = world.facts.contains(where: \.isTrial)
        let isEligible =
          world.isLoaded && world.hasAnswered && !hasTried && world.listings.first { $0.id == option.id }?.introductoryOffer != nil
        let plans = snapshot.products.filter { catalog.product($0.product)?.subscription != nil }.map(\.state)
        let hasLeft = plans.contains(.expired) && !plans.contains(where: \.givesAccess)
        let mayComeBack =
          world.isLoaded && world.hasAnswered && hasLeft && world.listings.first { $0.id == option.id }?.winBackOffer != nil
        #expect((option.trial != nil) == (isEligible || mayComeBack), "seed \(seed): \(option.id)")
        #expect(option.offerID == (!isEligible && mayComeBack ? "back" : nil), "seed \(seed): \(option.id)")
        comebacks += option.offerID == nil ? 0 : 1
        if !isEligible { #expect(!option.accessibilityLabel.lowercased().contains("free"), "seed \(seed)") }
      }
    }
    #expect(count > 1000 && comebacks > 10, "The screens showed \(count) prices and \(comebacks) offers to come back only.")
  }

  @Test("DOZZI-20, DOZZI-21: a claim that the catalog contradicts is refused, whatever it sells") func claims() throws {
    for seed in 1...UInt64(100) {
      var random = SplitMix64(seed: seed)
      let world = world(&random)
      let text = world.text.replacingOccurrences(of: "\"legal\"", with: "\"claims\": [\"noSubscriptions\"], \"legal\"")
      let errors = Catalog.reading(Data(text.utf8)).diagnostics.filter { $0.severity == .error }
      #expect(errors.isEmpty == !world.sellsSubscriptions, "seed \(seed): \(errors)")
    }
  }

  @Test("An event has no place for a price: no amount of money is among its values") func events() {
    func values(_ value: Any) -> [Any] { [value] + Mirror(reflecting: value).children.flatMap { values($0.value) } }
    var event = MonetizeEvent(.purchaseCompleted, at: RandomMoment.now, product: "plan0", feature: "f")
    (event.count, event.isPaid, event.properties) = (1, true, ["length": 3])
    #expect(!values(event).contains { $0 is Money || $0 is Decimal })
    #expect(!values(EventRecord(event)).contains { $0 is Money || $0 is Decimal })
  }
}

extension Fact {
  fileprivate var isTrial: Bool {
    if case .transaction(let transaction) = sort { transaction.offer != nil } else { false }
  }
}
