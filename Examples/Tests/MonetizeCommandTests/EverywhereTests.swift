// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The command line, everywhere", .timeLimit(.minutes(30)))
struct EverywhereTests {
  static let commands: [[String]] = [
    ["simulate", "Examples/Scenarios/maze-packs/family.json"],
    ["simulate", "Examples/Scenarios/maze-packs/family.json", "--format", "json"],
    ["show", "Products/magical-stories.json"],
    ["decide", "Products/magical-stories.json", "--feature", "story", "--at", "2026-03-31T23:30:00Z"],
    [
      "decide", "Products/magical-stories.json", "--feature", "story", "--at", "2026-03-31T23:30:00", "--zone", "Europe/Berlin", "--format",
      "json",
    ],
    ["validate", "Products/heatlab.json"],
  ]

  @Test("the same bytes in any time zone and language", arguments: commands)
  func sameBytes(_ command: [String]) async throws {
    let utc = try await Command.run(command, environment: ["TZ": "UTC", "LANG": "C"])
    #expect(utc.status == 0)
    let settings = [
      ["TZ": "Pacific/Kiritimati", "LANG": "de_DE.UTF-8"], ["TZ": "America/Los_Angeles", "LANG": "ar_SA.UTF-8", "LC_ALL": "ar_SA.UTF-8"],
      ["TZ": "Asia/Kathmandu", "LANG": "th_TH.UTF-8", "LC_ALL": "th_TH.UTF-8"],
    ]
    for environment in settings {
      let there = try await Command.run(command, environment: environment)
      #expect(there.output == utc.output, "\(environment)\n\(difference(utc.output, there.output))")
      #expect(there.errors == utc.errors)
    }
  }

  @Test(
    "no colour without a terminal, for any value of TERM", arguments: [[:], ["NO_COLOR": "1"], ["TERM": "xterm-256color"]])
  func noColour(_ environment: [String: String]) async throws {
    let scratch = try Scratch()
    let wrong = try scratch.copy("Products/maze-packs.json", as: "wrong.json", replacing: [#""freeTier""#: #""freetier""#])
    for command in Self.commands + [["validate", wrong]] {
      let result = try await Command.run(command, environment: environment)
      #expect(!result.transcript.contains("\u{1B}"))
    }
  }

  @Test("no line ends in a space")
  func noTrailingSpaces() async throws {
    for command in Self.commands {
      let lines = try await Command.run(command).output.components(separatedBy: "\n")
      #expect(lines.filter { $0.hasSuffix(" ") } == [])
    }
  }

  @Test(
    "help goes to standard output, and the status is 0",
    arguments: [
      "", "validate", "lint", "diff", "check", "show", "decide", "simulate", "play", "paywall", "funnel", "replay", "forecast", "storekit",
      "generate",
      "migrate", "merge", "state", "schema",
    ])
  func help(_ command: String) async throws {
    let result = try await Command.run((command.isEmpty ? [] : [command]) + ["--help"])
    #expect(result.status == 0)
    #expect(result.errors == "")
    try expectGolden(result.output, "help" + (command.isEmpty ? "" : "-\(command)"))
  }

  @Test("errors in arguments go to standard error, and the status is 2 and not argument-parser's 64")
  func wrongArguments() async throws {
    var transcript = ""
    for arguments in [
      ["validat"], ["validate"], ["validate", "--frmat", "x", "y"], ["decide", "Products/maze-packs.json"],
      ["show", "a", "--format", "xml"], ["generate", "Products/dozzi.json"], ["state", "shwo", "a"], ["help", "shwo"],
    ] {
      let result = try await Command.run(arguments)
      #expect(result.status == 2)
      #expect(result.output == "")
      transcript += "$ monetize \(arguments.joined(separator: " "))\n\(result.transcript)"
    }
    try expectGolden(transcript, "wrong-arguments")
  }

  @Test("examples in the help texts run as they are")
  func examples() async throws {
    for command in ["decide", "simulate"] {
      let help = try await Command.run(command, "--help").output.replacingOccurrences(of: "\\\n", with: "")
      let examples = help.components(separatedBy: "\n").filter {
        $0.hasPrefix("  monetize ") && !$0.contains("my-copy") && !$0.contains("*.json")
      }
      #expect(!examples.isEmpty)
      for example in examples {
        let words = example.split(separator: " ").dropFirst().map { $0.replacingOccurrences(of: "'", with: "") }
        #expect(try await Command.run(words).status == 0, "\(example)")
      }
    }
  }
}
