// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("monetize validate", .timeLimit(.minutes(30)))
struct ValidateTests {
  @Test("CARD-06, CARD-07: every shipped catalog is valid")
  func shipped() async throws {
    let files = Command.names(in: "Products").filter { $0.hasSuffix(".json") }.map { "Products/\($0)" }
    #expect(files.count == 5)
    let result = try await Command.run(["validate"] + files)
    #expect(result.status == 0)
    // Sections that this version does not read yet are notes, not errors.
    #expect(!result.errors.contains(": error:") && !result.errors.contains(": warning:"))
    try expectGolden(result.transcript, "validate-shipped")
  }

  @Test("MAZE-20: a catalog without a server is a whole catalog")
  func noServer() async throws {
    #expect(!(try Command.text("Products/maze-packs.json").contains("server")))
    let result = try await Command.run("validate", "Products/maze-packs.json")
    #expect(result.status == 0)
  }

  @Test("a misspelt key is reported with file, line, column, path and a guess")
  func misspelt() async throws {
    let scratch = try Scratch()
    let file = try scratch.copy(
      "Products/maze-packs.json", as: "misspelt.json",
      replacing: [#""title": "Stories""#: #""tilte": "Stories""#, "nonConsumable": "nonConsumible"])
    let result = try await Command.run("validate", file, "Products/maze-packs.json")
    #expect(result.status == 1)
    #expect(result.errors.contains("misspelt.json:11:21: error: Unknown key \"tilte\". Did you mean \"title\"?"))
    try expectGolden(result.transcript(scratch), "validate-misspelt")
  }

  @Test("as JSON: each file with all its diagnostics")
  func json() async throws {
    let scratch = try Scratch()
    let file = try scratch.copy(
      "Products/maze-packs.json", as: "misspelt.json", replacing: [#""title": "Stories""#: #""tilte": "Stories""#])
    let result = try await Command.run("validate", "--format", "json", file, "Products/maze-packs.json")
    let reports = try #require(try result.json() as? [[String: Any]])
    #expect(reports.map { $0["valid"] as? Bool } == [false, true])
    #expect(result.errors == "", "with --format json everything is in the JSON")
    try expectGolden(result.transcript(scratch), "validate-json")
  }

  @Test("a folder means all catalogs in it and below, without schemas and scenarios; one with a mistake is reported")
  func folder() async throws {
    let shipped = try await Command.run("validate", "Products")
    let valid = shipped.output.components(separatedBy: "\n").filter { $0.hasPrefix("Products/") && $0.contains(": valid") }
    #expect(shipped.status == 0 && valid.count == 5, "\(shipped.transcript)")
    let scratch = try Scratch()
    _ = try scratch.copy("Examples/Scenarios/maze-packs/family.json", as: "family.json")
    _ = try scratch.copy("Products/maze-packs.json", as: "maze.json", replacing: ["schemaVersion": "schemaVersoin"])
    let broken = try await Command.run("validate", scratch.folder.path)
    #expect(broken.status == 1 && broken.errors.contains("maze.json:") && !broken.errors.contains("family.json"))
  }

  @Test("an unreadable file differs from an invalid one: exit 2")
  func unreadable() async throws {
    let scratch = try Scratch()
    let result = try await Command.run("validate", "Products/maze-pack.json")
    #expect(result.status == 2)
    try expectGolden(result.transcript(scratch), "validate-unreadable")
  }

  @Test("all files are checked, also after an unreadable one; a folder without catalogs is named as such", arguments: ["validate", "lint"])
  func everyFile(_ verb: String) async throws {
    let scratch = try Scratch()
    let broken = try scratch.write("{ \"schemaVersion\": 1 }", as: "broken.json")
    // A valid catalog without a finding is not in the text of lint.
    let result = try await Command.run([verb, "Products/none.json", broken, "Products/dozzi.json"])
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("Products/none.json: cannot be read."))
    #expect((result.output + result.errors).contains("broken.json:1:1: error: "))
    #expect(verb == "lint" || result.output.contains("dozzi.json: valid"))
    let empty = try await Command.run(verb, "Docs/Decisions")
    #expect(empty.status == 2 && empty.output == "" && empty.errors.hasPrefix("Docs/Decisions: There is no catalog in this folder."))
    let report = try await Command.run("validate", "--format", "json", "Products/none.json", "Products/dozzi.json")
    #expect((try report.json() as? [[String: Any]])?.map { $0["valid"] as? Bool } == [false, true] && report.status == 2)
  }

  @Test(
    "a file of another kind has one message, which names the command that reads it",
    arguments: [
      (["migrate", "SCENARIO"], "This is a scenario, but a catalog is expected. Run it with: monetize simulate Examples"),
      (["lint", "SCENARIO"], "This is a scenario, but a catalog is expected."), (["diff", "CATALOG", "SCENARIO"], "This is a scenario"),
      (["validate", "STATE"], "This is a state file, but a catalog is expected. Show it with: monetize state show "),
      (["decide", "LOG", "--feature", "a"], "This is an event log, but a catalog is expected. Read it with: monetize funnel "),
      (["validate", "Products/strings/dozzi/de.json"], "This is a table of texts, but a catalog is expected."),
      (["state", "explain", "CATALOG", "STATE"], "This is a catalog, but a state file is expected."),
      (["state", "verify", "SCENARIO"], "This is a scenario, but a state file is expected."),
      (["decide", "CATALOG", "--feature", "story", "--state", "LOG"], "This is an event log, but a state file is expected."),
      (["funnel", "CATALOG", "CATALOG"], "This is a catalog, but an event log is expected."),
      (["replay", "CATALOG", "CATALOG"], "This is a catalog, but an event log is expected."),
      (["replay", "LOG", "LOG"], "This is an event log, but a catalog is expected."),
    ])
  func otherKinds(_ arguments: [String], _ message: String) async throws {
    let scratch = try Scratch()
    let files = [
      "CATALOG": "Products/dozzi.json", "SCENARIO": "Examples/Scenarios/dozzi/two-stories-ever.json",
      "STATE": try scratch.write("monetize-state 1\n", as: "a.state"),
      "LOG": try scratch.write("{ \"at\": \"2026-03-01T12:00:00Z\", \"name\": \"a\" }\n", as: "a.jsonl"),
    ]
    let result = try await Command.run(arguments.map { files[$0] ?? $0 })
    #expect(result.status == 1 && result.output == "" && result.errors.contains(": error: " + message), "\(result.transcript)")
  }

  @Test("invalid JSON is reported with its place")
  func noJSON() async throws {
    let scratch = try Scratch()
    let result = try await Command.run("validate", try scratch.write("{\n  \"schemaVersion\": 1,\n  \"app\": {,\n}\n", as: "broken.json"))
    #expect(result.status == 1)
    try expectGolden(result.transcript(scratch), "validate-no-json")
  }

  @Test("MAZE-01, MAZE-12, MAZE-30: a subscription, a period and an old difficulty are refused in the maze file")
  func claims() async throws {
    let scratch = try Scratch()
    let file = try scratch.copy(
      "Products/maze-packs.json", as: "claims.json",
      replacing: [
        #""parts": ["easy", "medium", "hard"]"#: #""parts": ["easy", "medium", "expert"]"#,
        #"  "products": ["#: """
          "products": [
            { "kind": "subscription", "id": "com.example.mazes.monthly", "name": "Monthly", "group": "mazes", "level": 1, "period": "P1M",
              "price": { "amount": "1.99", "currency": "USD" }, "grants": { "story.play": "unlimited" } },
        """,
      ])
    let result = try await Command.run("validate", file)
    #expect(result.status == 1)
    try expectGolden(result.transcript(scratch), "validate-claims")
  }
}

@Suite("monetize schema", .timeLimit(.minutes(30)))
struct SchemaTests {
  @Test("prints the schema of Products/schema, byte for byte")
  func same() async throws {
    let result = try await Command.run("schema")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output == (try Command.text("Products/schema/catalog.schema.json")))
    #expect(try await Command.run("schema", "catalog").output == result.output)
  }

  @Test("prints the schema of scenarios as well, and of nothing else")
  func scenario() async throws {
    let result = try await Command.run("schema", "scenario")
    #expect(result.status == 0)
    let schema = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    #expect(schema?["title"] as? String == "Monetize scenario" && result.output.contains("\"do-purchase\""))
    let other = try await Command.run("schema", "scenery")
    #expect(other.status == 2 && other.output == "")
  }
}
