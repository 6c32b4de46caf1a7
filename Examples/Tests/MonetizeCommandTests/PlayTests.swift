// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("monetize play", .timeLimit(.minutes(30)))
struct PlayTests {
  /// Runs lines from a pipe.
  private func play(_ catalog: String, _ lines: [String], _ more: String...) async throws -> Command.Result {
    try await Command.run(
      ["play", catalog.hasPrefix("/") ? catalog : "Products/\(catalog).json"] + more, input: lines.joined(separator: "\n"))
  }

  @Test("a family, from the first tap to the refund and back")
  func family() async throws {
    let result = try await play(
      "maze-packs",
      [
        "open story denny/4 gate fail", "open story denny/4 gate pass", "why story denny/4", "buy denny ask", "status",
        "wait 20h",
        "approve", "money", "show", "status", "refund", "undo 2", "history", "why story denny/20", "quit", "launch",
      ], "--echo")
    #expect(result.status == 0)
    #expect(result.errors == "")
    try expectGolden(result.transcript, "play-family")
  }

  @Test("Docs/Guides/Play.md matches the output")
  func guide() async throws {
    let text = try Command.text("Docs/Guides/Play.md")
    let block = try #require(text.components(separatedBy: "```text\n").dropFirst().first?.components(separatedBy: "```").first)
    let lines = block.components(separatedBy: "\n").filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
    let result = try await play("magical-stories", lines, "--echo")
    #expect(result.output == block)
    #expect(lines.count > 5)
    let family = try #require(text.components(separatedBy: "```text\n").dropFirst(2).first?.components(separatedBy: "```").first)
    let said = family.components(separatedBy: "\n").compactMap { line in line.range(of: "> ").map { String(line[$0.upperBound...]) } }
    let devices = ["--device", "phone=ann", "--device", "tablet=ann"]
    let played = try await Command.run(
      ["play", "Products/magical-stories.json", "--echo"] + devices, input: said.joined(separator: "\n"))
    #expect(played.output.hasSuffix(family) && said.count > 5, "\(played.output)")
  }

  @Test("from a pipe only results are printed: no prompt, no colour")
  func quiet() async throws {
    let result = try await play("magical-stories", ["# three stories", "", "use story", "use story 2", "use story", "status"])
    #expect(result.status == 0)
    #expect(!result.output.contains("\u{1B}") && !result.output.contains("> "))
    try expectGolden(result.transcript, "play-metered")
  }

