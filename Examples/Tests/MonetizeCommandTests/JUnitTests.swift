// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("monetize simulate --junit", .timeLimit(.minutes(30)))
struct JUnitTests {
  /// Reads the XML: elements with their attributes and texts.
  private final class Reader: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String])] = []
    var text = ""
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String] = [:]
    ) {
      elements.append((name, attributes))
    }
    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    func all(_ name: String) -> [[String: String]] { elements.filter { $0.name == name }.map(\.attributes) }
  }

  private func read(_ path: String) throws -> Reader {
    let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: path)))
    let reader = Reader()
    parser.delegate = reader
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
    return reader
  }

  @Test("passed expectations: a suite for each scenario, a case for each step")
  func passing() async throws {
    let scratch = try Scratch()
    let file = scratch.url("junit.xml").path
    let names = ["ask-to-buy", "family"].map { "Examples/Scenarios/maze-packs/\($0).json" }
    let result = try await Command.run(["simulate", "--quiet", "--junit", file] + names)
    #expect(result.status == 0)
    let found = try read(file)
    #expect(found.all("testsuite").count == 2)
    #expect(found.all("testcase").count >= 15)
    #expect(found.all("testcase").allSatisfy { names.contains($0["file"] ?? "") && Int($0["line"] ?? "") != nil })
    #expect(found.all("failure").isEmpty && found.all("error").isEmpty)
    #expect(found.all("testsuites").first?["tests"] == "\(found.all("testcase").count)")
    try expectGolden(try String(contentsOfFile: file, encoding: .utf8), "simulate-junit")
  }

  @Test("failures, impossible steps and unreadable files; every character is preserved")
  func failing() async throws {
    let scratch = try Scratch()
    let file = scratch.url("junit.xml").path
    let odd = #"<a & "b"> 'c' \u0001\u0007 ]]> ü 日本 😀"#
    let failing = try scratch.write(
      """
      { "title": "\(odd.replacingOccurrences(of: "\"", with: "\\\""))", "catalog": "c", "start": "2026-03-01T12:00:00Z", "steps": [
        { "do": "launch" },
        { "expect": { "feature": "story.play", "item": "denny/4", "allowed": true, "text": "<&\\"'>" } },
        { "do": "launch" } ] }
      """, as: "failing.json")
    let broken = try scratch.write("{ \"steps\": [{ \"do\": \"lanch\" }] }", as: "broken.json")
    let result = try await Command.run(
      "simulate", "--quiet", "--catalog", "Products/maze-packs.json", "--junit", file, failing, broken)
    #expect(result.status == 1)
    let found = try read(file)
    #expect(found.all("testsuite").first?["name"] == "<a & \"b\"> 'c' \u{FFFD}\u{FFFD} ]]> ü 日本 😀")
    let failure = try #require(found.all("failure").first)
    #expect(failure["message"] == "allowed of Stories denny/4: expected yes, found no")
    for words in ["failing.json:3", "expected <&\"'>", "found    no", "why      the reason is requiresPurchase"] {
      #expect(found.text.contains(words), "\(words)")
    }
    #expect(found.all("error").count == 2)
    #expect(found.all("testsuites").first?["failures"] == "1" && found.all("testsuites").first?["errors"] == "2")
    #expect(found.text.contains("Did you mean \"launch\"?"))
  }

  @Test("missing and invalid files are errors in the report; the rest runs, and the status is 2")
  func unreadable() async throws {
    let scratch = try Scratch()
    let file = scratch.url("junit.xml").path
    let noCatalog = try scratch.copy(
      "Examples/Scenarios/maze-packs/family.json", as: "no-catalog.json", replacing: ["../../../Products/maze-packs.json": "none.json"])
    let half = try scratch.write("{ \"steps\": [", as: "half.json")
    let good = "Examples/Scenarios/maze-packs/family.json"
    let empty = scratch.url("empty")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    let arguments = ["simulate", "--quiet", "--junit", file, "no.json", noCatalog, half, empty.path, good]
    let result = try await Command.run(arguments)
    #expect(result.status == 2)
    #expect(result.output.contains("\(good): ✓"))
    let found = try read(file)
    #expect(found.all("testsuite").count == 5 && found.all("error").count == 4 && found.all("failure").isEmpty)
    #expect(found.all("testsuites").first?["errors"] == "4")
    let messages = found.all("error").compactMap { $0["message"] }
    #expect(messages[0].hasPrefix("no.json: cannot be read."))
    #expect(messages[1].contains("\"none.json\" cannot be found."))
    #expect(messages[3].contains("no scenario in this folder"))
    #expect(found.text.contains("half.json:1:13: error:"))
    // An invalid file has the status for the answer no.
    #expect(try await Command.run("simulate", "--quiet", "--junit", file, half).status == 1)
    #expect(try read(file).all("error").count == 1)
  }

  @Test("an unwritable file: exit 2")
  func unwritable() async throws {
    let scratch = try Scratch()
    let result = try await Command.run(
      "simulate", "--quiet", "--junit", scratch.url("no/junit.xml").path, "Examples/Scenarios/maze-packs/family.json")
    #expect(result.status == 2)
  }

  @Test("many files without a terminal: no progress on standard error")
  func noProgress() async throws {
    let names = Command.names(in: "Examples/Scenarios/maze-packs").map { "Examples/Scenarios/maze-packs/\($0)" }
    #expect(names.count >= 10)
    #expect(try await Command.run(["simulate", "--quiet"] + names).errors == "")
  }
}
