// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@Suite("monetize state", .timeLimit(.minutes(30)))
struct StateToolTests {
  private static let noon = Date(timeIntervalSince1970: 1_772_366_400)
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
  private var url: URL { folder.appendingPathComponent("state") }

  /// The file of a family: a purchase, uses of the account and of two children.
  private func family() throws -> [Fact] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let facts: [Fact] =
      [
        .transaction(
          StoreTransaction(
            id: "t-1", productID: "com.dozzi.unlimited_stories", purchaseDate: Self.noon, price: Money(amount: 10, currency: "USD"))),
        .time(TimeSeen(latest: Self.noon)),
        .child(FamilyChild(id: "max", name: "Max", revision: Revision(Self.noon))),
      ]
      + [("customer-1", SubjectID.customer), ("max-1", "max"), ("max-2", "max"), ("ann-1", "ann")].map { key, subject in
        .use(
          Use(
            key: key, feature: "story", subject: subject, source: "phone", amount: 1, date: Self.noon, day: 20_513, zone: "UTC", run: "run")
        )
      }
    let storage = FileStorage(url)
    for fact in facts { try storage.append(try JSONEncoder().encode([fact])) }
    return facts
  }

  private func file() throws -> StateFile { try StateFile(Data(contentsOf: url), path: "state") }

  @Test("show sums up purchases, uses and people, and changes no byte")
  func show() throws {
    _ = try family()
    defer { try? FileManager.default.removeItem(at: folder) }
    let before = try Data(contentsOf: url)
    let bytes = before.count
    let text = StateSummary(try file()).text
    #expect(
      text == """
        state: 7 records, \(bytes) bytes, whole

        Times
          latest time seen  2026-03-01T12:00:00Z

        Facts
          child        1
          time         1
          transaction  1
          use          4

        Purchases
          com.dozzi.unlimited_stories  2026-03-01T12:00:00Z  10.00 USD    transaction t-1

        Uses
          story  1  customer
          story  1  ann
          story  2  max

        People
          customer  use 1
          ann       use 1
          max       child 1, use 2

        """)
    #expect(try Data(contentsOf: url) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("damaged") } == [])
  }

  @Test("A sum of uses stops at the largest number") func largestSum() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let facts = ["a", "b"].map { key in
      Fact.use(
        Use(
          key: key, feature: "story", subject: .customer, source: "phone", amount: .max, date: Self.noon, day: 20_513, zone: "UTC",
          run: "run"
        ))
    }
    try FileStorage(url).append(try JSONEncoder().encode(facts))
    #expect(StateSummary(try file()).text.contains("story  9223372036854775807  customer"))
  }

  @Test("verify finds every damaged line by number and byte, and a torn end is no damage")
  func verify() throws {
    _ = try family()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(StateVerification(try file()).status == .fine)
    let whole = try Data(contentsOf: url)
    let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var offset = 0
    for (index, line) in lines.dropLast().enumerated() {
      var bytes = whole
      bytes[offset + line.count / 2] ^= 1
      let report = StateVerification(try StateFile(bytes, path: "state"))
      #expect(report.status == .no)
      #expect(report.text.hasPrefix("state:\(index + 1): damaged, from byte \(offset)\n"), "\(report.text)")
      offset += line.count + 1
    }
    let torn = StateVerification(try StateFile(whole.dropLast(20), path: "state"))
    #expect(torn.status == .fine && torn.text.contains("of a write that a crash cut off"), "\(torn.text)")
    #expect(throws: ToolProblem.self) { try StateFile(Data("monetize-state 9\nxyz\n".utf8), path: "state") }
  }

  @Test("explain answers what the app answers, and of a damaged file that metered features are closed")
  func explain() throws {
    _ = try family()
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = try Samples.catalog("dozzi")
    let app = Monetizer(catalog: catalog) { configuration in
      configuration.storage = FileStorage(url)
      configuration.startsByItself = false
    }
    let text = StateExplanation(try file(), catalog, at: Self.noon).text
    #expect(
      text == """
        state, at 2026-03-01T12:00:00Z

        Products
          com.dozzi.unlimited_stories  active

        Features
          story            allowed  owned  Stories: unlimited.
          voices           allowed  owned  Voices: open.
          personalization  allowed  free   Full personalization: open.
          library          allowed  free   Story library: open.

        """)
    for feature in catalog.features { #expect(app.snapshot.allows(feature.id)) }
    var bytes = try Data(contentsOf: url)
    bytes[40] ^= 1
    let damaged = StateExplanation(try StateFile(bytes, path: "state"), catalog, at: Self.noon)
    #expect(damaged.problems == ["state: this state file is damaged; metered features stay closed, as in the app."])
  }

  @Test("export of a damaged file, or of another file, says what is missing; delete asks about damage before it looks for the person")
  func damagedExport() throws {
    _ = try family()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try StateExport(file()).status == .fine)
    var bytes = try Data(contentsOf: url)
    bytes[40] ^= 1
    for (data, person) in [(bytes, nil), (bytes, "nobody"), (Data("{}\n".utf8), nil)] as [(Data, String?)] {
      let report = try StateExport(try StateFile(data, path: "state"), person: person)
      #expect(report.status == .no && report.problems.first?.contains("damaged") == true)
    }
    #expect { try StateFile(bytes, path: "state").delete("nobody", at: Self.noon) } throws: { "\($0)".contains("damaged") }
  }

  @Test("export gives a person's facts and no others")
  func export() throws {
    let facts = try family()
    defer { try? FileManager.default.removeItem(at: folder) }
    let all = try StateExport(file()).json
    #expect(facts.allSatisfy { all.contains("\"\($0.name)\"") })
    #expect(try StateExport(file()).text == all + "\n", "a front end drops the final newline")
    let max = try StateExport(try file(), person: "max").json
    #expect(max.contains("max-2") && max.contains("Max") && !max.contains("ann-1") && !max.contains("customer-1") && !max.contains("t-1"))
    #expect(throws: ToolProblem.self) { try StateExport(try file(), person: "mx") }
  }

  @Test("delete leaves no trace of a person, and a removed child never comes back from another device")
  func delete() throws {
    let facts = try family()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try StateFile(Data(contentsOf: url), path: url.path).delete("max", at: Self.noon).count == 3)
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(!text.contains("max-") && !text.contains("Max") && text.contains("ann-1") && text.contains("t-1"))
    var state = try Monetizer(catalog: Samples.catalog("dozzi")) { configuration in
      configuration.storage = FileStorage(url)
      configuration.startsByItself = false
    }.state
    for fact in facts { state.insert(fact) }
    #expect(state.children["max"]?.isRemoved == true && state.facts.allSatisfy { $0.subject != "max" })
  }

  @Test("delete follows a link, keeps what an app added meanwhile, which forgets the person as well, and names what remains")
  func deleteBesideAnApp() async throws {
    _ = try family()
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "state")
    try Data("old".utf8).write(to: URL(fileURLWithPath: url.path + ".damaged-1"))
    let use = Use(key: "max-3", feature: "story", subject: "max", source: "phone", date: Self.noon, day: 20_513, zone: "UTC", run: "run")
    let text = String(decoding: try JSONEncoder().encode([Fact.use(use)]), as: UTF8.self)
    try FileStorage(url).append(
      Data((#"[{"brandNew":{}},"# + text.dropFirst().replacingOccurrences(of: #""use":{"#, with: #""use":{"later":1,"#)).utf8))
    let app = try Monetizer(catalog: Samples.catalog("dozzi")) { configuration in
      configuration.storage = FileStorage(link)
      configuration.startsByItself = false
    }
    let file = try StateFile(Data(contentsOf: url), path: link.path)
    await app.as(.child("ann")).earn(5, for: "meanwhile")
    let report = try file.delete("max", at: Self.noon)
    #expect(report.count == 4 && report.copies == ["state.damaged-1"])
    #expect(
      report.text == """
        \(link.path): deleted 4 facts about max
        state.damaged-1, a copy of a damaged file, may have facts about max: delete it, too
        1 record with facts that this version does not know may be about max, and stay

        """)
    await app.as(.child("ann")).earn(5, for: "later")
    #expect(app.as(.child("ann")).coins == 10 && !app.state.facts.contains { $0.subject == "max" })
    let rest = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(!rest.contains("max-") && !rest.contains("Max") && rest.contains("ann-1") && rest.contains("brandNew"))
    #expect(rest.contains("meanwhile") && rest.contains("later"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "state")
  }

  @Test("A child whose id is that of the customer has another name, and only the one that is named is deleted") func childNamedCustomer()
    throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for subject: SubjectID in [.customer, "customer", "child:customer"] {
      try FileStorage(url).append(
        JSONEncoder().encode([Fact.wallet(WalletEntry(id: "\(subject.rawValue)-e", subject: subject, earned: 1))]))
    }
    #expect(StateSummary(try file()).text.contains("child:child:customer"))
    let report = try StateFile(Data(contentsOf: url), path: url.path).delete("child:customer", at: Self.noon)
    #expect(report.count == 1)
    #expect(try StateExport(try file(), person: "customer").json.contains("\"-e\""))
    #expect(throws: ToolProblem.self) { try StateExport(try file(), person: "child:customer") }
  }

  @Test("export has what this version does not know, and says for a person that there is some") func exportUnknown() throws {
    _ = try family()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileStorage(url).append(Data(#"[{"brandNew":{"a":1}}]"#.utf8))
    let all = try StateExport(file())
    #expect(all.json.contains("brandNew") && all.problems == [])
    let max = try StateExport(try file(), person: "max")
    #expect(!max.json.contains("brandNew"))
    #expect(
      max.problems == [
        "state: 1 record with facts that this version does not know may be about this person. Export the whole file to see them."
      ])
  }

  @Test("A damaged or sealed file is not written")
  func refused() throws {
    _ = try family()
    defer { try? FileManager.default.removeItem(at: folder) }
    var bytes = try Data(contentsOf: url)
    bytes[40] ^= 1
    try bytes.write(to: url)
    #expect(throws: ToolProblem.self) { try StateFile(bytes, path: url.path).delete("ann", at: Self.noon) }
    #expect(try Data(contentsOf: url) == bytes)
    let sealed = folder.appendingPathComponent("sealed")
    let storage = SealedStorage(FileStorage(sealed), by: MemorySecureStore())
    try storage.append(
      JSONEncoder().encode([
        Fact.use(Use(key: "k", feature: "story", subject: "ann", source: "s", date: Self.noon, day: 0, zone: "UTC", run: "r"))
      ]))
    let file = try StateFile(Data(contentsOf: sealed), path: sealed.path)
    #expect(StateSummary(file).text.contains("1 sealed") && StateSummary(file).text.contains("ann"))
    #expect(throws: ToolProblem.self) { try file.delete("ann", at: Self.noon) }
  }
}
