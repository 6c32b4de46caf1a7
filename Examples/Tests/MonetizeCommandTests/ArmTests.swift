// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--arm`, with the catalog of `Docs/Guides/Experiments.md`.
@Suite("monetize --arm", .timeLimit(.minutes(30)))
struct ArmTests {
  private let catalog: String
  private let file: URL

  init() throws {
    let guide = try String(contentsOf: Command.repository.appendingPathComponent("Docs/Guides/Experiments.md"), encoding: .utf8)
    catalog = guide.components(separatedBy: "```json\n")[1].components(separatedBy: "\n```")[0]
    file = FileManager.default.temporaryDirectory.appendingPathComponent("arms-\(UUID().uuidString).json")
    try Data(catalog.utf8).write(to: file)
  }

  private func run(_ verb: String, _ arguments: String...) async throws -> Command.Result {
    defer { try? FileManager.default.removeItem(at: file) }
    return try await Command.run([verb, file.path] + arguments)
  }

  @Test("MAGIC-43: a paywall has the texts and prices of the arms, and without them those of the catalog")
  func paywall() async throws {
    let plain = try await run("paywall").output
    #expect(plain.contains("More stories") && plain.contains("$2.99") && !plain.contains("$4.99"))
  }

  @Test("MAGIC-43: a paywall has the texts and prices of two arms together")
  func both() async throws {
    let warm = try await run("paywall", "--arm", "headline=warm", "--arm", "price=high").output
    #expect(warm.contains("One more story?") && warm.contains("$4.99") && !warm.contains("More stories") && !warm.contains("$2.99"))
  }

  @Test("show has the paywall of the arm")
  func show() async throws {
    let warm = try await run("show", "--arm", "headline=warm").output
    #expect(warm.contains("One more story?") && !warm.contains("More stories"))
  }

  @Test("decide names the product of the arm")
  func decide() async throws {
    let answer = try await run("decide", "--feature", "story", "--count", "4", "--arm", "price=high", "--format", "json").json()
    #expect((answer as? [String: Any])?["unlockedBy"] as? [String] == ["unlimited.high"])
  }

