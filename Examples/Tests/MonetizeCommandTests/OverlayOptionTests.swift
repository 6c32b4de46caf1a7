// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--overlay`: remote configuration before it is sent.
@Suite("monetize --overlay", .timeLimit(.minutes(30)))
struct OverlayOptionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ verb: String, _ overlays: String, _ arguments: String...) async throws -> Command.Result {
    let file = try scratch.write(overlays, as: "overlays.json")
    return try await Command.run([verb, "Products/magical-stories.json", "--overlay", file] + arguments)
  }

  private static let five = #"[{ "id": "five", "percent": 10, "patch": { "freeTier": { "grants": { "story": 5 } } } }]"#

  @Test("decide and show answer for the customers who get it, whatever their share") func answers() async throws {
    let answer = try await run("decide", Self.five, "--feature", "story", "--format", "json").json()
    #expect((answer as? [String: Any])?["limit"] as? Int == 5)
    #expect(try await run("show", Self.five).output.contains("5 stories a month"))
  }

  @Test("diff lists the gains and losses of everyone") func diff() async throws {
    let gain = try await run("diff", Self.five)
    #expect(
      gain.status == 0 && gain.output.contains("Everyone gains Stories this month: 3 stories a month before, 5 stories a month now."),
      "\(gain)")
    let free = try await run("diff", #"[{ "id": "off", "patch": { "monetization": "off" } }]"#)
    #expect(
      free.status == 0 && free.output.contains("Everyone gains Stories this month: 3 stories a month before, unlimited now."), "\(free)")
    let plan = #"[{ "id": "less", "patch": { "freeTier": { "grants": { "story": 1 } } } }]"#
    #expect(
      try await run("diff", plan).output.contains("Everyone loses Stories this month: 3 stories a month before, 1 story a month now."))
  }

  @Test("Several overlays apply in their order") func order() async throws {
    let two = Self.five.dropLast() + #", { "id": "four", "patch": { "freeTier": { "grants": { "story": 4 } } } }]"#
    let answer = try await run("decide", String(two), "--feature", "story", "--format", "json").json()
    #expect((answer as? [String: Any])?["limit"] as? Int == 4)
  }

  @Test("A mistake has its line and column in the file of overlays") func mistakes() async throws {
    let result = try await run(
      "show",
      """
      [{ "id": "five", "patch": {} },
       { "id": "misspelt", "patch": {
         "freeTier": { "grants": { "stroy": 5 } } } }]
      """)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(
      result.errors.hasSuffix(
        """
        overlays.json:3:39: error: There is no feature "stroy". Did you mean "story"? [unknown-feature] at [1].patch.freeTier.grants.stroy
          3 |    "freeTier": { "grants": { "stroy": 5 } } } }]
                                                    ^

        """), "\(result.errors)")
  }

  @Test("A file of another kind has one message", arguments: ["show", "diff"]) func kinds(verb: String) async throws {
    let catalog = "Products/magical-stories.json"
    let swapped = try await Command.run([verb, catalog, "--overlay", catalog])
    #expect(swapped.status == 1)
    #expect(swapped.errors.contains("This is a catalog, but remote configuration is expected."), "\(swapped)")
    let file = try scratch.write(Self.five, as: "overlays.json")
    let validated = try await Command.run(["validate", file])
    #expect(validated.status == 1)
    #expect(
      validated.errors.contains(
        "This is remote configuration, but a catalog is expected. Show its effect with: monetize diff CATALOG --overlay \(file)"))
  }

  @Test("Options that do not fit together are refused") func refused() async throws {
    #expect(try await run("diff", Self.five, "--git", "main").errors.contains("Write --git or --overlay, not both."))
    #expect(try await run("diff", Self.five, "Products/dozzi.json").status == 2)
    #expect(try await run("show", Self.five, "--as", "privacy").errors.contains("Remove --overlay."))
  }
}
