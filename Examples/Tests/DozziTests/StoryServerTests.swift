// SPDX-License-Identifier: Apache-2.0
import Dozzi
import DozziServer
import Foundation
import Monetize
import MonetizeSimulator
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The backend's three functions and the client in front of them, without a network.
@Suite("Dozzi's backend", .timeLimit(.minutes(30)))
struct StoryServerTests {
  private static let noon = Date(timeIntervalSince1970: 1_772_366_400)

  /// A transaction as the store signs it: the text is its id.
  private static func bought(
    _ id: TransactionID = "1", _ product: ProductID = .unlimited, app: String = "com.dozzi",
    _ environment: StoreEnvironment = .production, revoked: Date? = nil
  ) -> StoreTransaction {
    StoreTransaction(
      id: id, productID: product, purchaseDate: noon, revocation: revoked.map { StoreTransaction.Revocation(date: $0) },
      environment: environment, appID: app, signed: revoked)
  }

  private static func server(_ signed: [String: StoreTransaction] = ["1": bought()], sandbox: Bool = false, isUp: Bool = true) throws
    -> StoryServer
  {
    StoryServer(
      try Catalog(contentsOf: Product.url("dozzi")), environments: sandbox ? [.production, .sandbox] : [.production], now: { noon },
      verify: { text in isUp ? signed[text].map { .genuine($0) } ?? .forged : .unavailable })
  }

  // MARK: The server

  @Test("DOZZI-26, DEF-D14, DEF-D15, DEF-D21: a genuine purchase is recorded with the store's date, also of a new user, and for one user")
  func verifying() async throws {
    let server = try Self.server()
    await #expect(throws: StoryServer.Failure.unauthenticated) { try await server.verifyPurchase("1", of: .unlimited, by: nil) }
    #expect(try await server.verifyPurchase("1", of: .unlimited, by: "ann") == .verified)
    #expect(try await server.verifyPurchase("forged", of: .unlimited, by: "ben") == .invalid)
    #expect(try await server.verifyPurchase("1", of: .unlimited, by: "ben") == .invalid)
    #expect(try await server.verifyPurchase("1", of: .unlimited, by: "ann") == .verified)
    let record = await server.record(of: "ann")
    #expect(record.subscription == .unlimited && record.productId == "com.dozzi.unlimited_stories" && record.platform == "ios")
    #expect(record.purchaseDate == Self.noon)
    #expect(await server.record(of: "ben").subscription == .free)
  }

  @Test("DOZZI-26: the answers have the plan's keys and texts") func answers() throws {
    func json(_ value: some Encodable) throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    #expect(try json(PurchaseVerification.verified) == #"{"status":"unlimited","success":true}"#)
    #expect(try json(PurchaseVerification.invalid) == #"{"error":"Invalid receipt","success":false}"#)
    #expect(try json(AccountStatus.free(storiesRemaining: 2)) == #"{"status":"free","storiesRemaining":2}"#)
    #expect(try json(StoryTracking.counted(remaining: 1)) == #"{"canCreate":true,"storiesRemaining":1,"success":true}"#)
    #expect(try json(StoryTracking.counted(remaining: nil)) == #"{"canCreate":true,"success":true}"#)
    #expect(try json(StoryTracking.refused) == #"{"canCreate":false,"error":"No stories remaining","success":false}"#)
  }