  @Test("diff lists what the customers of an arm have in place of the others'") func diff() async throws {
    let result = try await run("diff", "--arm", "price=high", "--arm", "headline=warm")
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output.replacingOccurrences(of: file.path, with: "stories.json") == """
        Products and prices
          unlimited.high (4.99 USD once) is sold instead of unlimited (2.99 USD once).

        Texts
          The text paywalls.default.headline: “More stories” becomes “One more story?”.

        2 changes from stories.json to price=high, headline=warm.

        """)
  }

  @Test("diff of an arm that changes nothing has no change; with another old catalog, --arm is refused") func noDiff() async throws {
    let same = try await run("diff", "--arm", "price=low")
    #expect(same.status == 0 && same.output == "Nothing changes from \(file.path) to price=low.\n", "\(same)")
    let git = try await Command.run(["diff", file.path, "--git", "main", "--arm", "price=low"])
    #expect(git.status == 2 && git.errors.contains("Write --git or --arm, not both."), "\(git)")
    let two = try await Command.run(["diff", file.path, file.path, "--arm", "price=low"])
    #expect(two.status == 2 && two.errors.contains("--arm EXPERIMENT=ARM"), "\(two)")
  }

  @Test("forecast has the price of the arm") func forecast() async throws {
    let result = try await run("forecast", "--arm", "price=high", "--months", "1")
    #expect(result.output.hasPrefix("Stories with price=high: published medians\n"), "\(result)")
    #expect(result.output.contains("proceeds of Unlimited        4.9900"), "\(result)")
  }

  @Test("A rehearsal of experiments: customers with arms, and the figures of their log") func rehearsal() async throws {
    let scratch = try Scratch()
    let log = scratch.url("log.jsonl").path
    let played = try await run("simulate", "--customers", "3000", "--months", "1", "--events", log)
    try Data(catalog.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let found = try await Command.run(["funnel", file.path, log, "--by", "experiment"])
    let transcript = played.transcript + "\n" + found.transcript
    try expectGolden(
      transcript.replacingOccurrences(of: log, with: "log.jsonl").replacingOccurrences(of: file.path, with: "stories.json"), "rehearsal")
  }

  @Test("A population with --arm gives all customers the arm, and plays no experiment") func population() async throws {
    let result = try await run("simulate", "--customers", "2000", "--months", "1", "--arm", "price=high")
    let gross = result.output.split(separator: "\n").last?.split(separator: " ").dropLast(3).last.flatMap { Double($0) }
    let sold = (gross ?? 0) / 4.99
    #expect(gross ?? 0 > 0 && abs(sold - sold.rounded()) < 1e-6 && !result.output.contains("Arms"), "\(result)")
  }

  @Test("A scenario runs in the arm") func scenario() async throws {
    let scratch = try Scratch()
    let text = """
      { "title": "The arm", "catalog": "\(file.path)", "start": "2026-03-01T12:00:00Z", "steps": [
        { "do": "launch" }, { "expect": { "variant": { "price": "high" } } },
        { "do": "purchase", "product": "unlimited.high", "gate": "pass" }, { "expect": { "charged": "4.99 USD" } }] }
      """
    let scenario = try scratch.write(text, as: "arm.json")
    defer { try? FileManager.default.removeItem(at: file) }
    let high = try await Command.run(["simulate", scenario, "--quiet", "--arm", "price=high"])
    #expect(high.status == 0, "\(high)")
    let low = try await Command.run(["simulate", scenario, "--quiet", "--arm", "price=low"])
    #expect(low.status == 1 && low.errors.contains("expected"), "\(low)")
    let unknown = try await Command.run(["simulate", scenario, "--arm", "prize=high"])
    #expect(unknown.status == 2 && unknown.errors.contains("Did you mean \"price\"?"), "\(unknown)")
    let overlay = try await Command.run(["simulate", scenario, "--overlay", "x.json"])
    #expect(overlay.errors == "Error: --overlay needs --customers: it has no effect on scenarios.\n", "\(overlay)")
  }

  @Test("play sells the product of the arm, and the others play on") func play() async throws {
    let input = "open usageLimitReached\nbuy unlimited.high gate pass\n"
    let result = try await Command.run(["play", file.path, "--arm", "price=high"], input: input)
    #expect(
      result.status == 0 && result.output.contains("unlimited.high  4.99 USD once") && result.output.contains("4.99 USD charged"),
      "\(result)")
    let low = try await Command.run(["play", file.path, "--arm", "price=low"], input: input)
    try? FileManager.default.removeItem(at: file)
    #expect(low.output.contains("2.99 USD once") && low.output.contains("failed · productUnavailable"), "\(low)")
  }

  @Test("An arm that only customers of one part of a namespace can have needs an arm of the other part") func parts() async throws {
    let limit = #"{ "id": "x", "weight": 1, "set": { "freeTier": { "grants": { "story": 5 } } } }"#
    let scratch = try Scratch()
    let other = try scratch.write(
      catalog.replacingOccurrences(
        of: #""experiments": {"#,
        with:
          #""experiments": { "a": { "namespace": ["n", 0, 0.5], "arms": [\#(limit)] }, "b": { "namespace": ["n", 0.5, 1], "arms": [\#(limit)] },"#
      ),
      as: "parts.json")
    let result = try await Command.run(["play", other, "--arm", "a=x"], input: "")
    #expect(result.status == 2 && result.errors.hasPrefix("Error: --arm: Not all customers can have this arm. "), "\(result)")
    let file = try scratch.write(catalog, as: "same.json")
    let played = try await Command.run(["play", file, "--arm", "headline=warm"], input: "open usageLimitReached\n")
    #expect(played.output.contains("One more story?"), "\(played)")
  }

  @Test(
    "a misspelt arm is refused, with the closest name",
    arguments: [
      (["warm"], "--arm: \"warm\" is no arm. Write experiment=arm, for example headline=warm."),
      (["haedline=warm"], "The catalog has no experiment \"haedline\". Did you mean \"headline\"?"),
      (["headline=wram"], "The catalog has no arm of \"headline\" \"wram\". Did you mean \"warm\"?"),
      (["price=low", "price=high"], "--arm: A customer has one arm of price, not low and high. Remove one of them."),
    ])
  func mistakes(arms: [String], message: String) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try await Command.run(["paywall", file.path] + arms.flatMap { ["--arm", $0] })
    #expect(result.status == 2 && result.errors == "Error: \(message)\n", "\(result)")
  }
}
