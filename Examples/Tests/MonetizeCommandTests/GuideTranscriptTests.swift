// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Transcripts in the guides match the command's output, and their JSON is valid.
@Suite("The guides", .timeLimit(.minutes(30)))
struct GuideTranscriptTests {
  static let guides = Command.names(in: "Docs/Guides").filter { $0.hasSuffix(".md") }.map { "Docs/Guides/\($0)" }

  /// The files of the transcripts, which the tests write.
  private static let files = [
    "notes.json", "stories.json", "misspelt.json", "overlays.json", "misspelt-overlays.json", "family.state", "log.jsonl", "changed.json",
    "behaviour.json",
  ]

  /// A fenced block of a guide.
  static func blocks(_ language: String, of guide: String) throws -> [String] {
    try Command.text(guide).components(separatedBy: "\n```\(language)\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
  }

  @Test("catalogs in the guides are valid, or need only the guide's plug-in", arguments: guides)
  func catalogs(_ guide: String) async throws {
    let scratch = try Scratch()
    for block in try Self.blocks("json", of: guide) where block.contains("\"schemaVersion\"") {
      let result = try await Command.run("validate", try scratch.write(block, as: "catalog.json"))
      #expect(result.status == 0, "\(guide)\n\(result.transcript(scratch))")
    }
  }

  @Test("scenarios in the guides pass", arguments: guides)
  func scenarios(_ guide: String) async throws {
    let scratch = try Scratch()
    let catalogs = try Self.blocks("json", of: guide).filter { $0.contains("\"schemaVersion\"") }
    if let notes = catalogs.first { _ = try scratch.write(notes, as: "notes.json") }
    for block in try Self.blocks("json", of: guide) where block.contains("\"steps\"") {
      let text = block.replacingOccurrences(of: "../../../Products", with: Command.repository.appendingPathComponent("Products").path)
      let result = try await Command.run("simulate", try scratch.write(text, as: "scenario.json"))
      #expect(result.status == 0, "\(guide)\n\(result.transcript(scratch))")
    }
  }

  @Test("transcripts in the guides match the output", arguments: guides)
  func transcripts(_ guide: String) async throws {
    let scratch = try Scratch()
    if let notes = try Self.blocks("json", of: guide).first(where: { $0.contains("com.example.notes") }) {
      _ = try scratch.write(notes, as: "notes.json")
    }
    if let stories = try Self.blocks("json", of: guide).first(where: { $0.contains("com.example.stories") }) {
      _ = try scratch.write(stories, as: "stories.json")
    }
    if let behaviour = try Self.blocks("json", of: guide).first(where: { $0.hasPrefix("{ \"conversion\"") }) {
      _ = try scratch.write(behaviour, as: "behaviour.json")
    }
    _ = try scratch.copy("Products/magical-stories.json", as: "changed.json", replacing: [#""story": 3"#: #""story": 2"#])
    _ = try scratch.copy("Products/maze-packs.json", as: "misspelt.json", replacing: [#""title": "Stories""#: #""tilte": "Stories""#])
    if let overlays = try Self.blocks("json", of: guide).first(where: { $0.hasPrefix("[") && $0.contains("\"patch\"") }) {
      _ = try scratch.write(overlays, as: "overlays.json")
      _ = try scratch.write(overlays.replacingOccurrences(of: "story\":", with: "stroy\":"), as: "misspelt-overlays.json")
    }
    for block in try Self.blocks("console", of: guide) {
      for session in ("\n" + block).components(separatedBy: "\n$ ").dropFirst() {
        let lines = session.components(separatedBy: "\n")
        let words = lines[0].components(separatedBy: " ")
        let start = try #require(words.firstIndex(of: "monetize"), "\(lines[0])")
        let arguments = words[(start + 1)...].flatMap { word -> [String] in
          if Self.files.contains(word) {
            return [scratch.url(word).path]
          }
          guard word.hasSuffix("/*.json") else { return [word.replacingOccurrences(of: "'", with: "")] }
          let folder = String(word.dropLast(7))
          return Command.names(in: folder).filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
        }
        let result = try await Command.run(arguments)
        let printed = (result.output + result.errors).replacingOccurrences(of: scratch.folder.path + "/", with: "")
        let shown = lines.dropFirst().joined(separator: "\n")
        if shown.hasPrefix("…\n") {
          let end = String(shown.dropFirst(2)) + "\n"
          #expect(printed.hasSuffix("\n" + end), "\(guide): $ \(lines[0])\n\(difference(end, printed))")
        } else if let cut = shown.range(of: "…\n") ?? (shown.hasSuffix("…") ? shown.range(of: "…", options: .backwards) : nil) {
          #expect(printed.hasPrefix(shown[..<cut.lowerBound]), "\(guide): $ \(lines[0])\n\(difference(shown, printed))")
        } else {
          #expect(printed == shown + "\n", "\(guide): $ \(lines[0])\n\(difference(shown + "\n", printed))")
        }
      }
    }
  }
}
