// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools
import Testing

@testable import monetize

@Suite("The commands of monetize play", .timeLimit(.minutes(30)))
struct PlayVerbTests {
  /// A line for each command, for a catalog of its own.
  static let lines = [
    "launch silent", "close", "launch", "background", "foreground", "load", "relaunch",
    "open pages notes/4 date -P7D held 2 count 1 gate pass", "open tone level low", "open paywall default gate pass", "dismiss default",
    "buy monthly offer sale quantity 1 gate pass confirm", "buy monthly", "expire", "buy book from promotion at 2026-02-01 gate pass",
    "buy book from appStore", "redeem friends", "buy book crash store",
    "launch", "restore gate pass", "use story 2 for 20min key one", "use story parallel 3 fails note=hello times=2",
    "use story date 2026-02-01 held 2 count 1", "use tone level low", "use pages notes/1", "open pages place 4 notes",
    "use pages place 2 notes",
    "use story taking 20min", "use story crashes", "launch",
    #"update { "freeTier": { "grants": { "story": 9 } } }"#, #"overlay { "freeTier": { "grants": { "story": 10 } } }"#, "overlay none",
    "complete notes/1", "coins +20 puzzle", "coins -5", "cap story 2", "cap story none", "cap playTime 30min", "cap export off",
    "give premium until 2027-01-01", "revoke premium", "give premium id helpdesk",
    "wait 7d", "wait until 2026-03-20 12:00", "wait next",
    "askToBuy on", "buy pack gate pass", "decline", "buy pack gate pass ask", "approve", "askToBuy off", "askToBuyLasts 2d",
    "buy monthly gate pass", "renewal off", "renewal on monthly", "manage off", "manage on monthly", "wait renewal",
    "requestRefund pack", "refund pack reason other", "refund pack reverse", "refund pack declined", "refund monthly prorated",
    "refund monthly reverse", "renew monthly",
    "extend monthly 7d", "deliver 2", "family joins bob", "family leaves bob", "forget monthly newest", "forget monthly",
    "offline", "online", "payment fails", "payment works", "interrupted on", "interrupted on pending", "interrupted off cancelled",
    "grace 16d", "grace none",
    "grace none after 1d",
    "grace none after 0d", "graceFor all",
    "got 2024-05-01 1.3", "appTransaction",
    "monthEnd drifts", "months pacific", "price monthly 12.99 notice", "price monthly 11.99 in DEU EUR",
    "price monthly 1.49 of sale in DEU EUR",
    "sale off pack", "commitment monthly 12",
    "codeFor friends new existing", #"set codeStacks={ "friends": true }"#, #"set codes={ "com.example.app.book": { "half": "1.49" } }"#,
    "storefront deu", "environment sandbox", "error purchase network 2", "error purchase none",
    "quirk lateListing on", "clock 2026-01-01", "clock true", "zone Europe/Berlin", "damage truncate", "set secureStorage=true", "crash",
    "reinstall nothing",
    "set monthEnd=keepsAnchor network=online", "forget", "device watch", "device tablet of bob",
    "on watch launch", #"on watch update { "freeTier": { "grants": { "story": 9 } } }"#,
    "as child:max use story on=watch", "on tablet as guest launch", "on watch", "as child:max", "expect story used=1", "wait next",
    "on device", "as customer", "zone UTC", "foreground", "same device watch", "expect story allowed=true", "expect pack owned=false",
    "expect charged=0.00", "environment production", "expect charged=40.94",
    "sync watch twice after 2h", "sync watch device lost back", "sync device watch lost", "sign in ann share", "sign out",
    "sign in ann transfer",
    "wait 3h",
  ]

