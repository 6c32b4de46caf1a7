// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("monetize decide", .timeLimit(.minutes(30)))
struct DecideTests {
  static let noon = ["--at", "2026-03-01T12:00:00Z"]
  static let maze = ["decide", "Products/maze-packs.json", "--feature", "story.play"] + noon

  @Test("MAZE-05: story 4 is denied, with the product that opens it; the status is 0 for any answer")
  func denied() async throws {
    let result = try await Command.run(Self.maze + ["--item", "denny/4"])
    #expect(result.status == 0)
    try expectGolden(result.transcript, "decide-denied")
  }

  @Test("MAZE-08: a pack is open to all customers")
  func open() async throws {
    let result = try await Command.run(["decide", "Products/maze-packs.json", "--feature", "pack.open"] + Self.noon)
    #expect(result.output.hasPrefix("allowed"))
    try expectGolden(result.transcript, "decide-allowed")
  }

  @Test("as JSON")
  func json() async throws {
    let result = try await Command.run(Self.maze + ["--item", "denny/4", "--format", "json"])
    let answer = try #require(try result.json() as? [String: Any])
    #expect(answer["allowed"] as? Bool == false)
    #expect(answer["unlockedBy"] as? [String] == ["com.example.mazes.pack.denny"])
    try expectGolden(result.transcript, "decide-json")
  }

  @Test("an answer has its units and its paywall, and a denial no end that reads as one of the denial")
  func words() async throws {
    let magic = ["decide", "Products/magical-stories.json"] + Self.noon + ["--feature"]
    #expect(try await Command.run(magic + ["basicStoryGeneration"]).output.contains("Story generation: 3 stories."))
    #expect(try await Command.run(magic + ["singleChildProfile"]).output.contains("Child profile: 1 profile."))
    let denied = try await Command.run(magic + ["unlimitedStoryGeneration"]).output
    #expect(denied.hasPrefix("denied") && !denied.contains("until"), "\(denied)")
    let heatlab = try await Command.run(["decide", "Products/heatlab.json", "--feature", "aiInsights"] + Self.noon)
    #expect(heatlab.output.contains("default (for featureRestricted)"), "\(heatlab.output)")
    let paywall = try await Command.run("paywall", "Products/heatlab.json", "--placement", "featureRestricted")
    #expect(paywall.status == 0 && paywall.output.contains("Heatlab Pro"), "\(paywall.errors)")
    let items = try await Command.run(Self.maze)
    #expect(items.output.contains("of 20 items") && items.output.contains("--items about all"), "\(items.output)")
    let count = try await Command.run("decide", "Products/dozzi.json", "--feature", "library", "--count", "4")
    #expect(count.status == 2 && count.errors.contains("library is not counted. Remove --count."), "\(count.errors)")
  }

  @Test("a metered feature has its remaining amount and its reset")
  func metered() async throws {
    let result = try await Command.run(["decide", "Products/magical-stories.json", "--feature", "story"] + Self.noon)
    try expectGolden(result.transcript, "decide-metered")
  }

  @Test("MAZE-04: without a purchase, 9 of 60, as a chart")
  func picture() async throws {
    let result = try await Command.run(Self.maze + ["--items", "denny/*/*"])
    #expect(result.output.hasSuffix("9 allowed, 51 denied\n"))
    try expectGolden(result.transcript, "decide-picture")
  }

  @Test("MAZE-02: with the purchase all 60 are open, also a hundred years later")
  func owned() async throws {
    let owned = ["--owned", "com.example.mazes.pack.denny"]
    let result = try await Command.run(Self.maze + owned + ["--items", "denny/*/*"])
    #expect(result.output.hasSuffix("60 allowed, 0 denied\n"))
    let later = try await Command.run(
      ["decide", "Products/maze-packs.json", "--feature", "story.play", "--item", "denny/20", "--at", "2126-03-01T12:00:00Z"] + owned)
    #expect(later.output.hasPrefix("allowed  owned"))
    let counts = try await Command.run(Self.maze + owned + ["--items", "denny/*", "--format", "json"])
    try expectGolden(counts.transcript, "decide-counts-json")
  }

  @Test(
    "MAZE-05: unknown items are an error with the mend, and never allowed",
    arguments: [
      ("denny/0", "It has denny/1 to denny/20."), ("denny/21", "It has denny/1 to denny/20."), ("denny", "It has denny/1 to denny/20."),
      ("deny/1", "Did you mean \"denny/1\"?"), ("denny/3/expert", "It has denny/3/easy to denny/3/hard."),
    ])
  func unknownItem(_ item: String, _ mend: String) async throws {
    for more in [["--require"], []] {
      let result = try await Command.run(Self.maze + ["--item", item, "--owned", "com.example.mazes.pack.denny"] + more)
      #expect(result.status == 2 && result.output == "")
      #expect(result.errors == "Error: --item: story.play has no item \"\(item)\". \(mend)\n")
    }
    let none = try await Command.run(["decide", "Products/dozzi.json", "--feature", "story", "--item", "denny/1"])
    #expect(none.status == 2 && none.errors == "Error: --item: story has no items. Remove --item.\n")
  }

