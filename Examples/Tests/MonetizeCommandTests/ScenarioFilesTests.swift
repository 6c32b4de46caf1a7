// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("monetize simulate: files and folders", .timeLimit(.minutes(30)))
struct ScenarioFilesTests {
  private static let head = #""catalog": "cat.json", "start": "2026-03-01T12:00:00Z""#

  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    _ = try scratch.copy("Products/magical-stories.json", as: "cat.json")
    return scratch
  }

  @Test("a folder means all scenarios in it and below: sorted, without catalogs, schemas, other files and hidden ones")
  func folder() async throws {
    let scratch = try scratch()
    for folder in ["b", ".hidden", "empty.json"] {
      try FileManager.default.createDirectory(at: scratch.url(folder), withIntermediateDirectories: true)
    }
    let launch = "{ \(Self.head), \"steps\": [{ \"do\": \"launch\", \"expect\": { \"newlyAllowed\": 0 } }] }"
    _ = try scratch.write(launch, as: "z.json")
    _ = try scratch.write(launch.replacingOccurrences(of: "cat.json", with: "../cat.json"), as: "b/y.json")
    _ = try scratch.write(launch, as: ".hidden/h.json")
    _ = try scratch.write(launch, as: "notes.txt")
    _ = try scratch.write(try await Command.run("schema", "scenario").output, as: "a.schema.json")
    let result = try await Command.run("simulate", scratch.folder.path, "--quiet")
    #expect(result.status == 0)
    try expectGolden(result.transcript(scratch), "simulate-folder")
    let slash = try await Command.run("simulate", scratch.folder.path + "/", "--quiet")
    #expect(slash.output == result.output)
    // A link to a folder is followed; one inside that leads back is not.
    try FileManager.default.createSymbolicLink(at: scratch.url("b/back"), withDestinationURL: scratch.folder)
    try FileManager.default.createSymbolicLink(at: scratch.url("link"), withDestinationURL: scratch.url("b"))
    let link = try await Command.run("simulate", scratch.url("link").path, "--quiet")
    #expect(link.status == 0 && link.output.hasPrefix("\(scratch.url("link").path)/y.json: ✓"), "\(link.transcript)")
  }

  @Test("a mistake hides no scenario of a folder: a misspelt \"steps\" and an invalid file are reported")
  func mistakesInFolder() async throws {
    let scratch = try scratch()
    _ = try scratch.write("{ \(Self.head), \"stepz\": [] }", as: "misspelt.json")
    _ = try scratch.write("{ \(Self.head), \"steps\": [", as: "torn.json")
    let result = try await Command.run("simulate", scratch.folder.path, "--quiet")
    #expect(result.status == 1)
    #expect(result.errors.contains("misspelt.json:1:") && result.errors.contains("torn.json:1:"))
    #expect(!result.errors.contains("cat.json:"))
  }

  @Test("a folder without scenarios could not run, and several scenarios have no single state")
  func refused() async throws {
    let scratch = try scratch()
    let none = try await Command.run("simulate", scratch.folder.path)
    let states = try await Command.run("simulate", "Examples/Scenarios/maze-packs", "--save-state", scratch.url("state").path)
    for result in [none, states] { #expect(result.status == 2 && result.output.isEmpty) }
    try expectGolden([none, states].map { $0.transcript(scratch) }.joined(), "simulate-folder-refused")
  }

  @Test("a catalog for a scenario, a scenario for a catalog, no catalog, an invalid patch: each one sentence at the right file")
  func swapped() async throws {
    let scratch = try scratch()
    let steps = #""steps": [{ "do": "launch" }]"#
    let missing = try scratch.write("{ \(Self.head), \(steps) }".replacingOccurrences(of: "cat.", with: "no."), as: "missing.json")
    let itself = try scratch.write("{ \(Self.head), \(steps) }".replacingOccurrences(of: "cat.", with: "itself."), as: "itself.json")
    let patch = try scratch.write(
      "{ \(Self.head), \"set\": { \"freeTier\": { \"grants\": { \"story\": \"x\" } } }, \(steps) }", as: "set.json")
    var results: [Command.Result] = []
    for arguments in [["simulate", scratch.url("cat.json").path], ["simulate", missing], ["simulate", itself], ["simulate", patch]] {
      results.append(try await Command.run(arguments))
    }
    for command in ["validate", "show", "play"] { results.append(try await Command.run(command, missing)) }
    #expect(results.map(\.status) == [1, 2, 1, 1, 1, 1, 1])
    try expectGolden(results.map { $0.transcript(scratch) }.joined(), "simulate-swapped")
  }

  @Test("the mark under a mistake is at its position after carriage returns, wide letters and tabs, and a long line is cut")
  func excerpts() async throws {
    let scratch = try scratch()
    let long = String(repeating: " ", count: 300)
    let file = try scratch.write(
      "{ \(Self.head),\r\n \"steps\": [\r\n\t{ \"do\": \"lanch\" },\r\n { \"do\": \"launch\", \"note\": \"é日本🎉\", \"xx\": 1 },\r\n"
        + "{ \"do\": \"launch\",\(long)\"on\": 5,\(long)\"note\": \"\" }] }", as: "crlf.json")
    let result = try await Command.run("simulate", file)
    #expect(result.status == 1)
    try expectGolden(result.transcript(scratch), "simulate-excerpts")
  }
}
