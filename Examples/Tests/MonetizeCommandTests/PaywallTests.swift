// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("monetize paywall", .timeLimit(.minutes(30)))
struct PaywallTests {
  @Test("MAZE-15: the tapped pack alone, once, for its price")
  func pack() async throws {
    let result = try await Command.run(["paywall", "Products/maze-packs.json", "--feature", "story.play", "--item", "denny/4"])
    #expect(result.status == 0)
    try expectGolden(result.transcript, "paywall-pack")
  }

  @Test("HEAT-16, HEAT-17, HEAT-18: both plans, with the required disclosures")
  func plans() async throws {
    try expectGolden(try await Command.run(["paywall", "Products/heatlab.json"]).transcript, "paywall-plans")
  }

  @Test("MAGIC-31: each of the four placements has its own headline")
  func placements() async throws {
    var headlines: Set<String> = []
    for arguments in [
      ["--placement", "usageLimitReached"], ["--feature", "offlineReading"], ["--placement", "onboarding"], ["--placement", "settings"],
    ] {
      let result = try await Command.run(["paywall", "Products/magical-stories.json"] + arguments)
      headlines.insert(String(result.output.prefix { $0 != "\n" }))
    }
    #expect(headlines.count == 4, "\(headlines)")
    let unknown = try await Command.run(["paywall", "Products/magical-stories.json", "--placement", "setings"])
    #expect(unknown.status == 2 && unknown.errors == "Error: The catalog has no placement \"setings\". Did you mean \"settings\"?\n")
  }

  @Test("a customer who has left is greeted, sees the offer to come back, and no trial; what never ends cannot have ended")
  func ended() async throws {
    let catalog = "Examples/Scenarios/app-store/catalog.json"
    let left = try await Command.run(["paywall", catalog, "--ended", "pro.month"])
    #expect(left.output.hasPrefix("Welcome back\n") && left.output.contains("3 months for $9.99, then $9.99 per month"))
    #expect(!left.output.contains("7 days free"), "\(left.transcript)")
    #expect(try await Command.run(["paywall", catalog, "--owned", "basic.month"]).output.contains("3 months for $9.99") == false)
    let pack = try await Command.run(["paywall", "Products/dozzi.json", "--ended", "unlimited_stories"])
    #expect(pack.status == 2 && pack.errors.contains("Unlimited Stories has no end"))
    let answer = try await Command.run(["decide", "Products/heatlab.json", "--feature", "aiInsights", "--ended", "monthly"])
    #expect(answer.output.contains("denied"), "\(answer.transcript)")
  }

  @Test("what a customer owns is not offered, and a used trial is not promised; an owner of everything has no paywall")
  func owned() async throws {
    let settings = ["paywall", "Products/magical-stories.json", "--placement", "settings"]
    let new = try await Command.run(settings).output
    #expect(new.contains("Premium Monthly") && new.contains("Premium Yearly") && new.contains("7 days free"))
    let subscriber = try await Command.run(settings + ["--owned", "Premium Monthly"]).output
    #expect(!subscriber.contains("Premium Monthly") && subscriber.contains("Premium Yearly") && !subscriber.contains("7 days free"))
    let highest = settings + ["--owned", "Premium Yearly"]
    let information = try await Command.run(highest).output
    #expect(information.contains("• Premium Monthly") && !information.contains("Renews automatically"), "\(information)")
    let page = try await Command.run(highest + ["--format", "html"]).output
    #expect(page.contains("<bdi>Premium Monthly</bdi>") && !page.contains("type=\"radio\""))
    let owner = try await Command.run(["paywall", "Products/dozzi.json", "--owned", "unlimited_stories"])
    #expect(owner.status == 2)
    #expect(owner.errors == "Error: The paywall \"default\" has nothing to sell to a customer who owns this.\n")
    let typo = try await Command.run(["paywall", "Products/dozzi.json", "--owned", "unlimitd_stories"])
    #expect(typo.status == 2 && typo.errors.contains("Did you mean"))
  }

