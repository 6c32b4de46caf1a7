// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTesting
import StoreKit
import Testing

@testable import MonetizeStoreKit

/// The adapter, call by call.
@Suite("StoreKit: the adapter", .timeLimit(.minutes(30)))
struct AdapterTests {
  private let counter = Counter()
  private let backend = AppStoreBackend(onMissing: { _ in })

  @Test("HEAT-37: with `.appStore` a purchase opens, is on disk before it is finished, and survives a relaunch offline") func appStore()
    async throws
  {
    try await counter.run {
      let storage = MemoryStorage()
      let app = try counter.app(.appStore, storage: storage)
      await app.start()
      #expect(!app.allows("export"))
      guard case .completed(let bought) = try await app.purchase("pack") else {
        Issue.record("not bought")
        return
      }
      #expect(bought.id == "1" && app.allows("export") && counter.finished.copy == [1])
      #expect(try counter.app(storage: storage).allows("export"))
    }
  }

  @Test("HEAT-12, DEF-H11: start, refresh, purchase and products never synchronize; a restore does, once") func synchronizing() async throws
  {
    try await counter.run {
      let app = try counter.app()
      await app.start()
      await app.refresh()
      _ = try await app.storeProducts()
      _ = try await app.purchase("pack")
      #expect(counter.count("sync") == 0)
      #expect(try await app.restorePurchases() == .restored(["pack"]))
      #expect(counter.count("sync") == 1)
    }
  }

  @Test("It subscribes before it asks for what is unfinished") func order() async throws {
    try await counter.run {
      let app = try counter.app()
      await app.start()
      let (updates, unfinished) = (counter.store.calls.firstIndex(of: "updates"), counter.store.calls.firstIndex(of: "unfinished"))
      #expect(try #require(updates) < #require(unfinished))
    }
  }

  @Test("Whether a purchase began in a scene or at a view controller, it is confirmed there") func places() async throws {
    let seen = Locked<[String]>([])
    counter.store.script.purchase = { _, _, place in
      seen.withLock { $0.append(place.map { "\(type(of: $0))" } ?? "none") }
      return .userCancelled
    }
    try await counter.run {
      let app = try counter.app()
      await app.start()
      for place in [StoreObject(await UIWindowScene()), StoreObject(await UIViewController()), nil] {
        #expect(try await app.purchase(PurchaseRequest("pack", confirmIn: place)) == .cancelled)
      }
      #expect(seen.copy == ["UIWindowScene", "UIViewController", "none"])
    }
  }

  @Test("A cancelled task gets no answer from any read, although StoreKit gives it an empty one") func cancelled() async throws {
    counter.owned.set([Counter.transaction(1)])
    let (store, backend) = (counter.store, backend)
    let codes = await store.run {
      await Task { () -> [StoreError.Code?] in
        while !Task.isCancelled { await Task.yield() }
        let codes = [
          await Self.code { _ = try await backend.read() }, await Self.code { _ = try await backend.products(for: ["pack"]) },
          await Self.code { _ = try await backend.unfinished() }, await Self.code { _ = try await backend.standing(of: "1") },
        ]
        // The way without a check: an empty list, which looks like "owns nothing".
        return await codes + (Gateway.entitlements().isEmpty ? [.unknown] : [])
      }.cancelledValue
    }
    let expected: [StoreError.Code?] = [.cancelled, .cancelled, .cancelled, .cancelled, .unknown]
    #expect(codes == expected)
  }

  private static func code(_ body: @Sendable () async throws -> Void) async -> StoreError.Code? {
    do { try await body() } catch { return (error as? StoreError)?.code }
    return nil
  }

  @Test("A status that cannot be read makes the whole read fail, and takes nothing away") func failedStatus() async throws {
    counter.owned.set([Counter.transaction(1, "month")])
    counter.statuses.set([Counter.status(.subscribed)])
    try await counter.run {
      let app = try counter.app()
      await app.start()
      #expect(app.decision(for: "story").limit == nil)
      counter.store.script.statuses = { _ in throw StoreKitError.networkError(URLError(.timedOut)) }
      #expect(await app.refresh() == StoreError(.network))
      #expect(app.decision(for: "story").limit == nil)
    }
  }

  @Test("An empty history is an answer only where a storefront is known") func emptyHistory() async throws {
    try await counter.run {
      let unknown = try await backend.standing(of: "1")
      #expect(unknown == .gone)
      counter.store.script.storefront = { nil }
      await #expect(throws: StoreError(.network)) { try await backend.standing(of: "1") }
      counter.owned.set([Counter.transaction(2)])
      let gone = try await backend.standing(of: "1")
      #expect(gone == .gone)
    }
  }

  @Test("A transaction at hand is finished without a search, and one by its id after one") func finishing() async throws {
    counter.owned.set([Counter.transaction(1)])
    try await counter.run {
      let signed = try #require(try await backend.unfinished().first)
      let before = counter.count("unfinished")
      try await backend.finish(signed)
      #expect(counter.count("unfinished") == before && counter.finished.copy == [1])
      counter.finished.set([])
      try await backend.finish("1")
      try await backend.finish("no number")
      #expect(counter.finished.copy == [1])
    }
  }

