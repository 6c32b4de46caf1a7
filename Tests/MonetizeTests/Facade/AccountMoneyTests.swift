// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Accounts and devices of a customer who tries to get more than was paid for, and of one who paid and must lose nothing.
@Suite(.timeLimit(.minutes(30)))
struct AccountMoneyTests {
  private static let json = """
    { "schemaVersion": 1, "app": { "id": "test.shop", "name": "Shop" },
      "features": { "story": { "allowance": "count", "survivesReinstall": true }, "trial": { "allowance": "count" } },
      "freeTier": { "grants": { "story": 3, "trial": 3 } },
      "products": [{ "kind": "consumable", "id": "ten", "name": "Ten", "credits": { "trial": 10 } }] }
    """

  private func open(
    _ storage: any StateStorage, account: String? = nil, secure: (any StateStorage)? = nil, store: ScriptedStore = ScriptedStore()
  ) throws -> Monetizer {
    try TestShop.monetizer(store, storage: storage, catalog: Catalog(json: Data(Self.json.utf8))) {
      ($0.account, $0.secureStorage) = (account, secure)
    }
  }

  /// A store that sells ten credits to the account that asks.
  private func selling(_ id: TransactionID) -> ScriptedStore {
    ScriptedStore {
      $0.purchase = { request throws(StoreError) in
        var ten = StoreTransaction(id: id, productID: "ten", purchaseDate: RandomFacts.start)
        ten.account = request.account
        return .success(SignedTransaction(ten))
      }
    }
  }

  private func left(_ monetizer: Monetizer) -> Int? { monetizer.decision(for: "trial").remaining }

  @Test(
    "Credits bought for an account stay its own, with the uses that they covered: no account pays for another",
    arguments: HandOverPolicy.allCases)
  func boundCredits(_ policy: HandOverPolicy) async throws {
    let (annFile, bobFile) = (MemoryStorage(), MemoryStorage())
    let bob = try open(bobFile, account: "bob", store: selling("b"))
    _ = try await bob.purchase("ten")
    let ann = try open(annFile, account: "ann", store: selling("a"))
    _ = try await ann.purchase("ten")
    for _ in 0..<9 { try await ann.spend("trial") }
    #expect(left(ann) == 4)
    let next = try await ann.handOver(to: "bob", policy: policy, storage: bobFile)
    // Bob has his ten, and the rest of three free uses, with the uses of both counted.
    #expect(left(next) == (policy == .keep ? 13 : 10))
    let again = try await next.handOver(to: "ann", storage: annFile)
    #expect(left(again) == (policy == .transfer ? 7 : 4))
  }

  @Test("A purchase that the store returns for another account of the app opens nothing, and fails as that") func otherAccount()
    async throws
  {
    let store = ScriptedStore {
      $0.purchase = { _ throws(StoreError) in
        var ten = StoreTransaction(id: "b", productID: "ten", purchaseDate: RandomFacts.start)
        ten.account = "bob"
        return .success(SignedTransaction(ten))
      }
    }
    let ann = try open(MemoryStorage(), account: "ann", store: store)
    #expect(try await ann.purchase("ten") == .failed(StoreError(.otherAccount)))
    #expect(left(ann) == 3)
  }

