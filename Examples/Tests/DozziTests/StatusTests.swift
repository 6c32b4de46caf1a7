// SPDX-License-Identifier: Apache-2.0
import Dozzi
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@Suite(.timeLimit(.minutes(30)))
struct StatusTests {
  @Test("DOZZI-04, DOZZI-05, DEF-D22: 2 stories, 1 story, 0 stories, unlimited stories; another may be made: yes, yes, no, yes")
  func counter() async throws {
    let app = try await App.launch()
    var seen: [String] = []
    var allowed: [Bool] = []
    for _ in 0..<3 {
      seen.append(app.counter)
      allowed.append(app.dozzi.status.counter.allowsAnother)
      _ = await app.make()
    }
    try await app.buy()
    seen.append(app.counter)
    allowed.append(app.dozzi.status.counter.allowsAnother)
    #expect(seen == ["2 stories remaining", "1 story remaining", "0 stories remaining", "Unlimited stories"])
    #expect(allowed == [true, true, false, true])
  }

  @Test("DOZZI-25: free is an orange clock without a badge; unlimited is a blue infinity with PREMIUM") func look() async throws {
    let app = try await App.launch()
    let free = app.dozzi.status
    #expect((free.icon, free.color, free.badge) == ("clock", "orange", nil))
    // While monetization is off there is no limit, but nobody has paid.
    try app.monetizer.apply([Overlay(json: Data(#"{ "id": "off", "patch": { "monetization": "off" } }"#.utf8))])
    #expect(app.dozzi.status.icon == "infinity" && app.dozzi.status.badge == nil)
    try app.monetizer.apply([])
    try await app.buy()
    let unlimited = app.dozzi.status
    #expect((unlimited.icon, unlimited.color, unlimited.badge) == ("infinity", "blue", "PREMIUM"))
  }

  @Test("XC-03: without a remaining story and before the store's answer, the screen waits") func checking() async throws {
    let app = try await App.launch()
    _ = await app.make()
    _ = await app.make()
    let early = try Dozzi(contentsOf: Product.url("dozzi")) {
      $0.storage = app.storage
      $0.time = app.device.time
      $0.startsByItself = false
    }
    #expect(early.status.isChecking)
    #expect(!app.dozzi.status.isChecking)
  }

  @Test("DOZZI-06: basic for free, premium with the purchase, also offline; without the service, the device's voice")
  func voices() async throws {
    let app = try await App.launch()
    #expect(app.dozzi.voices.quality == .basic)
    #expect(app.dozzi.voices.voice(serviceIsReachable: true) == .device)
    #expect(app.monetizer.allows(.personalization) && app.monetizer.allows(.library))
    try await app.buy()
    try await app.store.setNetwork(.offline)
    let offline = try await app.restart()
    #expect(offline.dozzi.voices.quality == .premium)
    #expect(offline.dozzi.voices.voice(serviceIsReachable: false) == .device)
    #expect(offline.dozzi.voices.voice(serviceIsReachable: true) == .service)
  }

  @Test("DOZZI-55, DEF-D19: local used 1 and server used 2 are 2; an odd answer of the server brings no story back") func backend()
    async throws
  {
    let app = try await App.launch(source: "account:ann")
    _ = await app.make()
    await app.dozzi.backendCounted(2, for: "account:ann")
    #expect(app.monetizer.decision(for: .story).used == 2)
    for odd in [1, 0, -5] { await app.dozzi.backendCounted(odd, for: "account:ann") }
    #expect(app.monetizer.decision(for: .story).used == 2)
    #expect(try await app.restart().counter == "0 stories remaining")
  }
}
