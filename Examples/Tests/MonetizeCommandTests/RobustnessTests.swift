// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import monetize

@Suite("Hostile input and output", .timeLimit(.minutes(30)))
struct RobustnessTests {
  @Test(
    "output that cannot be written ends with status 2 and the reason",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      "validate Products/dozzi.json", "show Products/dozzi.json", "schema", "--help", "generate swift Products/dozzi.json",
      "forecast Products/dozzi.json",
    ])
  func full(command: String) async throws {
    let result = try await Command.shell("monetize \(command) > /dev/full", in: Command.repository)
    #expect(result.status == 2 && result.errors.contains("could not be written"), "\(result.transcript)")
  }

  @Test("a reader that stops early changes no status, and problems that cannot be printed do not either") func pipes() async throws {
    let reader = try await Command.shell("(monetize schema; echo $? >&2) | head -n 1", in: Command.repository)
    #expect(reader.output == "{\n" && reader.errors == "0\n")
    #expect(try await Command.shell("monetize validate none.json 2>&-", in: Command.repository).status == 2)
  }

  @Test(
    "a mistake in --behaviour is shown at its place there, a mistake in the catalog at its place in the catalog",
    arguments: [
      (#"{"conversin":"0.04"}"#, "b.json:1:2: error: Unknown key"), (#"{ "conversion": 0.04 }"#, "b.json:1:17: error:"),
      ("[]", "b.json:1:1: error:"),
    ])
  func behaviour(json: String, place: String) async throws {
    let scratch = try Scratch()
    let (good, bad) = (try scratch.write(json, as: "b.json"), try scratch.write("{ \"schemaVersion\": 1 }", as: "c.json"))
    let result = try await Command.run("simulate", "Products/dozzi.json", "--customers", "10", "--behaviour", good)
    #expect(result.status == 1 && result.errors.contains(place), "\(result.transcript)")
    let broken = try await Command.run("simulate", bad, "--customers", "10", "--behaviour", good)
    #expect(broken.status == 1 && broken.errors.contains("c.json:1") && !broken.errors.contains("b.json"), "\(broken.transcript)")
  }

  @Test("an output replaces a file of its own kind, and no other") func kinds() async throws {
    let scratch = try Scratch()
    let scenario = "Examples/Scenarios/dozzi/two-stories-ever.json"
    let catalog = try scratch.copy("Products/dozzi.json", as: "catalog.json")
    for option in ["--junit", "--events", "--save-state"] {
      let own = scratch.url("own\(option)").path
      for _ in 0..<2 { #expect(try await Command.run("simulate", scenario, "--quiet", option, own).status == 0) }
      let refused = try await Command.run("simulate", scenario, "--quiet", option, catalog)
      #expect(refused.status == 2 && refused.errors.contains("is a catalog and was not changed"), "\(refused.transcript)")
    }
    let names = try await Command.run("generate", "swift", "Products/dozzi.json", "--to", catalog)
    #expect(names.status == 2 && names.errors.contains("is a catalog"))
    #expect(try Command.text("Products/dozzi.json") == String(contentsOfFile: catalog, encoding: .utf8))
    #expect(try await Command.run("migrate", catalog, "--to", catalog).status == 0)
  }

  @Test(
    "an option that the answer would ignore, and a number that makes no search, are refused",
    arguments: [
      "check Products/dozzi.json --states 0", "check Products/dozzi.json --depth 0", "play Products/dozzi.json --start 3000-01-01",
      "decide Products/dozzi.json --feature story --at 0001-01-01",
      "decide Products/maze-packs.json --feature story.play --item denny/4 --items 'denny/*'",
      "decide Products/dozzi.json --feature story --held 3", "decide Products/dozzi.json --feature story --date 2026-01-01",
      "show Products/dozzi.json --as privacy --onboarding",
      "paywall Products/dozzi.json --out /dev/null/x", "paywall Products/maze-packs.json --item denny/4",
      "paywall Products/maze-packs.json --out pages --feature story.play", "paywall Products/dozzi.json --language ../de",
      "simulate Examples/Scenarios/dozzi --months 3", "simulate Examples/Scenarios/dozzi --behaviour file.json",
      "simulate Products/dozzi.json --customers 10 --junit file.xml", "simulate Products/dozzi.json --customers 10 --quiet",
    ])
  func refused(line: String) async throws {
    let result = try await Command.shell("monetize \(line) < /dev/null", in: Command.repository)
    #expect(result.status == 2 && result.output.isEmpty && !result.errors.contains("NSCocoa"), "\(result.transcript)")
  }

  @Test("a product without a price is shown without one: HEAT-32") func noPrice() async throws {
    let scratch = try Scratch()
    let price = #""price": { "amount": "2.99", "currency": "USD" }, "#
    let catalog = try scratch.copy("Products/dozzi.json", as: "catalog.json", replacing: [price: ""])
    for command in ["paywall", "show", "lint"] {
      let result = try await Command.run(command, catalog)
      #expect(!result.output.contains("0.00") && !result.errors.contains("0.00"), "\(result.transcript)")
    }
    #expect(try await Command.run("lint", catalog).transcript.contains("price-missing"))
  }

  @Test("play: each refund has a line with its amount, and an option's word may be a product") func play() async throws {
    let input = "buy basic.month\nbuy pro.month\nmoney\nbuy pass\nstatus\n"
    let catalog = "Examples/Scenarios/app-store/catalog.json"
    let played = try await Command.run(["play", catalog], input: input)
    #expect(played.output.contains("refunded\n") && played.errors.isEmpty, "\(played.transcript)")
    let held = try await Command.run(["play", "Products/magical-stories.json"], input: "why childProfiles held 0\n")
    #expect(held.status == 0 && held.output.contains("allowed"), "\(held.transcript)")
  }

  @Test("a mistake in an event log has its line and column, and status 1") func log() async throws {
    let scratch = try Scratch()
    let log = try scratch.write("{\"at\":\"2026-03-01T12:00:00Z\",\"name\":\"used\"}\n{\"at\":5}\n", as: "log.jsonl")
    let result = try await Command.run("funnel", "Products/dozzi.json", log)
    #expect(result.status == 1 && result.errors.contains("log.jsonl:2:7: error:"), "\(result.transcript)")
    let set = try await Command.run("funnel", "Products/dozzi.json", log, "--set", "ratng=4.6")
    #expect(set.status == 2 && set.errors.contains("no figure or target \"ratng\". Did you mean \"rating\"?"), "\(set.transcript)")
  }

  #if os(Linux)
    @Test("a file of 20 MB of line ends needs less than 800 MB, and its mistake is at its end") func lineEnds() async throws {
      let scratch = try Scratch()
      try Data(repeating: UInt8(ascii: "\n"), count: 20_000_000).write(to: scratch.url("ends.json"))
      let result = try await Command.shell("ulimit -v 800000 && monetize validate ends.json", in: scratch.folder)
      #expect(result.status == 1 && result.errors.contains("20000001 | "), "\(result.errors.prefix(500))")
    }
  #endif

  @Test("decide with a state file answers as state explain does: Law 4") func sameAnswers() async throws {
    let scratch = try Scratch()
    let state = scratch.url("state").path
    let scenario = "Examples/Scenarios/magical-stories/a-demo-owns-nothing.json"
    #expect(try await Command.run("simulate", scenario, "--save-state", state, "--quiet").status == 0)
    let damaged = try scratch.write("garbage", as: "damaged")
    for (file, catalog, feature) in [
      (state, "magical-stories", "customThemes"), (state, "magical-stories", "story"), (damaged, "dozzi", "story"),
    ] {
      for at in ["2026-03-02T00:00:00Z", "2027-01-01T00:00:00Z"] {
        let decided = try await Command.run(
          "decide", "Products/\(catalog).json", "--feature", feature, "--state", file, "--at", at, "--format", "json")
        let explained = try await Command.run("state", "explain", file, "Products/\(catalog).json", "--at", at, "--format", "json")
        let answers = try #require((explained.json() as? [String: Any])?["features"] as? [[String: Any]])
        let reason = try #require(answers.first { $0["feature"] as? String == feature }?["reason"] as? String)
        #expect(try (decided.json() as? [String: Any])?["reason"] as? String == reason, "\(feature) at \(at)")
      }
    }
  }
}