  @Test("A guest's purchases go to the account, and back to a guest") func unboundCredits() async throws {
    let (guestFile, annFile) = (MemoryStorage(), MemoryStorage())
    let guest = try open(guestFile, store: selling("g"))
    _ = try await guest.purchase("ten")
    for _ in 0..<5 { try await guest.spend("trial") }
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: annFile)
    #expect(left(ann) == 8)
    let again = try await ann.handOver(to: nil, policy: .transfer, storage: guestFile)
    #expect(left(again) == 8)
  }

  @Test(
    "A damaged state closes features for its owner only, not for an account with an intact state",
    arguments: HandOverPolicy.allCases)
  func damage(_ policy: HandOverPolicy) async throws {
    let guest = try open(DamagedStorage())
    #expect(!guest.allows("trial"))
    let ann = try await guest.handOver(to: "ann", policy: policy, storage: .memory)
    #expect(left(ann) == 3)
    #expect(!guest.allows("trial"))
  }

  @Test(
    "AMB-37: uses that survive a reinstallation survive signing in and out",
    arguments: HandOverPolicy.allCases)
  func refill(_ policy: HandOverPolicy) async throws {
    let (guestFile, guestKeychain, annFile) = (MemoryStorage(), MemoryStorage(), MemoryStorage())
    var used = 0
    for _ in 0..<4 {
      let guest = try open(guestFile, secure: guestKeychain)
      while (try? await guest.spend("story")) != nil { used += 1 }
      let ann = try await guest.handOver(to: "ann", policy: policy, storage: annFile)
      _ = try await ann.handOver(to: nil, storage: guestFile, secureStorage: guestKeychain)
    }
    // Neither does a reinstallation between two accounts.
    let reinstalled = try open(.memory, secure: guestKeychain)
    while (try? await reinstalled.spend("story")) != nil { used += 1 }
    #expect(used == 3)
  }

  @Test("A parent's limit still holds for a guest after a transfer: signing out lifts none") func caps() async throws {
    let guestFile = MemoryStorage()
    let guest = try open(guestFile)
    await guest.as(.child("max")).limit("trial", to: .nothing)
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: .memory)
    #expect(!ann.as(.child("max")).allows("trial"))
    let again = try await ann.handOver(to: nil, storage: guestFile)
    #expect(!again.as(.child("max")).allows("trial"))
  }

  @Test("One storage for both is refused, and nothing is lost", arguments: [true, false]) func oneStorage(isSecure: Bool) async throws {
    let (file, keychain) = (MemoryStorage(), MemoryStorage())
    let guest = try open(file, secure: keychain, store: selling("g"))
    _ = try await guest.purchase("ten")
    for _ in 0..<5 { try await guest.spend("trial") }
    await #expect(throws: StorageError.self) {
      try await guest.handOver(
        to: "ann", policy: .transfer, storage: isSecure ? MemoryStorage() : file, secureStorage: isSecure ? keychain : nil)
    }
    #expect(left(guest) == 8)
    #expect(try left(open(file, secure: keychain)) == 8)
    // Three free uses are not kept there, ten credits and two uses of them are.
    #expect(try left(open(.memory, secure: keychain)) == 11)
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: .memory)
    #expect(left(ann) == 8)
  }

  @Test("A purchase that was refused during a hand-over can be made after the hand-over fails") func purchaseAfterRefusal() async throws {
    let storage = RefusingStorage()
    let guest = try open(storage, store: selling("g"))
    let reservation = try await guest.reserve(AccessRequest("trial"))
    storage.isRefusing = true
    let handOver = Task { try await guest.handOver(to: "ann", policy: .transfer, storage: .memory) }
    while !guest.parts.work.isClosed { await Task.yield() }
    guard case .failed = try await guest.purchase("ten") else { return #expect(Bool(false), "Bought while it was closed.") }
    await guest.release(reservation)
    await #expect(throws: StorageError.self) { try await handOver.value }
    storage.isRefusing = false
    guard case .completed = try await guest.purchase("ten") else { return #expect(Bool(false), "It can never be bought again.") }
    #expect(left(guest) == 13)
  }

  @Test("Credits used on one device take nothing from purchases on another", arguments: [true, false])
  func creditsOnTwoDevices(bothWays: Bool) async throws {
    let (phone, tablet) = (try open(.memory, store: selling("p")), try open(.memory, store: selling("t")))
    _ = try await phone.purchase("ten")
    for _ in 0..<11 { try await phone.spend("trial") }
    await tablet.merge(phone.sharedFacts)
    #expect(left(tablet) == 2)
    _ = try await tablet.purchase("ten")
    #expect(left(tablet) == 12)
    if bothWays {
      await phone.merge(tablet.sharedFacts)
      #expect(left(phone) == 12)
    }
    for _ in 0..<12 { try await tablet.spend("trial") }
    #expect(left(tablet) == 0)
    await phone.merge(tablet.sharedFacts)
    #expect(left(phone) == 0)
  }

  @Test("A refund on one device is known on the other after the next exchange") func refundOnTwoDevices() async throws {
    let (phone, tablet) = (try open(.memory, store: selling("p")), try open(.memory))
    _ = try await phone.purchase("ten")
    await tablet.merge(phone.sharedFacts)
    #expect(left(tablet) == 13)
    var refunded = StoreTransaction(id: "p", productID: "ten", purchaseDate: RandomFacts.start)
    refunded.revocation = .init(date: RandomFacts.start + 5, reason: .other)
    await phone.receive(.transaction(SignedTransaction(refunded)))
    await tablet.merge(phone.sharedFacts)
    #expect(left(tablet) == 3 && left(phone) == 3)
  }
}
