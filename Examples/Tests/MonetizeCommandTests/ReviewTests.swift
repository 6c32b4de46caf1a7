// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("monetize lint, diff, migrate and state", .timeLimit(.minutes(30)))
struct ReviewTests {
  private static let catalogs = ["maze-packs", "heatlab", "magical-stories", "dozzi", "maxs-puzzles"].map { "Products/\($0).json" }

  @Test("HEAT-46: the five catalogs lint clean; without its terms of use, a catalog has exactly that error, at its line")
  func lint() async throws {
    let scratch = try Scratch()
    let clean = try await Command.run(["lint"] + Self.catalogs)
    #expect(clean.status == 0 && clean.output == "Nothing found in 5 files.\n")
    let catalog = try scratch.copy(
      "Products/heatlab.json", as: "heatlab.json", replacing: ["\"terms\": \"https://heatlab.example/terms\", ": ""])
    let found = try await Command.run("lint", catalog)
    #expect(found.status == 1)
    let line =
      "heatlab.json:38:12: error: An app with purchases needs a link to its terms of use. Add \"terms\" under \"legal\". [terms-missing] at legal\n"
    #expect(found.output.contains(line) && found.output.contains("1 error in "), "\(found.output)")
    for (format, mark) in [("github", "::error file="), ("sarif", "\"2.1.0\""), ("json", "\"terms-missing\"")] {
      let other = try await Command.run("lint", catalog, "--format", format)
      #expect(other.status == 1 && other.output.contains(mark) && other.errors == "", "\(format)")
    }
  }

  @Test("HEAT-32: lint --storekit finds a price that differs from the StoreKit file, and names both")
  func storeKitPrices() async throws {
    let scratch = try Scratch()
    let file = scratch.url("heatlab.storekit").path
    #expect(try await Command.run("storekit", "export", "Products/heatlab.json", "--to", file).status == 0)
    #expect(try await Command.run("lint", "Products/heatlab.json", "--storekit", file).status == 0)
    let catalog = try scratch.copy("Products/heatlab.json", as: "heatlab.json", replacing: ["\"4.99\"": "\"5.99\""])
    let found = try await Command.run("lint", catalog, "--storekit", file)
    #expect(
      found.status == 1 && found.output.contains("com.heatlab.pro.monthly costs 5.99 USD here and 4.99 USD in \(file)."), "\(found.output)")
    #expect(try await Command.run("lint", catalog, "--storekit", scratch.url("none.storekit").path).status == 2)
  }

  @Test("diff ends with status 0 for a changed price, and with 1 when something paid for is taken away")
  func diff() async throws {
    let scratch = try Scratch()
    let dearer = try scratch.copy("Products/heatlab.json", as: "dearer.json", replacing: ["\"4.99\"": "\"5.99\""])
    let price = try await Command.run("diff", "Products/heatlab.json", dearer)
    #expect(price.status == 0)
    #expect(
      price.output.hasPrefix("Products and prices\n  Heatlab Pro Monthly costs 5.99 USD a month instead of 4.99 USD.\n"), "\(price.output)")
    let markdown = try await Command.run("diff", "Products/heatlab.json", dearer, "--format", "markdown")
    #expect(markdown.status == 0 && markdown.output.hasPrefix("## Catalog: 1 change\n"), "\(markdown.output)")
    let gone = try await Command.run("diff", "Products/dozzi.json", "Products/heatlab.json")
    #expect(gone.status == 1 && gone.output.hasPrefix("Taken away from owners\n"), "\(gone.output)")
    let same = try await Command.run("diff", "Products/dozzi.json", "Products/dozzi.json", "--format", "json")
    #expect(same.status == 0)
    let report = try same.json() as? [String: Any]
    #expect(report?["changes"] as? [String] == [])
    #expect(try await Command.run("diff", "Products/dozzi.json").status == 2)
  }

  @Test("migrate leaves a current catalog as it is, byte for byte, and refuses a later one with its place")
  func migrate() async throws {
    let scratch = try Scratch()
    for catalog in Self.catalogs {
      let result = try await Command.run("migrate", catalog)
      let text = try Command.text(catalog)
      #expect(result.status == 0 && result.output == text)
      #expect(try await Command.run("migrate", catalog, "--check").status == 0)
    }
    let later = try scratch.copy("Products/dozzi.json", as: "later.json", replacing: ["\"schemaVersion\": 1": "\"schemaVersion\": 9"])
    let refused = try await Command.run("migrate", later, "--to", scratch.url("out.json").path)
    #expect(refused.status == 1 && refused.output == "" && refused.errors.contains("later.json:"), "\(refused.transcript(scratch))")
    #expect(!FileManager.default.fileExists(atPath: scratch.url("out.json").path))
  }

  @Test("state reads a file without a change to it or beside it, and a damaged one has status 1 in verify")
  func state() async throws {
    let scratch = try Scratch()
    let file = scratch.url("state")
    _ = try await Command.run("simulate", "Examples/Scenarios/dozzi/two-stories-ever.json", "--quiet", "--save-state", file.path)
    let bytes = try Data(contentsOf: file)
    let shown = try await Command.run("state", "show", file.path)
    #expect(shown.status == 0 && shown.output.contains("  story  2  customer\n"), "\(shown.output)")
    let explained = try await Command.run(
      "state", "explain", file.path, "Products/dozzi.json", "--at", "2026-03-02T12:00:00Z", "--format", "json")
    let features = try #require((try explained.json() as? [String: Any])?["features"] as? [[String: Any]])
    #expect(features.first?["feature"] as? String == "story" && features.first?["allowed"] as? Bool == false)
    #expect(try await Command.run("state", "verify", file.path).status == 0)
    #expect(try await Command.run("state", "export", file.path, "--person", "customer").output.contains("\"use\""))
    let stranger = try await Command.run("state", "export", file.path, "--person", "bob")
    #expect(stranger.status == 1 && stranger.output == "" && stranger.errors.contains("bob"))
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(try Data(contentsOf: file) == bytes)
    #expect(names == ["state"])
    var damaged = bytes
    damaged[bytes.count / 2] ^= 1
    try damaged.write(to: file)
    let verified = try await Command.run("state", "verify", file.path)
    #expect(verified.status == 1 && verified.output.contains(": damaged, from byte "), "\(verified.output)")
    #expect(try await Command.run("state", "delete", file.path, "--person", "customer").status == 1)
    #expect(try Data(contentsOf: file) == damaged)
  }
}
