// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTesting
import StoreKit
import Testing

@testable import MonetizeStoreKit

/// What begins outside a paywall: purchases on the App Store, messages, the store's own sheets, and the way to a server.
@Suite("StoreKit: beginnings elsewhere", .timeLimit(.minutes(30)))
struct IntentTests {
  private let counter = Counter()

  /// Waits until the app has sent an event.
  private func wait(for name: MonetizeEvent.Name) async {
    while !counter.events.copy.contains(where: { $0.name == name }) { await Task.yield() }
  }

  @Test("DEF-D29: a purchase that begins on the App Store passes the parental gate", arguments: [true, false]) func gate(passes: Bool)
    async throws
  {
    let gate = CountingGate(passes: passes)
    try await counter.run {
      let app = try counter.app(gate: gate)
      await app.start()
      await counter.store.intents.send(PurchaseIntent(product: Counter.products[0]))
      await wait(for: passes ? .purchaseCompleted : .gateFailed)
      #expect(gate.shown.copy == 1 && app.allows("export") == passes && counter.count("purchase") == (passes ? 1 : 0))
    }
    // The seed's way: bought at once, also by a child.
    let product = Counter.products[0]
    try await counter.run {
      guard case .success = try await product.purchase() else {
        Issue.record("it would not ask")
        return
      }
    }
  }

  @Test("An app may refuse it, and gets the offer that it came with") func refused() async throws {
    let asked = Locked<[PurchaseRequest]>([])
    try await counter.run {
      let app = try counter.app {
        $0.acceptsIntent = { request in
          asked.withLock { $0.append(request) }
          return false
        }
      }
      await app.start()
      await counter.store.intents.send(PurchaseIntent(product: Counter.products[1], offer: Counter.back))
      while asked.copy.isEmpty { await Task.yield() }
      #expect(asked.copy == [PurchaseRequest("month", offerID: "back")] && counter.count("purchase") == 0)
    }
  }

  @Test("Messages are asked for only when the app gives a place to show them, and then shown there") func messages() async throws {
    try await counter.run {
      let silent = try counter.app()
      await silent.start()
      #expect(counter.count("messages") == 0, "the system shows them by itself")
      let shown = Locked<[StoreMessage]>([])
      let scene = await UIWindowScene()
      let backend = AppStoreBackend(messages: { message in
        shown.withLock { $0.append(message) }
        return message == .billingIssue ? StoreObject(scene) : nil
      })
      let app = try counter.app(backend)
      await app.start()
      for reason: Message.Reason in [.billingIssue, .priceIncreaseConsent, .winBackOffer, .generic] {
        await counter.store.messages.send(Message(reason: reason))
      }
      #expect(shown.copy == [.billingIssue, .priceIncrease, .winBackOffer, .other])
      #expect(counter.store.calls.filter { $0.hasPrefix("message ") } == ["message 2"])
    }
  }

  @Test("MAGIC-14, HEAT-28: the store's sheets open in a scene, after the gate, and the purchases are read again") func sheets()
    async throws
  {
    let gate = CountingGate(passes: true)
    try await counter.run {
      let app = try counter.app(gate: gate)
      await app.start()
      let scene = StoreObject(await UIWindowScene())
      await #expect(throws: GateRequired.self) { try await app.show(.subscriptions, in: scene) }
      for sheet: StoreSheet in [.subscriptions, .refund("7"), .code] {
        let before = counter.count("currentEntitlements")
        let error = try await app.show(sheet, in: scene, pass: try await app.passParentalGate())
        #expect(error == nil && counter.count("currentEntitlements") == before + 1)
      }
      #expect(counter.store.calls.filter { ["manage", "refund 7", "redeem"].contains($0) } == ["manage", "refund 7", "redeem"])
      #expect(try await app.show(.code, pass: try await app.passParentalGate()) == StoreError(.unsupported))
      counter.store.script.sheet = { _ in false }
      #expect(try await app.show(.refund("7"), in: scene, pass: try await app.passParentalGate()) == StoreError(.userCancelled))
      counter.store.script.sheet = { _ in throw StoreKit.Transaction.RefundRequestError.duplicateRequest }
      #expect(try await app.show(.refund("7"), in: scene, pass: try await app.passParentalGate()) == StoreError(.alreadyRequested))
    }
  }

  @Test("DOZZI-34: what a server did not take is kept by the store, opens all the same, and is handed over after signing in") func server()
    async throws
  {
    let (isSignedIn, sent) = (Locked(false), Locked<[String?]>([]))
    try await counter.run {
      let app = try counter.app {
        $0.beforeFinishing = { signed in
          if isSignedIn.copy { sent.withLock { $0.append(signed.jws) } }
          return isSignedIn.copy
        }
      }
      await app.start()
      _ = try await app.purchase("pack")
      await app.settled()
      #expect(app.allows("export") && counter.finished.copy.isEmpty)
      await app.refresh()
      await app.settled()
      #expect(counter.finished.copy.isEmpty)
      isSignedIn.set(true)
      await app.refresh()
      await app.settled()
      #expect(sent.copy == ["jws.transaction.1"] && counter.finished.copy == [1])
      await app.refresh()
      await app.settled()
      #expect(sent.copy.count == 1)
    }
  }
}