  @Test("MAGIC-12, DOZZI-09: a wrong signature opens nothing and finishes nothing") func unverified() async throws {
    counter.store.script.purchase = { _, _, _ in .success(.unverified(Counter.transaction(1), .invalidSignature)) }
    try await counter.run {
      let app = try counter.app()
      await app.start()
      #expect(try await app.purchase("pack") == .unverified)
      #expect(!app.allows("export") && counter.finished.copy.isEmpty)
    }
  }

  @Test("An account goes along as its token, and its purchases count for it alone, also after a relaunch") func accounts() async throws {
    try await counter.run {
      let app = try counter.app { $0.account = "ann" }
      await app.start()
      guard case .completed(let bought) = try await app.purchase("pack") else {
        Issue.record("not bought")
        return
      }
      #expect(bought.account == "ann" && counter.owned.copy.first?.appAccountToken == AppAccountToken("ann").uuid)
      for (account, isOpen) in [("ann", true), ("bob", false), (nil, true)] as [(String?, Bool)] {
        let other = try counter.app { $0.account = account }
        await other.start()
        #expect(other.allows("export") == isOpen, "\(account ?? "a guest")")
      }
    }
  }

  @Test("An account that is a UUID is its own token; any other has one that a server can compute") func tokens() throws {
    let uuid = UUID()
    #expect(AppAccountToken(uuid.uuidString).uuid == uuid && AppAccountToken(uuid.uuidString.lowercased()).uuid == uuid)
    // printf 'monetize.account:ann' | sha256sum, with version 8 and the variant of RFC 9562.
    #expect(AppAccountToken("ann").description == "C25ECE5C-C631-8816-9672-07E77F3575E6")
    #expect(AppAccountToken("ann") != AppAccountToken("bob"))
  }

  @Test("What the App Store does not sell is reported once") func missing() async throws {
    let reported = Locked<[[ProductID]]>([])
    let backend = AppStoreBackend(onMissing: { ids in reported.withLock { $0.append(ids) } })
    try await counter.run {
      #expect(try await backend.products(for: ["pack", "pakc", "old"]).map(\.id) == ["pack"])
      _ = try await backend.products(for: ["pack", "pakc"])
      #expect(reported.copy == [["pakc", "old"]])
      await #expect(throws: StoreError(.productUnavailable)) { try await backend.purchase(PurchaseRequest("pakc")) }
    }
  }

  @Test("DEF-H12: an offer that was used in this process is not offered again, although StoreKit repeats its first answer") func frozen()
    async throws
  {
    try await counter.run {
      #expect(try await backend.products(for: ["month"]).first?.introductoryOffer != nil)
      counter.owned.set([Counter.transaction(1, "month", offer: .init(type: .introductory, paymentMode: .freeTrial))])
      _ = try await backend.read()
      #expect(await Gateway.isEligibleForIntroOffer(in: "21"), "the seed's way: still eligible")
      #expect(try await backend.products(for: ["month"]).first?.introductoryOffer == nil)
    }
  }

  @Test("What was shown is what is bought, until the country changes") func country() async throws {
    try await counter.run {
      let app = try counter.app(backend)
      await app.start()
      _ = try await app.storeProducts()
      _ = try await app.purchase("pack")
      #expect(counter.count("products") == 1)
      #expect(try await app.storeCountry() == StoreCountry(code: "USA", id: "143441"))
      await counter.store.storefronts.send(Storefront(countryCode: "DEU", id: "143443"))
      #expect(counter.events.copy.map(\.name).contains(.countryChanged))
      _ = try await backend.purchase(PurchaseRequest("pack"))
      #expect(counter.count("products") == 2)
    }
  }

  @Test("What the store signed is at hand for a server, of purchases, plans and the app itself") func jws() async throws {
    counter.owned.set([Counter.transaction(1), Counter.transaction(2, "month")])
    counter.statuses.set([Counter.status(.subscribed)])
    counter.store.script.appTransaction = {
      .verified(
        AppTransaction(bundleID: "com.example.app", environment: .xcode, originalAppVersion: "1", originalPurchaseDate: Counter.noon))
    }
    try await counter.run {
      let app = try counter.app()
      let answer = try await app.signedPurchases()
      #expect(answer.transactions.map(\.jws) == ["jws.transaction.1", "jws.transaction.2"])
      #expect(answer.renewalJWS == ["1": "jws.renewal.1"] && answer.date == nil && answer.environment == .production)
      #expect(try await app.appTransaction().jws == "jws.app.com.example.app")
      #expect(try await app.appTransaction().environment == .xcode)
    }
  }

  @Test("How the customer got the app counts only with a right signature") func forgedAppTransaction() async throws {
    counter.store.script.appTransaction = {
      .unverified(
        AppTransaction(bundleID: "com.example.app", environment: .production, originalAppVersion: "1", originalPurchaseDate: Counter.noon),
        .invalidSignature)
    }
    try await counter.run {
      let app = try counter.app()
      await #expect(throws: StoreError(.unverified)) { try await app.appTransaction() }
    }
  }
}

extension Task where Failure == Never {
  /// Cancels the task and waits for it.
  var cancelledValue: Success {
    get async {
      cancel()
      return await value
    }
  }
}
