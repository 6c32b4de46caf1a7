// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The README's output matches the commands.
@Suite("The README", .timeLimit(.minutes(30)))
struct ReadmeTests {
  /// The fenced blocks that name no language, in order.
  static func blocks() throws -> [String] {
    // Every second piece is inside of a fence.
    let pieces = try Command.text("README.md").components(separatedBy: "```")
    return pieces.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\n") }.map { String($0.element.dropFirst()) }
  }

  @Test("shows the output of its first command")
  func firstCommand() async throws {
    let blocks = try Self.blocks()
    let start = "swift run --package-path Examples monetize "
    let index = try #require(blocks.firstIndex { $0.hasPrefix(start) })
    let arguments = blocks[index].dropFirst(start.count).split(whereSeparator: \.isWhitespace).map(String.init)
    let result = try await Command.run(arguments)
    #expect(result.output == blocks[index + 1], "\(difference(blocks[index + 1], result.output))")
    #expect(result.status == 0)
  }

  @Test("shows the output of its other commands, run one after another in one clone")
  func transcripts() async throws {
    let scratch = try Scratch()
    try FileManager.default.copyItem(at: Command.repository.appendingPathComponent("Products"), to: scratch.url("Products"))
    var sessions = 0
    for block in try Self.blocks() where block.hasPrefix("$ ") {
      for session in ("\n" + block).components(separatedBy: "\n$ ").dropFirst() {
        let lines = session.components(separatedBy: "\n")
        let shown = lines.dropFirst().joined(separator: "\n").trimmingCharacters(in: .newlines)
        let result = try await Command.shell(lines[0], in: scratch.folder)
        let printed = (result.output + result.errors).trimmingCharacters(in: .newlines)
        #expect(printed == shown, "$ \(lines[0])\n\(difference(shown, printed))")
        sessions += 1
      }
    }
    #expect(sessions >= 4)
  }

  @Test("shows a valid catalog, with the products of the line under its code")
  func atAGlance() async throws {
    let text = try Command.text("README.md")
    let json = try #require(text.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "\n```").first)
    let scratch = try Scratch()
    let catalog = try scratch.write(json, as: "sketch.json")
    #expect(try await Command.run("validate", catalog).status == 0)
    let decision = try await Command.run("decide", catalog, "--feature", "layers", "--format", "json")
    let answer = try #require(try decision.json() as? [String: Any])
    let unlockedBy = try #require(answer["unlockedBy"] as? [String])
    #expect(try Self.blocks().contains("[\(unlockedBy.joined(separator: ", "))]\n"))
  }
}