  static let catalog = #"""
    { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "App" },
      "collections": { "notes": { "title": "Notes", "items": 4 } },
      "features": { "story": { "title": "Stories", "allowance": "count", "per": "month" },
        "pages": { "title": "Pages", "allowance": "items" }, "tone": { "allowance": "level", "levels": ["low", "high"] },
        "depth": { "allowance": "level", "levels": ["2k", "4k", "Plus"] },
        "playTime": { "title": "Play", "allowance": "duration", "per": "day" }, "export": { "title": "Export" } },
      "freeTier": { "grants": { "story": 3, "pages": 1, "playTime": "PT1H", "tone": "low", "depth": "2k" } },
      "entitlements": { "premium": { "title": "Premium", "grants": { "story": "unlimited", "export": true } } },
      "products": [
        { "kind": "subscription", "id": "com.example.app.monthly", "name": "Monthly", "group": "pro", "level": 1, "period": "P1M",
          "price": { "amount": "8.99", "currency": "USD" }, "entitlements": ["premium"],
          "offers": [
            { "type": "promotional", "id": "sale", "mode": "payUpFront", "period": "P1M",
              "price": { "amount": "1.99", "currency": "USD" } },
            { "type": "code", "id": "friends", "mode": "payUpFront", "period": "P1M", "price": { "amount": "0.99", "currency": "USD" } }] },
        { "kind": "nonConsumable", "id": "com.example.app.pack", "name": "Pack", "price": { "amount": "9.99", "currency": "USD" },
          "grants": { "pages": { "notes": "unlimited" } } },
        { "kind": "nonConsumable", "id": "com.example.app.book", "name": "Book", "price": { "amount": "2.99", "currency": "USD" },
          "grants": { "export": true } }],
      "paywalls": { "default": { "headline": "More", "actions": ["purchase", "restore", "dismiss"] } } }
    """#

  private static func object(_ json: Any?) -> [String: Any] { json as? [String: Any] ?? [:] }

  /// Every verb of scenarios with its keys, and every setting.
  private static func vocabulary() -> (verbs: [String: Set<String>], settings: Set<String>) {
    let standard = ScenarioVocabulary.standard
    let verbs = standard.verbs().map { ($0.name, Set(standard.keys(of: $0.name).map(\.name))) }
    return (Dictionary(uniqueKeysWithValues: verbs), Set(standard.worldSettings.map(\.name)))
  }

  @Test("every verb of scenarios, each of its keys and every setting can be written at the prompt")
  func everything() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.write(Self.catalog, as: "catalog.json")
    let saved = scratch.url("saved.json").path
    let input = (Self.lines + ["save \(saved)"]).joined(separator: "\n")
    let result = try await Command.run(["play", catalog, "--closed", "--device", "device=customer"], input: input)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = Self.object(try JSONSerialization.jsonObject(with: Data(contentsOf: scratch.url("saved.json"))))
    var said: [String: Set<String>] = [:]
    for step in scenario["steps"] as? [[String: Any]] ?? [] {
      if let verb = step["do"] as? String { said[verb, default: []].formUnion(step.keys) }
    }
    let vocabulary = Self.vocabulary()
    #expect(vocabulary.verbs.count >= 27 && vocabulary.settings.count >= 19)
    for (verb, keys) in vocabulary.verbs {
      // A verb without a command is written with its keys, and help explains it.
      if said[verb] == nil, PlayVerb.named(verb) == nil, try PlayHelp.text(verb).contains("KEY=VALUE") { continue }
      let known = try #require(said[verb], "no line names \(verb)")
      let missing = keys.subtracting(known).subtracting(["$comment", "do", "on", "as", "times", "note", "expect"])
      #expect(missing.isEmpty, "no line names \(missing.sorted()) of \(verb)")
    }
    #expect(vocabulary.settings.subtracting(said["set"] ?? []).isEmpty)
    let run = try await Command.run("simulate", "--quiet", saved)
    #expect(run.status == 0, "\(run.transcript)")
  }

  @Test("the printed line of a step of the app, of a person or of the store can be typed, and is the same step")
  func printedLines() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.write(Self.catalog, as: "catalog.json")
    func printed(_ lines: [String]) async throws -> [String] {
      let result = try await Command.run(
        ["play", catalog, "--closed", "--device", "device=customer"], input: lines.joined(separator: "\n"))
      #expect(result.errors.isEmpty)
      return result.output.components(separatedBy: "\n").filter { !$0.isEmpty && "▸◆⋯○".contains($0.prefix(1)) }
        .map { String($0.dropFirst(2).prefix { $0 != "→" }).trimmingCharacters(in: .whitespaces) }
    }
    // Lines that print less than the step, and settings of the world with other words than their command.
    let others = [
      "update the", "remote", "coins", "give", "gift", "of 2026", "days ago", "no. ", "at once", "period", "grace", "got ",
      "month", "costs", "commits", "friends", "purchase ", "purchases are", "requests", "lateListing", "state file", "a secure", "offer ",
    ]
    let steps = try await printed(Self.lines).filter { line in line != "later" && !others.contains { line.contains($0) } }
    #expect(steps.count > 70)
    // `quit` ends the prompt.
    let otherwise = ["quit": "close", "watch is a device of customer": "device watch", "tablet is a device of bob": "device tablet of bob"]
    let again = try await printed(steps.map { otherwise[$0] ?? $0 })
    #expect(again == steps, "\(again.difference(from: steps))")
  }

  @Test(
    "a length of time and a level need no word before them; minutes can be m, because a use has no months",
    arguments: [
      ("use playTime 20min", "use playTime for PT20M"), ("use playTime 3m 2", "use playTime for 3 minutes 2"),
      ("use playTime 1 minute", "use playTime for 1min"), ("use playTime PT30S", "use playTime for 30 seconds"),
      ("use tone low 2", "use tone level low 2"), ("open tone HIGH", "open tone level high"), ("use story 2", "use story times=2"),
      // The name of a level may begin like a number or like a length.
      ("cap depth 4k", #"record cap={"feature":"depth","amount":"4k"}"#),
      ("cap depth Plus", #"record cap={"feature":"depth","amount":"Plus"}"#),
      ("cap playTime 30 m", #"record cap={"feature":"playTime","amount":"PT30M"}"#), ("use depth 4k", "use depth level 4k"),
      ("use story 2 taking 5m", "use story taking 5min times=2"),
    ]) func withoutWords(short: String, long: String) async throws
  {
    let scratch = try Scratch()
    let catalog = try scratch.write(Self.catalog, as: "catalog.json")
    func step(_ line: String, _ name: String) async throws -> String {
      let saved = scratch.url(name).path
      let result = try await Command.run(["play", catalog, "--closed"], input: "launch\n\(line)\nsave \(saved)\n")
      #expect(result.status == 0 && result.errors.isEmpty, "\(line): \(result.errors)")
      let scenario = Self.object(try JSONSerialization.jsonObject(with: Data(contentsOf: scratch.url(name))))
      let step = try #require((scenario["steps"] as? [[String: Any]])?.dropFirst().first)
      return String(decoding: try JSONSerialization.data(withJSONObject: step, options: .sortedKeys), as: UTF8.self)
    }
    #expect(try await step(short, "short.json") == step(long, "long.json"))
  }

  @Test(
    "TAB completes a feature, its levels, an item, and the words of the command",
    arguments: [
      ("use to", ["tone"]), ("use tone l", ["low", "level"]), ("why tone ", ["low", "high"]), ("cap tone h", ["high"]),
      ("open pages no", ["notes/"]), ("open pages notes/4", ["notes/4"]), ("use playTime f", ["for", "fails"]),
      ("use story par", ["parallel"]),
    ]) func completion(line: String, expected: [String]) throws
  {
    let catalog = try Catalog(json: Data(Self.catalog.utf8))
    let found = PlayCompletion(catalog: catalog, devices: ["phone"]).endings(of: line)
    #expect(Array(found.prefix(expected.count)) == expected, "\(found)")
  }

  @Test("every command occurs in some line, and every line's command in the help")
  func commands() throws {
    let said = Self.lines.flatMap { $0.split(separator: " ").map(String.init) }
    let also: Set = ["status", "show", "money", "why", "ids", "help", "history", "undo", "save", "quit"]
    let missing = PlayVerb.all.map(\.name).filter { !said.contains($0) && !also.contains($0) }
    #expect(missing.isEmpty)
    #expect(Set(PlayVerb.all.map { $0.name.lowercased() }).count == PlayVerb.all.count)
  }

  @Test("no line of any help is wider than 80 columns, and the first fits a small terminal")
  func help() throws {
    for topic in [nil, "all"] + PlayVerb.all.map(\.name) {
      let lines = try PlayHelp.text(topic).components(separatedBy: "\n")
      #expect(lines.allSatisfy { $0.count <= 80 && $0.last != " " }, "\(topic ?? "")")
      if topic == nil { #expect(lines.count <= 24) }
    }
  }

  @Test(
    "words: quoted texts, JSON and key=value stay whole",
    arguments: [
      ("a  b", ["a", "b"], []), (#"save "my file.json""#, ["save", "my file.json"], []),
      (#"update { "a": "}" } x"#, ["update", #"{ "a": "}" }"#, "x"], []),
      (
        #"x note="a b" n=2 t=true s=02 o={ "a": [1] } d=-P7D m=-3"#, ["x"],
        [#""a b""#, "2", "true", #""02""#, #"{ "a": [1] }"#, #""-P7D""#, "-3"]
      ),
      ("a, b,, , c", ["a", "b", "c"], []),
      (#"x note="a \"b\" c""#, ["x"], [#""a \"b\" c""#]),
      ("=x a/b=c", ["=x", "a/b=c"], []), ("x {", ["x", "{"], []), ("", [], []),
    ])
  func tokens(_ line: String, _ words: [String], _ values: [String]) throws {
    let tokens = try PlayTokens(line)
    #expect(tokens.words == words)
    #expect(tokens.members.map(\.json) == values)
  }

  @Test("an unknown command gets a guess")
  func suggestions() async throws {
    let lines = [
      "device watch", "device tablet", "lanch", "subscribe monthly", "story", "monthly", "watch launch", "child:max",
      "buy monthly gaet pass",
      "on wach show",
      "help bui", "next", "wait a week", "login ann", "sync", "on watch sync watc", "extend monthly by",
    ]
    let result = try await Command.run(["play", "Products/magical-stories.json"], input: lines.joined(separator: "\n"))
    let said = result.errors.split(separator: "\n").map(String.init)
    let expected = [
      "\"launch\"", "\"buy\"", "use story", "buy monthly", "on watch launch", "as child:max show", "\"gate\"", "\"watch\"", "\"buy\"",
      "\"wait next\"", "\"sign in\"", "Which device? There is watch, tablet.", "cannot exchange with itself", "\"by\" is not a length",
    ]
    #expect(said.count == expected.count && zip(said, expected).allSatisfy { $0.contains($1) }, "\(result.errors)")
    #expect(result.output.contains("⋯ 7 days later") || result.output.contains("⋯ 1 week later"), "\(result.output)")
    #expect(PlayVerb.hints.values.allSatisfy { PlayVerb.named(String($0.split(separator: " ")[0])) != nil })
    #expect(PlayVerb.hints.keys.allSatisfy { PlayVerb.named($0) == nil })
  }

  @Test("a missing closing quotation mark is reported")
  func openQuote() { #expect(throws: ToolProblem.self) { try PlayTokens("save \"a b") } }
}
