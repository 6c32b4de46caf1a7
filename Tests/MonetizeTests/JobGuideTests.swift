// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// The Swift code of the guides on buying, spending and families, line by line, run as the guides describe it.
@Suite("Guides of jobs", .timeLimit(.minutes(30)))
struct JobGuideTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "com.example.games", "name": "Games" },
      "features": {
        "story": { "title": "Stories", "allowance": "count", "per": "month", "unit": { "one": "story", "other": "stories" } },
        "playTime": { "title": "Play time", "allowance": "duration", "per": "day" },
        "profiles": { "title": "Profiles", "allowance": "capacity" },
        "play": { "title": "Games" }, "export": { "title": "Export" },
        "shop": { "title": "Shop", "allowance": "coins", "in": ["skins"] } },
      "collections": { "skins": { "title": "Skins", "items": [{ "id": "red", "coins": 5 }, { "id": "blue", "coins": 9 }] } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "export": true } } },
      "freeTier": { "grants": { "story": 5, "playTime": "PT1H", "profiles": 2, "play": true, "shop": true } },
      "products": [
        { "kind": "subscription", "id": "pro.year", "name": "Pro", "group": "pro", "level": 1, "period": "P1Y", "entitlements": ["pro"],
          "price": { "amount": "19.99", "currency": "USD" } },
        { "kind": "consumable", "id": "ten.stories", "name": "Ten stories", "credits": { "story": 10 },
          "price": { "amount": "2.99", "currency": "USD" } }] }
    """
  private static let noon = Date(timeIntervalSince1970: 1_772_366_400)  // 2026-03-01T12:00:00Z

  private let store: SimulatedStore
  private let monetizer: Monetizer

  init() throws {
    let catalog = try Catalog(json: Data(Self.catalog.utf8))
    let store = SimulatedStore(catalog: catalog, start: Self.noon)
    self.store = store
    monetizer = Monetizer(catalog: catalog) {
      let device = store.device()
      ($0.store, $0.time, $0.startsByItself) = (device, device.time, false)
      $0.zone = { Calendar.storeCalendar.timeZone }
    }
  }

  /// What the guides' app does on the screen.
  private func show(_ content: Any?...) {}
  private func showProgress() {}
  private func celebrate() {}
  private func close() {}

  @Test("Every line of code in these guides is compiled", arguments: ["Buying", "Spending", "Families", "Remote-configuration"])
  func lines(guide: String) throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
    func lines(_ text: some StringProtocol) -> [String] {
      text.components(separatedBy: "\n").map { line in
        // Without a comment at its end.
        line.replacing(#/ +\/\/ .*$/#, with: "").trimmingCharacters(in: .whitespaces)
      }
    }
    let compiled = try Set(
      ["JobGuideTests", "GuideTests"].flatMap { name in
        lines(try String(contentsOf: here.appendingPathComponent("\(name).swift"), encoding: .utf8))
      })
    let text = try String(contentsOf: root.appendingPathComponent("Docs/Guides/\(guide).md"), encoding: .utf8)
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let missing = blocks.flatMap { lines($0) }.filter { !$0.isEmpty && !$0.hasPrefix("//") && !compiled.contains($0) }
    #expect(!blocks.isEmpty && missing == [])
  }

  struct AskAParent: ParentalGate {
    func challenge() async -> Bool { await showMultiplication() }
    private func showMultiplication() async -> Bool { true }
  }

  @Test("Buying.md: the app's own gate gives a pass for one action") func gate() async throws {
    let json = Self.catalog.replacingOccurrences(of: "\"features\"", with: "\"parentalGate\": {}, \"features\"")
    let gated = Monetizer(catalog: try Catalog(json: Data(json.utf8))) { ($0.parentalGate, $0.startsByItself) = (AskAParent(), false) }
    #expect(throws: GateRequired.self) { try gated.usePass(nil, for: .links) }
    let pass = try await gated.passParentalGate()
    try gated.usePass(pass, for: .links)
    #expect(throws: GateRequired.self) { try gated.usePass(pass, for: .links) }
  }

  @Test("Buying.md: prices, a purchase, offers, plans, restoring, sheets, gifts") func buying() async throws {
    await monetizer.start()
    var prices: [String] = []
    func showPrices(_ lines: [String]) { prices = lines }
    for await loading in monetizer.loadProducts() {
      switch loading {
      case .loading: showProgress()
      case .loaded(let products): showPrices(products.map { "\($0.displayName): \($0.displayPrice)" })
      case .failed(let error, let retriesAt): show(error, retriesAt)
      }
    }
    #expect(prices.count == 2 && prices[0].hasPrefix("Pro: "))
    try await purchase()
    try await options()
    try await restore()
    let nextYear = Self.noon + 400 * 86400
    await monetizer.give(["pro"], id: "from-support", until: nextYear)
    #expect(monetizer.snapshot.summary(of: "pro") != nil)
    await monetizer.takeBack(gift: "from-support")
  }

  @Test("Buying.md: credits without a purchase") func credits() async throws {
    for _ in 0..<2 {
      await monetizer.give(credits: ["story": 3], id: "reward-2026-03-01")
    }
    #expect(monetizer.decision(for: "story").remaining == 8 && monetizer.decision(for: "story").credits == 3)
  }

  @Test("Buying.md: a first week is open to customers who got the app within it, and to no others") func welcome() async throws {
    await monetizer.start()
    for (days, isOpen) in [(6.0, true), (7, false)] {
      await store.setAccount { $0.originalPurchaseDate = Self.noon - days * 86400 }
      let app = try await monetizer.appTransaction()
      await monetizer.give(["pro"], id: "welcome", until: app.originalPurchaseDate + 7 * 86400)
      #expect(monetizer.allows("export") == isOpen)
    }
  }

  private func purchase() async throws {
    let pass = try await monetizer.passParentalGate()
    switch try await monetizer.purchase("pro.year", pass: pass) {
    case .completed: celebrate()
    case .alreadyOwned: close()
    case .pending: show("The purchase waits for approval.")
    case .cancelled: break
    case .unverified, .failed: show("The purchase could not be completed. If you were charged, tap Restore Purchases; otherwise try again.")
    }
    #expect(monetizer.allows("export"))
  }

  private func options() async throws {
    let (pass, signature) = (try await monetizer.passParentalGate(), "signed by a server")
    let outcome = try await monetizer.purchase("pro.year", offer: "winback", pass: pass)
    #expect(outcome.name == "failed", "not eligible")
    let credits = try await monetizer.purchase("ten.stories", quantity: 2, pass: pass)
    #expect(credits.name == "completed" && monetizer.decision(for: "story").remaining == 25)
    let signed = PurchaseRequest("pro.year", offerID: "loyal", signature: .jws(signature))
    let promotion = try await monetizer.purchase(signed, pass: pass)
    #expect(promotion.name == "failed", "not eligible")
    let status = monetizer.snapshot.status(of: "pro.year")
    show(status?.renewsInto)
  }

  private func restore() async throws {
    let (pass, transactionID) = (try await monetizer.passParentalGate(), TransactionID("1"))
    switch try await monetizer.restorePurchases(pass: pass) {
    case .restored(let products): show("Restored: \(products)")
    case .nothingActive: show("Your purchases have ended.")
    case .nothingToRestore: show("There are no purchases on this account.")
    case .cancelled: break
    case .failed: show("The store could not be reached. Your purchases are still known on this device.")
    }
    try await monetizer.show(.subscriptions, pass: pass)
    try await monetizer.show(.refund(transactionID), pass: pass)
    try await monetizer.show(.code, pass: pass)
  }

  private struct Story: Sendable { var id = "bear" }
  private func generate(_ request: Story) async throws -> String { "Once upon a time." }

  @Test("Spending.md: work that can fail, a button, a server, amounts, coins") func spending() async throws {
    await monetizer.start()
    let request = Story()
    let story = try await monetizer.withSpending("story", key: request.id) { try await generate(request) }
    show(story)
    switch await monetizer.perform("story", key: request.id, { try await generate(request) }) {
    case .done(let story): show(story)
    case .paywall(let paywall, let pass): show(paywall, pass)
    case .waiting: showProgress()
    case .closed(let decision): show(decision.text(for: monetizer.catalog.feature("story")))
    case .failed(let error): show(error)
    case .gateFailed: break
    }
    #expect(monetizer.decision(for: "story").remaining == 4, "one key, one use")
    for isFinished in [true, false] { try await serverWork(Story(id: "server \(isFinished)"), isFinished) }
    #expect(monetizer.decision(for: "story").remaining == 3)

    let profiles = ["Mia"]
    let decision = try await monetizer.spend("playTime", count: 60)
    try await monetizer.spend("story", count: 3)
    try await monetizer.spend(AccessRequest("profiles", held: profiles.count))
    #expect(decision.isAllowed && monetizer.decision(for: "story").remaining == 0)
    let day = Int(Self.noon.timeIntervalSince1970 / 86400)
    await monetizer.record(ReportedTotal(feature: "story", source: "server", amount: 2, unit: .month, day: day))
    #expect(monetizer.decision(for: "story").used == 7)

    await monetizer.access.earn(5, for: "level 3")
    let left = try await monetizer.access.buy("skins/red", of: "shop")
    #expect(left == 0)
  }

  private func serverWork(_ request: Story, _ isFinished: Bool) async throws {
    struct Server: Sendable {
      let isFinished: Bool
      func finished(_ request: Story) async -> Bool { isFinished }
    }
    let server = Server(isFinished: isFinished)
    let reservation = try await monetizer.reserve(AccessRequest("story"), key: request.id)
    if await server.finished(request) {
      await monetizer.commit(reservation)
    } else {
      await monetizer.release(reservation)
    }
  }

  @Test("Families.md: a child has uses and limits of its own") func families() async throws {
    await monetizer.start()
    let mia = await monetizer.addChild(named: "Mia")
    let access = monetizer.as(mia.member)
    let allowedForMia = access.allows("play")
    let allowed = monetizer.allows("play")
    try await access.spend("playTime", count: 60)
    #expect(allowedForMia && allowed)
    #expect(monetizer.decision(for: "playTime").used == 0)
    await monetizer.rename(mia.id, to: "Mia Marie")

    await monetizer.as(mia.member).limit("playTime", to: .duration(Period(seconds: 1800)))
    await monetizer.as(mia.member).limit("story", to: .count(2))
    await monetizer.as(mia.member).limit("shop", to: .nothing)
    #expect(access.decision(for: "shop", item: "skins/red").reason == .parentalLimit)
    await monetizer.as(mia.member).limit("shop", to: nil)
    let completed = monetizer.as(mia.member).completions
    let coins = monetizer.as(mia.member).coins
    let left = monetizer.as(mia.member).decision(for: "playTime").remaining
    #expect(completed.isEmpty && coins == 0 && left == 1740 && monetizer.decision(for: "playTime").remaining == 3600)
    await monetizer.removeChild(mia.id)
    show(monetizer.children.map(\.name))
    #expect(monetizer.children.isEmpty)
  }
}
