// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("monetize storekit, generate and check", .timeLimit(.minutes(30)))
struct StoreKitTests {
  @Test("HEAT-13, HEAT-32: an export is up to date until a price differs, which diff shows with both prices")
  func export() async throws {
    let scratch = try Scratch()
    let (catalog, file) = ("Products/heatlab.json", scratch.url("Products.storekit").path)
    let made = try await Command.run("storekit", "export", catalog, "--to", file)
    #expect(made.status == 0, "\(made.transcript(scratch))")
    let again = try await Command.run("storekit", "export", catalog, "--to", file, "--check")
    #expect(again.status == 0 && again.output.hasSuffix("up to date\n"))
    let text = try String(contentsOfFile: file, encoding: .utf8).replacingOccurrences(of: "\"4.99\"", with: "\"4.98\"")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let differs = try await Command.run("storekit", "diff", catalog, file)
    #expect(
      differs.status == 1 && differs.output == "code product [offer] catalog file\nprice-mismatch com.heatlab.pro.monthly 4.99 4.98\n")
    let old = try await Command.run("storekit", "export", catalog, "--to", file, "--check")
    #expect(old.status == 1)
  }

  @Test("An export has the names of the tables beside the catalog; diff names the language, and a wrong table ends both with its mistake")
  func languages() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.write(Command.text("Products/dozzi.json"), as: "shop.json")
    try FileManager.default.createDirectory(at: scratch.url("strings/shop"), withIntermediateDirectories: true)
    let table = #"{ "language": "de", "products": { "com.dozzi.unlimited_stories": { "name": "NAME" } } }"#
    _ = try scratch.write(table.replacingOccurrences(of: "NAME", with: "Alle Geschichten"), as: "strings/shop/de.json")
    let file = scratch.url("Shop.storekit").path
    #expect(try await Command.run("storekit", "export", catalog, "--to", file).status == 0)
    #expect(
      try String(contentsOfFile: file, encoding: .utf8).contains("\"displayName\" : \"Alle Geschichten\",\n          \"locale\" : \"de\""))
    _ = try scratch.write(table.replacingOccurrences(of: "NAME", with: "Alles"), as: "strings/shop/de.json")
    let differs = try await Command.run("storekit", "diff", catalog, file)
    #expect(
      differs.status == 1
        && differs.output.hasSuffix("\nname-mismatch com.dozzi.unlimited_stories de Alles Alle Geschichten\n"), "\(differs.output)")
    _ = try scratch.write(table.replacingOccurrences(of: "unlimited_stories", with: "other"), as: "strings/shop/de.json")
    let back = scratch.url("back.json").path
    let imported = try await Command.run("storekit", "import", file, "--to", back)
    #expect(imported.status == 0 && imported.output.hasSuffix("strings/back/de.json: written\n"), "\(imported.output)")
    #expect(try await Command.run("storekit", "diff", back, file).status == 0)
    #expect(try await Command.run("validate", back).status == 0)
    let secondImport = try await Command.run("storekit", "import", file, "--to", back)
    #expect(secondImport.status == 0 && secondImport.output.isEmpty, "a table of the app's is left as it is")
    let printed = try await Command.run("storekit", "import", file)
    #expect(printed.errors.contains("The file has texts in de as well. With --to, they become tables beside the catalog."))
    for command in [["export", catalog, "--to", file], ["diff", catalog, file]] {
      let wrong = try await Command.run(["storekit"] + command)
      #expect(wrong.status == 1 && wrong.errors.contains("/strings/shop/de.json:1:"), "\(wrong.errors)")
    }
  }

  @Test("storekit check shows each mistake with its line; import makes a catalog that validates")
  func checkAndImport() async throws {
    let scratch = try Scratch()
    let broken = "Tests/MonetizeToolsTests/Fixtures/storekit/by-hand.storekit"
    let checked = try await Command.run("storekit", "check", broken)
    #expect(checked.status == 1)
    let golden = try Command.text("Tests/MonetizeToolsTests/Fixtures/storekit/by-hand.check.txt")
    for line in golden.split(separator: "\n") { #expect(checked.errors.contains(line)) }
    #expect(checked.output.hasSuffix("Xcode shows an empty list of products, because of 5 errors\n"))
    let to = scratch.url("catalog.json").path
    let imported = try await Command.run("storekit", "import", "Tests/MonetizeToolsTests/Fixtures/storekit/beacon-2.0.storekit", "--to", to)
    #expect(imported.status == 0)
    #expect(try await Command.run("validate", to).status == 0)
    #expect(imported.errors.contains("All levels of the group \"Fleet\" give the same."))
  }

  /// Texts with a key that no command may print, most of them not JSON.
  static let keyTexts = [
    #"{ "id" : "K" "privateKey" : "KEY" }"#, #"{ "privateKey"  "KEY" }"#, "{ \"privateKey\" : \"KEY\n}", #"{ "privateKey" : "\qKEY" }"#,
    #"{"subscriptionOffersKeyPair":{"id":"K","privateKey":"KEY"},"products":5,"subscriptionGroups":5}"#,
    #"{"subscriptionOffersKeyPair":"KEY","products":5,"steps":5}"#, #"{ "privateKey" : KEY }"#,
  ]

  @Test(
    "No command prints a signing key, in text and in JSON", arguments: keyTexts.indices,
    ["c2VjcmV0", "MIGHfakeAgEAfakeMBMGByqGfakeSM49AgEGfakeCCqGSM49"])
  func keys(index: Int, key: String) async throws {
    let scratch = try Scratch()
    let text = Self.keyTexts[index].replacingOccurrences(of: "KEY", with: key)
    for path in [try scratch.write(text, as: "a.storekit"), try scratch.write(text, as: "a.json")] {
      let commands = [
        ["storekit", "check", path], ["storekit", "check", path, "--format", "json"], ["storekit", "import", path],
        ["storekit", "diff", "Products/heatlab.json", path], ["lint", "Products/heatlab.json", "--storekit", path], ["validate", path],
        ["validate", path, "--format", "json"], ["simulate", path], ["show", path],
      ]
      for command in commands {
        let result = try await Command.run(command)
        #expect(!(result.output + result.errors).contains(key.prefix(8)), "\(command)\n\(result.transcript(scratch))")
      }
    }
  }

  @Test("A StoreKit configuration in place of a catalog, and a catalog in place of one, are named with the right command")
  func otherFiles() async throws {
    let file = "Tests/MonetizeToolsTests/Fixtures/storekit/beacon-2.0.storekit"
    for verb in ["validate", "show", "simulate"] {
      let result = try await Command.run(verb, file)
      #expect(result.status == 1 && result.errors.contains("Make a catalog with: monetize storekit import \(file)"), "\(result.transcript)")
    }
    for verb in ["check", "import"] {
      let result = try await Command.run("storekit", verb, "Products/heatlab.json")
      #expect(result.status == 1 && result.errors.contains("This is a catalog, but a .storekit file is expected"), "\(result.transcript)")
    }
  }

  @Test("A currency is one of the App Store's, in capitals or not; another is refused; amounts in another are noted")
  func currency() async throws {
    let scratch = try Scratch()
    let file = "Tests/MonetizeToolsTests/Fixtures/storekit/beacon-2.0.storekit"
    let to = scratch.url("catalog.json").path
    #expect(try await Command.run("storekit", "import", file, "--currency", "eur", "--to", to).status == 0)
    #expect(try await Command.run("validate", to).status == 0)
    for code in ["", "XYZ"] {
      let result = try await Command.run("storekit", "import", file, "--currency", code)
      #expect(
        result.status != 0 && result.output.isEmpty && result.errors.contains("The App Store has no prices in"), "\(result.transcript)")
    }
    let diff = try await Command.run("storekit", "diff", to, file)
    #expect(diff.status == 0 && diff.output == "no difference\n" && diff.errors.hasPrefix("Prices in EUR are not compared and not written"))
    let compared = try await Command.run("storekit", "diff", to, file, "--currency", "EUR")
    #expect(compared.status == 0 && compared.errors.isEmpty)
  }

  @Test("generate swift prints a file, and --check compares it")
  func generate() async throws {
    let scratch = try Scratch()
    let printed = try await Command.run("generate", "swift", "Products/dozzi.json")
    #expect(printed.status == 0 && printed.output.contains("static let story = CountedFeature(\"story\")"))
    let file = scratch.url("Names.swift").path
    #expect(try await Command.run("generate", "swift", "Products/dozzi.json", "--to", file).status == 0)
    #expect(try await Command.run("generate", "swift", "Products/dozzi.json", "--to", file, "--check").status == 0)
    #expect(try await Command.run("generate", "swift", "Products/heatlab.json", "--to", file, "--check").status == 1)
  }

  @Test("generate texts writes a table beside the catalog, completes one that exists, and changes none that is wrong")
  func generateTexts() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.copy("Products/dozzi.json", as: "dozzi.json", replacing: [:])
    let file = scratch.url("strings/dozzi/fr.json").path
    let made = try await Command.run("generate", "texts", catalog, "--to", file)
    #expect(
      made.status == 0 && made.output.hasSuffix("fr.json: 133 of 133 texts have the words of the original\n"), "\(made.transcript(scratch))"
    )
    let table = try String(contentsOfFile: file, encoding: .utf8)
    try table.replacingOccurrences(of: "\"Restore Purchases\"", with: "\"Restaurer les achats\"")
      .replacingOccurrences(of: "    \"buttonBuy\": \"Buy\",\n", with: "").write(toFile: file, atomically: true, encoding: .utf8)
    let completed = try await Command.run("generate", "texts", catalog, "--to", file)
    #expect(completed.output.contains(" 131 of 133 texts have the words of the original"))
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"buttonBuy\": \"Buy\""))
    let paywall = try await Command.run("paywall", catalog, "--language", "fr", "--feature", "story", "--used", "story=2")
    #expect(paywall.output.contains("Restaurer les achats"), "\(paywall.transcript(scratch))")
    #expect(try await Command.run("generate", "texts", catalog, "--to", file, "--language", "de").status == 2)
    #expect(try await Command.run("generate", "texts", catalog).status == 2)
    let wrong = "{ \"language\": \"fr\", \"framework\": { \"buttonBy\": \"x\" } }"
    try wrong.write(toFile: file, atomically: true, encoding: .utf8)
    let refused = try await Command.run("generate", "texts", catalog, "--to", file)
    #expect(
      refused.status == 1 && refused.errors.contains("fr.json:1:36: error: There is no text \"buttonBy\". Did you mean \"buttonBuy\"?"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == wrong)
  }

  @Test("check prints a scenario that fails in simulate")
  func check() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.copy("Products/dozzi.json", as: "dozzi.json", replacing: [", \"survivesReinstall\": true": ""])
    let result = try await Command.run("check", catalog, "--depth", "3", "--format", "json")
    #expect(result.status == 1)
    let report = try #require(try result.json() as? [String: Any])
    let found = try #require((report["counterexamples"] as? [[String: Any]])?.first)
    #expect(found["code"] as? String == "free-over-limit" && found["confirmed"] as? Bool == true)
    let scenario = try scratch.write(try #require(found["scenario"] as? String), as: "found.json")
    let played = try await Command.run("simulate", scenario)
    #expect(played.status == 1, "\(played.transcript(scratch))")
    #expect(try await Command.run("check", catalog, "--depth", "3", "--skip", "free-over-limit").status == 0)
    #expect(try await Command.run("check", catalog, "--skip", "free-over-limi").status == 2)
  }
}