  @Test("the customer of a state file sees the paywall of what was used and bought in it, at the file's time; the file is not changed")
  func stored() async throws {
    let scratch = try Scratch()
    let state = scratch.url("state").path
    _ = try await Command.run("simulate", "Examples/Scenarios/dozzi/two-stories-ever.json", "--quiet", "--save-state", state)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: state))
    let question = ["paywall", "Products/dozzi.json", "--feature", "story", "--at", "2000-01-01T00:00:00Z"]
    #expect(try await Command.run(question).status == 2, "nothing is used")
    let used = try await Command.run(question + ["--state", state])
    #expect(used.status == 0 && used.output.contains("Unlimited Stories"), "\(used)")
    let owner = try await Command.run(["paywall", "Products/dozzi.json", "--state", state, "--owned", "unlimited_stories"])
    #expect(owner.errors == "Error: The paywall \"default\" has nothing to sell to a customer who owns this.\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: state)) == bytes)
    let bought = scratch.url("bought").path
    _ = try await Command.run("simulate", "Examples/Scenarios/maze-packs/unlocks-at-once.json", "--quiet", "--save-state", bought)
    let pack = ["paywall", "Products/maze-packs.json", "--feature", "story.play", "--item", "denny/20"]
    #expect(try await Command.run(pack).status == 0)
    let open = try await Command.run(pack + ["--state", bought])
    #expect(open.status == 2 && open.errors.contains("leads to no paywall"), "\(open)")
    let broken = try await Command.run(pack + ["--state", try scratch.write("this is no state\n", as: "broken")])
    #expect(broken.errors.contains("this state file is damaged"))
    #expect(try await Command.run(pack + ["--state", scratch.url("none").path]).status == 2)
  }

  @Test("a catalog without paywalls shows all that is on sale, with the usual buttons; --used leads to the paywall of a limit")
  func withoutPaywalls() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.write(
      #"""
      { "schemaVersion": 1, "app": { "id": "com.example.sketch", "name": "Sketch" },
        "features": { "export": { "title": "Exports", "allowance": "count", "per": "month" }, "layers": { "title": "Layers" } },
        "freeTier": { "grants": { "export": 3 } },
        "products": [{ "kind": "nonConsumable", "id": "com.example.sketch.pro", "name": "Sketch Pro",
                       "price": { "amount": "9.99", "currency": "USD" }, "grants": { "export": "unlimited", "layers": true } }] }
      """#, as: "sketch.json")
    for more in [[], ["--feature", "layers"], ["--feature", "export", "--used", "export=3"], ["--placement", "settings"]] {
      let result = try await Command.run(["paywall", catalog] + more)
      try expectGolden(result.transcript(scratch), "paywall-usual\(more.isEmpty ? "" : "-\(more[1])")")
    }
    let open = try await Command.run(["paywall", catalog, "--feature", "export"])
    #expect(open.status == 2 && open.errors.hasSuffix("--used export=3 shows the paywall of a limit that is used up.\n"), "\(open)")
    let typo = try await Command.run(["paywall", catalog, "--placement", "setings"])
    #expect(typo.errors == "Error: The catalog has no placement \"setings\". Did you mean \"settings\"?\n")
  }

  @Test("in German and Japanese", arguments: ["de", "ja"])
  func languages(language: String) async throws {
    let result = try await Command.run(["paywall", "Products/magical-stories.json", "--language", language, "--select", "monthly"])
    try expectGolden(result.transcript, "paywall-\(language)")
  }

  @Test("each phase, as JSON", arguments: ["loading", "failed", "ready", "buying", "waitingForApproval", "done"])
  func phases(phase: String) async throws {
    let result = try await Command.run(["paywall", "Products/dozzi.json", "--phase", phase, "--format", "json"])
    let screen = try #require(try result.json() as? [String: Any])
    #expect(screen["phase"] as? String == phase)
    try expectGolden(result.transcript, "paywall-\(phase)")
  }

  @Test("a page is self-contained: no script, no addresses except the catalog's, and every text of the model")
  func page() async throws {
    let arguments = ["paywall", "Products/magical-stories.json", "--select", "yearly"]
    let page = try await Command.run(arguments + ["--format", "html"]).output
    #expect(page.hasPrefix("<!DOCTYPE html>") && !page.contains("<script") && !page.contains("src=") && !page.contains("url("))
    let addresses = page.components(separatedBy: "https://").dropFirst().map { $0.prefix { $0 != "\"" } }
    #expect(addresses == ["magicalstories.example/terms", "magicalstories.example/privacy"])
    let screen = try #require(try await Command.run(arguments + ["--format", "json"]).json() as? [String: Any])
    for list in ["benefits", "options", "actions"] {
      for entry in try #require(screen[list] as? [[String: Any]]) {
        for key in ["title", "name", "label", "saving", "pricePerMonth"] {
          guard let text = entry[key] as? String else { continue }
          #expect(page.contains(text.replacingOccurrences(of: "&", with: "&amp;")), "\(text)")
        }
      }
    }
  }

  @Test("a page of each placement, phase and language")
  func pages() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("paywalls-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try await Command.run(["paywall", "Products/maze-packs.json", "--out", folder.path])
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(result.status == 0 && pages.count == 36 && result.output == "36 pages in \(folder.path)\n")
    // What a tapped story leads to, and no page shows an id of the catalog.
    for (name, heading) in [("story.play-denny-4-ready-en.html", "All of Denny's Stories"), ("default-ready-en.html", "Denny's Stories")] {
      let page = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      #expect(page.contains("<h1 dir=\"auto\">\(heading)</h1>") && !page.contains(">default<"), "\(name)")
    }
  }

  @Test(
    "a question without a paywall is reported, with the reason",
    arguments: [
      (
        ["Products/maze-packs.json", "--feature", "story.play"],
        "Error: story.play leads to no paywall. Stories: open. Name an item with --item, such as denny/4."
      ),
      (["Products/maze-packs.json", "--feature", "story.play", "--item", "denny/1"], "Error: story.play leads to no paywall. "),
      (["Products/maze-packs.json", "--phase", "gone"], "Error: --phase: There is no phase \"gone\"."),
      (["Products/maze-packs.json", "--item", "denny/4"], "Error: --item needs --feature"),
      (["Products/maze-packs.json", "--out", "x", "--phase", "ready"], "Error: --out writes the HTML pages of all placements and phases."),
      (["Products/maze-packs.json", "--placement", "default", "--feature", "story.play"], "Error: --placement and --feature: write one"),
      (["Products/maze-packs.json", "--select", "dennis"], "Error: This paywall has no product \"dennis\"."),
    ])
  func none(arguments: [String], message: String) async throws {
    let result = try await Command.run(["paywall"] + arguments)
    #expect(result.status == 2 && result.output == "" && result.errors.hasPrefix(message), "\(result.errors)")
  }

  @Test("PUZZ-01: a catalog that sells nothing has no paywall: the answer is no")
  func nothingSold() async throws {
    let result = try await Command.run("paywall", "Products/maxs-puzzles.json")
    #expect(
      result.status == 1 && result.output == ""
        && result.errors
          == "Products/maxs-puzzles.json: error: The catalog sells nothing, so there is no paywall. Add a product. [no-products] at products\n"
    )
    for arguments in [["forecast", "Products/maxs-puzzles.json"], ["simulate", "Products/maxs-puzzles.json", "--customers", "5"]] {
      let result = try await Command.run(arguments)
      #expect(result.status == 1 && result.errors.hasPrefix("Products/maxs-puzzles.json: error: Max's Puzzles sells nothing"), "\(result)")
    }
  }

  @Test("a product that the paywall does not offer is refused, as a variant that no arm sells") func notOffered() async throws {
    let products = [("plan", ""), ("plan.high", #""variantOf": "plan", "#)].map {
      #"{ "kind": "nonConsumable", "id": "\#($0.0)", "name": "P", \#($0.1)"price": { "amount": "1.00", "currency": "USD" }, "grants": { "x": true } }"#
    }
    let scratch = try Scratch()
    let catalog = try scratch.write(
      #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "x": {} }, "products": [\#(products.joined(separator: ","))],
        "paywalls": { "default": { "headline": "P" } } }
      """#, as: "catalog.json")
    let result = try await Command.run("paywall", catalog, "--select", "plan.high")
    #expect(result.status == 2 && result.errors.contains("This paywall has no product \"plan.high\"."), "\(result.transcript)")
    #expect(try await Command.run("paywall", catalog, "--select", "plan").status == 0)
  }

  @Test("a language without a table is an error with the file's path")
  func noTable() async throws {
    let result = try await Command.run(["paywall", "Products/dozzi.json", "--language", "fr"])
    #expect(result.status == 2 && result.errors.contains("strings/dozzi/fr.json") && result.errors.contains("Write de, en, ja."))
    let austrian = try await Command.run(["paywall", "Products/dozzi.json", "--language", "de-AT"])
    #expect(austrian.status == 0 && austrian.output.contains("Einmaliger Kauf"))
  }

  @Test("a mistake in a table of texts is shown at its place in the table, without notes about the catalog")
  func brokenTable() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("texts-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder.appendingPathComponent("strings/dozzi"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Command.repository.appendingPathComponent("Products/dozzi.json"), to: folder.appendingPathComponent("dozzi.json"))
    for (text, start) in [
      (#"{"language":"de","paywalls":{"default":{"headline":"Nur {preis}!"}}}"#, "de.json:1:52: error: There is no placeholder"),
      (#"{"language":"fr"}"#, "de.json:1:13: error: The texts are in \"fr\""),
    ] {
      try Data(text.utf8).write(to: folder.appendingPathComponent("strings/dozzi/de.json"))
      let result = try await Command.run(["paywall", folder.appendingPathComponent("dozzi.json").path, "--language", "de"])
      #expect(result.status == 1 && result.errors.contains(start) && !result.errors.contains("note"), "\(result.errors)")
    }
  }
}
