// SPDX-License-Identifier: Apache-2.0
import Dozzi
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@Suite(.timeLimit(.minutes(30)))
struct StoryMakerTests {
  @Test(
    "DOZZI-13, DOZZI-23, DOZZI-36, DOZZI-51: two stories, then one paywall and no generation; ten more with the purchase; 2 used after a refund"
  )
  func journey() async throws {
    let app = try await App.launch()
    #expect(await app.make() == "story")
    #expect(await app.make() == "story")
    let third = await app.dozzi.create(id: "third") { Issue.record("generated") }
    guard case .paywall(let paywall, let pass?) = third else {
      Issue.record("no paywall")
      return
    }
    #expect(paywall.products == [.unlimited] && paywall.placement == .usageLimitReached)
    #expect(try await app.monetizer.purchase(.unlimited, pass: pass).name == "completed")
    for _ in 0..<10 { #expect(await app.make() == "story") }
    try await app.store.refund(.unlimited, customer: "ann")
    #expect(app.monetizer.decision(for: .story).used == 2)
    #expect(await app.make() == "paywall usageLimitReached")
  }

  @Test("DOZZI-38, DEF-D7: ten taps at once with two left generate twice") func atOnce() async throws {
    let app = try await App.launch()
    let ends = await withTaskGroup(of: String.self) { group in
      for _ in 0..<10 { group.addTask { await app.make() } }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(ends.filter { $0 == "story" }.count == 2)
    #expect(try await app.restart().counter == "0 stories remaining")
  }

  @Test("DEF-D6, DEF-D13: a failed generation costs nothing; a repeated story counts once") func failures() async throws {
    let app = try await App.launch()
    for _ in 0..<5 { #expect(await app.make("bear", fails: true) == "failed") }
    #expect(app.counter == "2 stories remaining")
    #expect(await app.make("bear") == "story")
    #expect(await app.make("bear") == "story")
    #expect(app.counter == "1 story remaining")
  }

  @Test("DOZZI-49, DEF-D29: without a parent at the gate there is no paywall; nor with an unreachable store")
  func noPaywall() async throws {
    let alone = try await App.launch(parentIsThere: false)
    _ = await alone.make()
    _ = await alone.make()
    #expect(await alone.make() == "gateFailed")
    await #expect(throws: GateRequired.self) { try await alone.monetizer.purchase(.unlimited) }
    #expect(alone.device.calls["purchase"] == 0)
    try await alone.store.setNetwork(.offline)
    #expect(await (try alone.restart()).make() == "waiting storeUnreachable")
  }
}
