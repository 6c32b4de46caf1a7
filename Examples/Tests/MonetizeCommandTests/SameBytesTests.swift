// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The seed of a scenario determines everything random: another process, on a machine as different as possible here, gives the same bytes.
/// Swift seeds its hashing anew in each process, so this also finds a dependence on the order of a dictionary.
@Suite("The same seed, the same bytes", .timeLimit(.minutes(30)))
struct SameBytesTests {
  static let files: [String] = Command.names(in: "Examples/Scenarios").filter { $0 != "schema" }.flatMap { folder in
    Command.names(in: "Examples/Scenarios/\(folder)").filter { $0.hasSuffix(".json") && $0 != "catalog.json" }
      .map { "Examples/Scenarios/\(folder)/\($0)" }
  }

  static let here = ["TZ": "UTC", "LANG": "C"]
  static let elsewhere = [
    ["TZ": "Pacific/Kiritimati", "LANG": "th_TH.UTF-8", "LC_ALL": "th_TH.UTF-8"],
    ["TZ": "America/Los_Angeles", "LANG": "ar_SA.UTF-8", "LC_ALL": "ar_SA.UTF-8"],
    ["TZ": "Asia/Kathmandu", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"],
  ]

  private struct Played: Equatable {
    let output: String
    let errors: String
    let status: Int32
    let state: Data
    let junit: String
  }

  private func play(_ file: String, _ environment: [String: String]) async throws -> Played {
    let scratch = try Scratch()
    let (state, junit) = (scratch.url("state"), scratch.url("junit.xml"))
    let result = try await Command.run(
      ["simulate", file, "--format", "json", "--save-state", state.path, "--junit", junit.path], environment: environment)
    return Played(
      output: result.output, errors: result.errors, status: result.status, state: try Data(contentsOf: state),
      junit: try String(contentsOf: junit, encoding: .utf8))
  }

  @Test("the report as JSON and JUnit, and the state file, of every scenario", arguments: SameBytesTests.files)
  func report(_ file: String) async throws {
    let index = Self.files.firstIndex(of: file) ?? 0
    let (one, other) = (try await play(file, Self.here), try await play(file, Self.elsewhere[index % Self.elsewhere.count]))
    #expect(one.status == 0)
    #expect(other.output == one.output, "\(difference(one.output, other.output))")
    #expect(
      other.state == one.state, "\(difference(String(decoding: one.state, as: UTF8.self), String(decoding: other.state, as: UTF8.self)))")
    #expect(other == one)
  }

  @Test("the timelines of all scenarios") func timelines() async throws {
    let one = try await Command.run(["simulate"] + Self.files, environment: Self.here)
    for environment in Self.elsewhere {
      let other = try await Command.run(["simulate"] + Self.files, environment: environment)
      #expect(other.output == one.output, "\(environment)\n\(difference(one.output, other.output))")
      #expect(other.errors == one.errors)
    }
    #expect(one.status == 0)
    #expect(one.output.components(separatedBy: "▸  ").count == 1, "a step without a title")
  }

  @Test("another seed gives other ids of uses, and no other difference") func seeds() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      """
      { "catalog": "c", "start": "2026-03-01T12:00:00Z", "seed": 7, "steps": [
        { "do": "launch" }, { "do": "use", "feature": "story", "times": 2 }, { "do": "relaunch" }, { "do": "use", "feature": "story" } ] }
      """, as: "seed-7.json")
    let other = try scratch.write(
      try String(contentsOfFile: file, encoding: .utf8).replacingOccurrences(of: "7,", with: "8,"), as: "seed-8.json")
    var states: [String] = []
    for file in [file, other] {
      let state = scratch.url("state").path
      let result = try await Command.run(["simulate", file, "--catalog", "Products/magical-stories.json", "--save-state", state])
      #expect(result.status == 0)
      states.append(try String(contentsOfFile: state, encoding: .utf8))
    }
    let names = ["device-7-1-2", "device-7-1-3", "device-7-2-2"]
    for name in names { #expect(states[0].contains("\"key\":\"\(name)\"")) }
    #expect(states[0] != states[1])
    // Each line begins with a checksum.
    let lines = states.map { $0.split(separator: "\n").map { $0.drop { $0 != "[" } }.joined(separator: "\n") }
    #expect(lines[0].replacingOccurrences(of: "device-7-", with: "device-8-") == lines[1])
  }
}
