// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--arm`, with the catalog of `Docs/Guides/Experiments.md`.
@Suite("monetize --arm", .timeLimit(.minutes(30)))
struct ArmTests {
  private let file: URL

  init() throws {
    let guide = try String(contentsOf: Command.repository.appendingPathComponent("Docs/Guides/Experiments.md"), encoding: .utf8)
    let catalog = guide.components(separatedBy: "```json\n")[1].components(separatedBy: "\n```")[0]
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