  @Test("DOZZI-27: a new user is free with two stories; asking again, and after a story, resets nothing") func status() async throws {
    let server = try Self.server()
    await #expect(throws: StoryServer.Failure.unauthenticated) { try await server.subscriptionStatus(of: nil) }
    for _ in 0..<2 { #expect(try await server.subscriptionStatus(of: "ann") == .free(storiesRemaining: 2)) }
    _ = try await server.trackStoryCreation("a", by: "ann")
    for _ in 0..<2 { #expect(try await server.subscriptionStatus(of: "ann") == .free(storiesRemaining: 1)) }
    _ = try await server.verifyPurchase("1", of: .unlimited, by: "ann")
    #expect(try await server.subscriptionStatus(of: "ann") == .unlimited(since: Self.noon))
  }

  @Test("DOZZI-28, DEF-D12, DEF-D13: three calls at once with one left make one; a repeated call counts once; owners have no limit")
  func tracking() async throws {
    let server = try Self.server()
    await #expect(throws: StoryServer.Failure.unauthenticated) { try await server.trackStoryCreation("a", by: nil) }
    for _ in 0..<2 { #expect(try await server.trackStoryCreation("a", by: "ann") == .counted(remaining: 1)) }
    let answers = try await withThrowingTaskGroup(of: StoryTracking.self) { group in
      for id in ["b", "c", "d"] { group.addTask { try await server.trackStoryCreation(id, by: "ann") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.filter { $0 == .counted(remaining: 0) }.count == 1)
    #expect(answers.filter { $0 == .refused }.count == 2)
    _ = try await server.verifyPurchase("1", of: .unlimited, by: "ann")
    for id in ["e", "f", "g"] { #expect(try await server.trackStoryCreation(id, by: "ann") == .counted(remaining: nil)) }
    await server.revoked(Self.bought(revoked: Self.noon + 60))
    #expect(try await server.trackStoryCreation("h", by: "ann") == .refused)
    #expect(try await server.subscriptionStatus(of: "ann") == .free(storiesRemaining: 0))
  }

  @Test("DOZZI-29, DEF-D17, DEF-D18: another product, app or environment is invalid, revoked is revoked, and silence is retried later")
  func evidence() async throws {
    let signed = [
      "sandbox": Self.bought("1", .unlimited, .sandbox), "app": Self.bought("2", app: "com.other"),
      "product": Self.bought("3", "com.dozzi.sticker"), "revoked": Self.bought("4", revoked: Self.noon + 60),
    ]
    let server = try Self.server(signed)
    for text in ["sandbox", "app", "product"] { #expect(try await server.verifyPurchase(text, of: .unlimited, by: "ann") == .invalid) }
    #expect(try await server.verifyPurchase("product", of: "com.dozzi.sticker", by: "ann") == .invalid)
    #expect(try await server.verifyPurchase("revoked", of: .unlimited, by: "ann") == .revoked(at: Self.noon + 60))
    #expect(try await server.subscriptionStatus(of: "ann") == .free(storiesRemaining: 2))
    #expect(try await Self.server(signed, sandbox: true).verifyPurchase("sandbox", of: .unlimited, by: "ann") == .verified)
    let silent = try Self.server(isUp: false)
    await #expect(throws: StoryServer.Failure.retryLater) { try await silent.verifyPurchase("1", of: .unlimited, by: "ann") }
  }

  @Test("DOZZI-52: a record has the plan's seven fields") func record() async throws {
    let server = try Self.server()
    func fields() async throws -> [String] {
      let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(await server.record(of: "ann"))) as? [String: Any]
      return (object ?? [:]).keys.sorted()
    }
    #expect(try await fields() == ["createdAt", "storiesRemaining", "subscription"])
    _ = try await server.trackStoryCreation("a", by: "ann")
    _ = try await server.verifyPurchase("1", of: .unlimited, by: "ann")
    #expect(
      try await fields() == ["createdAt", "lastStoryCreated", "platform", "productId", "purchaseDate", "storiesRemaining", "subscription"])
    #expect(await server.record(of: "ann").storiesRemaining == 1)
  }

  // MARK: The client

  private static func backend(_ server: StoryServer, token: String? = "ann") throws -> StoryBackend {
    StoryBackend(try #require(URL(string: "https://api.dozzi.example")), token: token, send: { try await serve($0, from: server) })
  }

  /// The transport of the test: one request to the server's function, and its answer.
  private static func serve(_ request: URLRequest, from server: StoryServer) async throws -> (Data, Int) {
    let body = try JSONSerialization.jsonObject(with: request.httpBody ?? Data()) as? [String: [String: String]]
    let data = body?["data"] ?? [:]
    let user = request.value(forHTTPHeaderField: "Authorization")?.replacingOccurrences(of: "Bearer ", with: "")
    do throws(StoryServer.Failure) {
      switch request.url?.lastPathComponent {
      case "verifyPurchase":
        let product = ProductID(data["productId"] ?? "")
        return try result(await server.verifyPurchase(data["signedTransaction"] ?? "", of: product, by: user))
      case "trackStoryCreation": return try result(await server.trackStoryCreation(data["id"] ?? "", by: user))
      default: return try result(await server.subscriptionStatus(of: user))
      }
    } catch { return (Data(#"{"error":{"status":"\#(error.rawValue)"}}"#.utf8), error == .unauthenticated ? 401 : 503) }
  }

  private static func result(_ value: some Encodable) -> (Data, Int) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return (Data(#"{"result":\#(text)}"#.utf8), 200)
  }

  @Test("DOZZI-30, DEF-D20: verify, status and track go through; no user is authenticationRequired, no answer is networkError")
  func client() async throws {
    let server = try Self.server()
    let backend = try Self.backend(server)
    #expect(try await backend.subscriptionStatus() == .free(storiesRemaining: 2))
    #expect(try await backend.trackStoryCreation("a") == .counted(remaining: 1))
    #expect(try await backend.verifyPurchase("1", of: .unlimited) == .verified)
    #expect(try await backend.subscriptionStatus() == .unlimited(since: Self.noon))
    await #expect(throws: BackendError.authenticationRequired) { try await Self.backend(server, token: nil).subscriptionStatus() }
    await #expect(throws: BackendError.retryLater) {
      try await Self.backend(Self.server(isUp: false)).verifyPurchase("1", of: .unlimited)
    }
    let silent = StoryBackend(try #require(URL(string: "https://api.dozzi.example")), token: "ann") { _ in throw URLError(.timedOut) }
    await #expect(throws: BackendError.networkError) { try await silent.subscriptionStatus() }
  }

  @Test(
    "DOZZI-30, DEF-D19: an answer that cannot be read is an error and brings no story back",
    arguments: [
      "", "garbage", #"{"result":{}}"#, #"{"result":{"status":"gold"}}"#, #"{"result":{"status":"free"}}"#,
      #"{"result":{"canCreate":true}}"#,
    ])
  func odd(text: String) async throws {
    let backend = StoryBackend(try #require(URL(string: "https://api.dozzi.example")), token: "ann") { _ in (Data(text.utf8), 200) }
    await #expect(throws: BackendError.invalidResponse) { try await backend.subscriptionStatus() }
    await #expect(throws: BackendError.invalidResponse) { try await backend.trackStoryCreation("a") }
  }

  @Test("DOZZI-32: while the backend is down the store's verification opens; a later revocation of the backend closes") func backup()
    async throws
  {
    let server = try Self.server(["1": Self.bought(), "2": Self.bought("2", revoked: Self.noon + 3600)])
    let cases = [("1", true, true), ("1", false, true), ("forged", false, true), ("2", true, true), ("2", false, false)]
    for (text, isDown, isUnlimited) in cases {
      let backend = StoryBackend(try #require(URL(string: "https://api.dozzi.example")), token: "ann") { request in
        if isDown { throw URLError(.timedOut) }
        return try await Self.serve(request, from: server)
      }
      let checks = PurchaseChecks(backend)
      let app = try await App.launch(checks: checks)
      try await app.buy()
      var answer = try await app.monetizer.signedPurchases()
      for index in answer.transactions.indices { answer.transactions[index].jws = text }
      await checks.check(answer)
      await app.monetizer.refresh()
      #expect((app.counter == "Unlimited stories") == isUnlimited, "\(text), down: \(isDown)")
    }
  }
}