  @Test("with --require the status is the answer")
  func require() async throws {
    #expect(try await Command.run(Self.maze + ["--item", "denny/3", "--require"]).status == 0)
    #expect(try await Command.run(Self.maze + ["--item", "denny/4", "--require"]).status == 1)
    #expect(try await Command.run(Self.maze + ["--items", "denny/*/*", "--require"]).status == 1)
  }

  @Test(
    "an invalid question: exit 2 and one sentence",
    arguments: [
      ("unknown-feature", ["Products/maze-packs.json", "--feature", "story.plya"]),
      ("unknown-product", ["Products/maze-packs.json", "--feature", "story.play", "--owned", "dennis"]),
      ("no-instant", ["Products/maze-packs.json", "--feature", "story.play", "--at", "noon"]),
      ("no-zone", ["Products/maze-packs.json", "--feature", "story.play", "--zone", "Mars"]),
      ("nobody", ["Products/maze-packs.json", "--feature", "story.play", "--as", "dog"]),
      ("no-collection", ["Products/maze-packs.json", "--feature", "story.play", "--items", "dany/*"]),
    ])
  func impossible(_ name: String, _ arguments: [String]) async throws {
    let result = try await Command.run(["decide"] + arguments)
    #expect(result.status == 2)
    #expect(result.output == "")
    try expectGolden(result.transcript, "decide-\(name)")
  }

  @Test("with --used a limit is as far used up, also beside a stored state")
  func used() async throws {
    let question = ["decide", "Products/magical-stories.json", "--feature", "story"]
    #expect(try await Command.run(question + ["--used", "story=2"]).output.contains("1 of 3 stories"))
    let none = try await Command.run(question + ["--used", "Story=3"])
    #expect(none.output.hasPrefix("denied  limitReached") && none.status == 0)
    #expect(try await Command.run(question + ["--used", "story=3", "--owned", "monthly"]).output.hasPrefix("allowed  subscribed"))
    let scratch = try Scratch()
    let state = scratch.url("state").path
    _ = try await Command.run(
      "simulate", "Examples/Scenarios/magical-stories/first-story.json", "--quiet", "--save-state", state)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: state))
    func stored(_ used: Int) async throws -> String {
      try await Command.run(question + ["--state", state, "--at", "2026-03-01T12:10:00Z", "--used", "story=\(used)"]).output
    }
    #expect(try await stored(1).contains("1 of 3 stories"))
    // The store has not answered since the state was read, so a purchase may still open more.
    #expect(try await stored(2).contains("0 of 3 stories"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: state)) == bytes)
  }

  @Test(
    "what cannot have been used is one sentence and exit 2",
    arguments: [
      (["story"], "--used: story has no amount. Write a number, such as story=3."),
      (["story=many"], "--used: \"many\" is not an amount. Write a number, such as story=3."),
      (["story=0"], "--used: \"0\" is not an amount. Write a number, such as story=3."),
      (["story=PT20M"], "--used: \"PT20M\" is not an amount. Write a number, such as story=3."),
      (["story=1", "Story=2"], "--used: story is counted twice. Write one amount."),
      (["customThemes=1"], "customThemes is not counted. Remove --used customThemes=1."),
      (["storie=1"], "\"storie\" may be story or unlimitedStoryGeneration."),
    ])
  func impossibleUses(_ used: [String], _ problem: String) async throws {
    let result = try await Command.run(
      ["decide", "Products/magical-stories.json", "--feature", "story"] + used.flatMap { ["--used", $0] })
    #expect(result.status == 2 && result.output == "" && result.errors == "Error: \(problem)\n")
  }

  @Test("MAZE-17: bought in one process, open in the next")
  func acrossProcesses() async throws {
    let scratch = try Scratch()
    let state = scratch.url("state").path
    let played = try await Command.run("simulate", "Examples/Scenarios/maze-packs/unlocks-at-once.json", "--quiet", "--save-state", state)
    #expect(played.status == 0)
    let question = ["decide", "Products/maze-packs.json", "--feature", "story.play", "--item", "denny/20", "--at", "2126-03-01T12:00:00Z"]
    #expect(try await Command.run(question + ["--require"]).status == 1)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: state))
    let result = try await Command.run(question + ["--state", state, "--require"])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("allowed  owned"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: state)) == bytes, "a question changes nothing")
  }

  @Test("an invalid state file is reported as damaged, and not changed")
  func damagedState() async throws {
    let scratch = try Scratch()
    let state = try scratch.write("this is no state\n", as: "state")
    let temporary = scratch.url("temporary")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    let result = try await Command.run(Self.maze + ["--item", "denny/4", "--state", state], environment: ["TMPDIR": temporary.path])
    #expect(FileManager.default.fileExists(atPath: state))
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    try expectGolden(result.transcript(scratch), "decide-damaged-state")
  }
}