  @Test("a game: a rolling limit, coins, a pass that is bought twice, credits and a tip")
  func game() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.write(
      #"""
      { "schemaVersion": 1, "app": { "id": "com.example.gems", "name": "Gems" },
        "collections": { "hats": { "title": "Hats", "items": [{ "id": "crown", "coins": 300 }, { "id": "cap", "coins": 50 }] } },
        "features": {
          "attempt": { "title": "Attempts", "allowance": "count", "per": "PT4H", "unit": { "one": "attempt", "other": "attempts" } },
          "hat": { "title": "Hats", "allowance": "coins", "in": ["hats"] },
          "boost": { "title": "Boosts", "allowance": "count", "per": "day" } },
        "freeTier": { "grants": { "attempt": 3, "hat": true, "boost": 1 } },
        "products": [
          { "kind": "nonRenewing", "id": "gems.weekend", "name": "Weekend Pass", "period": "P3D", "stacks": true,
            "price": { "amount": "0.99", "currency": "USD" }, "grants": { "attempt": "unlimited" } },
          { "kind": "consumable", "id": "gems.boosts", "name": "Ten Boosts", "price": { "amount": "1.99", "currency": "USD" },
            "credits": { "boost": 10 } },
          { "kind": "consumable", "id": "gems.tip", "name": "Tip", "price": { "amount": "0.99", "currency": "USD" } }] }
      """#, as: "gems.json")
    let result = try await play(
      catalog,
      [
        "use attempt", "wait 2h", "use attempt x 2", "why attempt", "status", "wait next", "coins +60", "use hat hats/cap",
        "open hat hats/crown", "buy weekend", "buy weekend", "wait 4 days", "status", "buy boosts quantity 2", "use boost x 5", "buy tip",
        "open paywall settings", "money",
      ])
    try expectGolden(result.transcript(scratch), "play-game")
  }

  @Test("unknown input is reported with candidates and guesses; the rest runs, and the status is 1")
  func misunderstood() async throws {
    let result = try await play(
      "magical-stories",
      [
        "lanch", "launch", "launch", "buy", "buy premium", "buy montly", "buy monthly now", "open", "use stor", "use story x", "wait",
        "wait long",
        "wait until noon", "payment maybe", "renewal", "why", "undo 0", "undo x", "save", "save /nowhere/x.json", "quirk lateLisitng on",
        "{ \"do\": \"lanch\" }", "{ \"do\": ", "clock", "extend monthly", "status",
      ])
    #expect(result.status == 1)
    try expectGolden(result.output, "play-misunderstood-output")
    try expectGolden(result.errors, "play-misunderstood")
  }

  @Test("printed names are understood as well as ids, in several words, in quotation marks and in any case")
  func names() async throws {
    let lines = [
      "buy premium monthly gate pass", "use Stories this month 2", "why Custom themes", "expect Premium Monthly state=trial",
      "expect custom themes allowed=yes", "refund \"Premium Yearly\"", "Premium Monthly", "growth path collections",
    ]
    let result = try await play("magical-stories", lines)
    #expect(result.output.contains("▸ buy Premium Monthly through the gate  → completed"))
    #expect(result.output.contains("▸ use Stories this month × 2  → 2 used"))
    #expect(result.output.contains("  Custom themes: open."))
    #expect(result.output.contains("✓ Premium Monthly  state trial") && result.output.contains("✓ Custom themes  allowed yes"))
    #expect(result.errors.contains("refund Premium Yearly: customer has no purchase of Premium Yearly"))
    #expect(result.errors.contains(": buy Premium Monthly.") && result.errors.contains("use growth path collections"))
    #expect(!result.errors.contains("is not understood"))
    // The longer of two names that fit is meant: a feature's here, although its first word is the end of a product's id.
    let text = try Command.text("Products/heatlab.json").replacingOccurrences(of: "\"AI insights\"", with: "\"Monthly insights\"")
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent("names-\(UUID().uuidString).json")
    try text.write(to: copy, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: copy) }
    let insights = try await Command.run(["play", copy.path], input: "expect monthly insights allowed=no\nexpect monthly state=never")
    #expect(insights.output.contains("✓ Monthly insights  allowed no") && insights.status == 0, "\(insights.transcript)")
    let owned = try await Command.run(
      "decide", "Products/magical-stories.json", "--feature", "Custom themes", "--owned", "premium yearly", "--require")
    #expect(owned.status == 0 && owned.output.hasPrefix("allowed"))
    let alias = try await Command.run("decide", "Products/magical-stories.json", "--feature", "unlimitedGeneration", "--format", "json")
    #expect(alias.output.contains(#""feature" : "unlimitedStoryGeneration""#), "\(alias.output)\(alias.errors)")
  }

  @Test("many steps at a prompt")
  func verbs() async throws {
    let lines = [

      "launch silent", "close", "launch", "relaunch", "background", "foreground", "buy monthly gate pass", "renewal off",
      "renewal on monthly",
      "extend monthly 7d", "renew monthly", "price monthly 12.99", "sale off yearly", "sale on yearly", "grace 16 days", "payment fails",
      "wait renewal", "wait next", "payment works", "refund monthly prorated", "refund monthly reverse", "expire", "deliver",
      "asktobuy on",
      "buy yearly gate pass", "decline yearly", "wait until 2026-08-01 12:00", "buy yearly gate pass", "approve yearly", "refund yearly",
      "asktobuy off", "offline", "online", "clock 2026-01-01",
      "clock true", "zone Asia/Tokyo", "quirk lateListing on", "quirk lateListing off", "use story key one", "use story fails", "crash",
      "damage truncate", "launch", "restore gate pass", "family joins bob", "family leaves bob", "forget", "reinstall nothing",
      "buy yearly gate pass crash grant", "launch", "open customThemes", "use story crashes", "launch",
      "{ \"do\": \"relaunch\" }", "show", "status", "why story", "undo", "ids", "history", "help", "help all", "help buy",
    ]
    let result = try await play("magical-stories", lines, "--closed")
    #expect(result.status == 0, "\(result.errors)")
    try expectGolden(result.transcript, "play-verbs")
  }

  @Test("a saved session is a scenario that monetize simulate runs and that passes")
  func save() async throws {
    let scratch = try Scratch()
    let saved = scratch.url("saved.json").path
    let result = try await play(
      "magical-stories",
      ["launch", "use story 2", "buy monthly gate pass", "wait 1 month", "payment fails", "wait renewal", "save \(saved)"])
    #expect(result.status == 0, "\(result.errors)")
    let run = try await Command.run("simulate", saved)
    #expect(run.status == 0, "\(run.transcript)")
    #expect(run.errors == "")
    try expectGolden(run.transcript(scratch), "play-saved")
  }

  @Test("save overwrites only its own files, unless it is forced")
  func saveOver() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.copy("Products/maze-packs.json", as: "mine.json")
    let before = try String(contentsOfFile: catalog, encoding: .utf8)
    let refused = try await Command.run(["play", catalog], input: "launch\nsave \(catalog)\n")
    #expect(refused.status == 1 && refused.errors.hasPrefix("line 2: \(catalog) already exists."))
    #expect(try String(contentsOfFile: catalog, encoding: .utf8) == before)
    let story = scratch.url("story.json").path
    let twice = try await Command.run(["play", catalog], input: "launch\nsave \(story)\nrelaunch\nsave \(story)\n")
    #expect(twice.status == 0, "\(twice.errors)")
    #expect(try await Command.run(["play", catalog], input: "launch\nsave \(story)\n").status == 1)
    #expect(try await Command.run(["play", catalog], input: "launch\nsave \(story) over\n").status == 0)
  }

  @Test("a placement is opened by its name, except where a feature has the name")
  func placements() async throws {
    let heatlab = try await play("heatlab", ["open Settings", "settings", "paywall"]).transcript
    #expect(heatlab.contains("→ paywall: settings"), "\(heatlab)")
    #expect(heatlab.contains("There is no command \"settings\". It is a placement: open settings."))
    #expect(heatlab.contains("There is no command \"paywall\". Did you mean \"open PLACEMENT\"?"))
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "settings": { "title": "Settings" } },
        "products": [{ "kind": "nonConsumable", "id": "pro", "name": "Pro", "grants": { "settings": true } }] }
      """#
    let scratch = try Scratch()
    let catalog = try scratch.write(json, as: "a.json")
    let both = try await play(catalog, ["open settings", "open paywall settings"]).transcript
    #expect(both.contains("▸ tap Settings  → paywall: featureRestricted") && both.contains("→ paywall: settings"), "\(both)")
  }

