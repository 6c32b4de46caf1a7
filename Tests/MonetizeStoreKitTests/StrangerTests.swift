// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeStoreKit
import Testing

/// An app written by `Docs/Guides/FromStoreKit.md` alone.
@MainActor final class StoryShop {
  let monetizer: Monetizer
  private let server: StoryServer

  init(catalog: Catalog, stateURL: URL, server: StoryServer) {
    self.server = server
    monetizer = Monetizer(catalog: catalog) {
      $0.store = .appStore
      $0.storage = .file(stateURL)
      $0.beforeFinishing = { signed in await server.takes(signed.jws) }
    }
  }

  var hasVoices: Bool { monetizer.allows("export") }

  func cameToForeground() async { await monetizer.refresh() }

  func makeStory() async throws -> String { try await monetizer.withSpending("story") { "Once upon a time" } }

  func unlock() async throws -> String {
    switch try await monetizer.purchase("pack") {
    case .completed, .alreadyOwned: "open"
    case .pending: "waiting"
    case .cancelled: ""
    case .unverified, .failed: "failed"
    }
  }

  func restore() async throws -> RestoreOutcome { try await monetizer.restorePurchases() }
}

actor StoryServer {
  private(set) var taken: [String] = []
  func takes(_ jws: String?) -> Bool {
    taken += [jws].compactMap { $0 }
    return true
  }
}

@Suite("StoreKit: an app by the guide", .timeLimit(.minutes(30)))
struct StrangerTests {
  @Test("Two free stories, then none; the unlock opens, reaches the server, and is there again after a restore") func app() async throws {
    let counter = Counter()
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let catalog = try Catalog(json: Data(Counter.json.replacingOccurrences(of: "GATE", with: "").utf8))
    let server = StoryServer()
    try await counter.run {
      let shop = await StoryShop(catalog: catalog, stateURL: url, server: server)
      await shop.cameToForeground()
      let stories = [try await shop.makeStory(), try await shop.makeStory()]
      #expect(stories == ["Once upon a time", "Once upon a time"])
      await #expect(throws: AccessDenied.self) { try await shop.makeStory() }
      #expect(await !shop.hasVoices)
      #expect(try await shop.unlock() == "open")
      #expect(await shop.hasVoices)
      await shop.monetizer.settled()
      #expect(await server.taken == ["jws.transaction.1"] && counter.finished.copy == [1])
      #expect(try await shop.restore() == .restored(["pack"]))
    }
  }

  @Test(
    "Every name in the guides' code exists: the blocks after \"After\" are those of the app above",
    arguments: ["FromStoreKit", "FromRevenueCat"])
  func names(guide: String) throws {
    let page = try StandInTableTests.text("Docs/Guides/\(guide).md")
    let sources = try ["Sources/Monetize", "Sources/MonetizeStoreKit"].map { folder in
      let base = StandInTableTests.root.appendingPathComponent(folder)
      let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
      return try paths.map { try StandInTableTests.text("\(folder)/\($0)") }.joined()
    }.joined()
    let expression = try NSRegularExpression(pattern: "(?:monetizer|\\$0)\\.(\\w+)")
    let names = Set(
      expression.matches(in: page, range: NSRange(page.startIndex..., in: page)).compactMap {
        Range($0.range(at: 1), in: page).map { String(page[$0]) }
      })
    #expect(names.count > 5)
    for name in names {
      #expect(sources.contains("func \(name)(") || sources.contains("var \(name)") || sources.contains("func \(name)<"), "\(name)")
    }
  }
}