  @Test("a mistake is answered with what to write")
  func mends() async throws {
    func answer(_ catalog: String, _ lines: String...) async throws -> String { try await play(catalog, lines).transcript }
    let maze = try await answer(
      "maze-packs", "why story.play date=2026-01-01", "complete foo", "why story.play place 4 denny", "why story.play",
      "open paywall featureRestricted gate pass")
    #expect(maze.contains("\"why\" takes no key=value. Write: why FEATURE [ITEM] [OPTION…]"))
    #expect(maze.contains("There is no item \"foo\"."))
    #expect(maze.contains("denied  requiresPurchase") && maze.contains("of 20 items. About one: why story.play COLLECTION/ITEM"), "\(maze)")
    #expect(maze.contains("paywall: featureRestricted"))
    let dozzi = try await answer(
      "dozzi", "use story 2", "open story", "use story 0", "gate pass", "grace 5d", "wait until tomorrow", "cap story off")
    #expect(dozzi.contains("gateFailed") && dozzi.contains("Write: open story gate pass"), "\(dozzi)")
    #expect(dozzi.contains("There is no command \"gate\". Did you mean \"buy PRODUCT gate pass\"?"), "\(dozzi)")
    #expect(dozzi.contains("\"0\" is too low. Write 1 or more.") && dozzi.contains("A grace period has 3d, 16d or 28d, or is none."))
    #expect(dozzi.contains("\"tomorrow\" is not a date and time."))
    let story = try await answer(
      "magical-stories", "use storry", "use childProfiles", #"overlay { "id": "off", "patch": { "monetization": "off" } }"#)
    #expect(story.contains("Did you mean \"story\"?") && story.contains("Add the number that exists already: held 1"), "\(story)")
    let doubt = try await answer("heatlab", "buy annual", "offline", "wait next", "status")
    #expect(doubt.contains("2027-03-01 12:00 · Heatlab Pro Annual not known since 03-01"), "\(doubt)")
    #expect(story.contains("→ applied"))
  }

  @Test("the next change is the one that comes: a plan with an unanswered price increase ends, and a wrong clock hides no renewal")
  func next() async throws {
    let risen = try await play("heatlab", ["buy monthly", "price monthly 5.99 required", "status"])
    #expect(risen.output.contains(", a price increase waits · next: 2026-04-01 Heatlab Pro Monthly ends unless the price is agreed to"))
    let clock = try await play("heatlab", ["buy monthly", "clock 2030-01-01", "clock true", "status", "wait next", "money"])
    #expect(clock.output.contains("9.98 USD charged"), "\(clock.output)")
  }

  @Test("money lists charges and refunds of one moment in the order of the steps, and a problem has names instead of ids")
  func order() async throws {
    let result = try await play("heatlab", ["buy monthly", "refund", "buy monthly", "refund", "buy annual", "money", "refund monthly"])
    let rows = result.output.components(separatedBy: "\n").filter { $0.hasPrefix("  2026-") }
    #expect(rows.map { $0.contains("refunded") } == [false, true, false, true, false], "\(rows)")
    #expect(result.errors.contains("has no purchase of Heatlab Pro Monthly to refund"), "\(result.errors)")
  }

  @Test("money names what is paid back for the rest of a plan that was replaced, apart from a refund")
  func replacedPlan() async throws {
    let scratch = try Scratch()
    func plan(_ name: String, _ level: Int, _ price: String) -> String {
      #"""
      { "kind": "subscription", "id": "\#(name.lowercased())", "name": "\#(name)", "group": "g", "level": \#(level), "period": "P1M",
        "price": { "amount": "\#(price)", "currency": "USD" }, "grants": { "f": true } }
      """#
    }
    let catalog = try scratch.write(
      """
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} },
        "products": [\(plan("Fan", 2, "3.10")), \(plan("Patron", 1, "7.99"))] }
      """, as: "plans.json")
    let lines = try await play(catalog, ["buy fan", "wait 10 days", "buy patron", "refund", "money"]).output.components(separatedBy: "\n")
    #expect(
      lines.suffix(6).prefix(5) == [
        "  2026-03-01 12:00  Fan            3.10 USD", "  2026-03-11 12:00  Patron         7.99 USD",
        "  2026-03-11 12:00  buy Patron     2.10 USD  refunded for the rest of the plan before",
        "  2026-03-11 12:00  refund Patron  7.99 USD  refunded", "11.09 USD charged, 10.09 USD refunded",
      ], "\(lines)")
  }

  @Test("invalid arguments: exit 2, and 1 for a catalog with a mistake")
  func cannotRun() async throws {
    let scratch = try Scratch()
    let wrong = try scratch.copy("Products/maze-packs.json", as: "wrong.json", replacing: [#""freeTier""#: #""freetier""#])
    #expect(try await Command.run("play", wrong).status == 1)
    #expect(try await Command.run("play", "no.json").status == 2)
    #expect(try await play("maze-packs", [], "--zone", "Mars").status == 2)
    #expect(try await play("maze-packs", [], "--start", "noon").status == 2)
    let nothing = try await play("maze-packs", [])
    #expect(nothing.status == 0 && nothing.transcript == "▸ launch\n--- exit 0\n")
  }
}
