// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Checks the order of folders in CONTRIBUTING.md.
@Suite("Rooms", .timeLimit(.minutes(30)))
struct RoomTests {
  /// The maximum lines of a function of Monetize, and the maximum calls of `withLock`.
  static let (longest, locks) = (40, 40)
  /// The present figures; `nil` when the goal above is reached.
  static let (functionsOver, locksToday): (Int?, Int?) = (nil, nil)

  static func house(_ module: String) throws -> House {
    let folder = "Sources/\(module)/"
    let sources = try SourceRuleTests.sources("Sources/\(module)")
    return House(
      Dictionary(uniqueKeysWithValues: sources.map { (String($0.path.dropFirst(folder.count)), $0.lines.joined(separator: "\n")) }))
  }

  /// The order in a line such as `- Order of Monetize: Support | Facts | (root)`.
  static func order(of module: String) throws -> String? {
    let text = try String(contentsOf: SourceRuleTests.root.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
    let found = text.components(separatedBy: "\n").compactMap { line in
      line.range(of: "Order of \(module): ").map { line[$0.upperBound...] }
    }
    return found.first.map(String.init)
  }

  @Test(
    "Each folder uses only those before it in CONTRIBUTING's order",
    arguments: [
      "Monetize", "MonetizeJSON", "MonetizeSimulator", "MonetizeStoreKit", "MonetizeTesting", "MonetizeTools", "MonetizeReports",
      "MonetizeUI",
    ])
  func rooms(module: String) throws {
    let order = try #require(try Self.order(of: module), "CONTRIBUTING.md has no line \"Order of \(module): …\"")
    let house = try Self.house(module)
    #expect(house.files.count >= 10)
    let mistakes = house.mistakes(order: order)
    #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
  }

  @Test("The graph is not empty: it contains the arrows that must be there") func arrows() throws {
    let house = try Self.house("Monetize")
    let folders = Set(house.arrows.map { House.folder($0.from) + " > " + House.folder($0.to) })
    for arrow in ["Facts > Support", "Catalog > Kinds", "Engine > Catalog", "Engine > Facts", "(root) > Engine", "Stores > Facts"] {
      #expect(folders.contains(arrow), "\(arrow) is missing")
    }
    #expect(house.arrows.count > 200)
  }

  // MARK: The checks detect violations

  static let order = "Support | Facts | Kinds, Allowances | (root)"
  static let good = [
    "Support/ID.swift": "struct ID {}\nfunc parse(_ text: String) -> ID { ID() }", "Facts/Use.swift": "struct Use { var id: ID }",
    "Facts/Use+More.swift": "extension ID { var asUse: Use { Use(id: self) } }", "Kinds/Kind.swift": "struct Kind { var use: Use }",
    "Allowances/Count.swift": "struct Count { func used() -> Use? { nil } }",
    "Facade.swift": "let kind = Kind(use: Use(id: parse(\"Kind\")))",
  ]

  @Test("Folders in order have no mistakes") func inOrder() {
    #expect(House(Self.good).mistakes(order: Self.order) == [])
  }

  @Test(
    "Planted arrows are found",
    arguments: [
      ("a type", "Support/Bad.swift", "let bad: Use? = nil", "Use"), ("a free function", "Support/Bad.swift", "let bad = make()", "make"),
      ("a member of an extension", "Support/Bad.swift", "func bad(_ id: ID) { _ = id.asUse }", "asUse"),
      ("in an interpolation", "Facts/Bad.swift", "let bad = \"the \\(Kind.self)\"", "Kind"),
      ("in a string of several lines", "Facts/Bad.swift", "let bad = \"\"\"\n  a \"quoted\" \\(Kind.self)\n  \"\"\"", "Kind"),
      ("in a generic clause", "Facts/Bad.swift", "func bad<K>(_: K) where K == Kind {}", "Kind"),
    ])
  func planted(what: String, path: String, text: String, name: String) {
    var sources = Self.good
    sources[path] = text
    sources["Kinds/make.swift"] = "func make() -> Kind? { nil }"
    let mistakes = House(sources).mistakes(order: Self.order).filter { $0.contains("arrow up") }
    #expect(mistakes.count == 1 && mistakes[0].contains("\(path) uses") && mistakes[0].contains("(\(name))"), "\(what): \(mistakes)")
  }

  @Test("A comment, a string and a nested type of the same name are not arrows")
  func noArrows() {
    var sources = Self.good
    sources["Support/Fine.swift"] = """
      // Kind is for later. /* Use */
      /* Kind /* Use */ Use */
      struct Fine { struct Kind {}; let kind = Kind(); let text = "Use"; let raw = #"Kind \\(Use)"#; let long = \"""
        Use
        \""" }
      """
    #expect(House(sources).mistakes(order: Self.order) == [])
  }

  @Test("Two folders that use each other, a larger circle, and a folder without a name are found") func circles() {
    var sources = Self.good
    sources["Kinds/Bad.swift"] = "let count = Count()"
    #expect(House(sources).mistakes(order: Self.order) == [], "one way is no circle")
    sources["Allowances/Bad.swift"] = "let kind: Kind? = nil"
    #expect(House(sources).mistakes(order: Self.order) == ["Allowances and Kinds use each other."])
    sources["Attic/Box.swift"] = "struct Box {}"
    #expect(House(sources).mistakes(order: Self.order).contains("The order does not name the folder Attic."))
    let circle = ["A/a.swift": "struct A { let b: B }", "B/b.swift": "struct B { let c: C }", "C/c.swift": "struct C { let a: A }"]
    #expect(House(circle).mistakes(order: "A, B, C").count == 3)
  }

  // MARK: Sizes

  @Test("No function of Monetize is over 40 lines, and its locks are taken at 40 sites at most") func sizes() throws {
    let house = try Self.house("Monetize")
    let long = house.functions(over: Self.longest)
    #expect(long.count <= Self.functionsOver ?? 0, "\(long.map(\.description).joined(separator: "\n"))")
    let locks = house.calls(of: "withLock")
    #expect(locks <= Self.locksToday ?? Self.locks, "\(locks) calls of withLock")
  }

  @Test("No function of the simulator is over 40 lines") func simulator() throws {
    let long = try Self.house("MonetizeSimulator").functions(over: Self.longest)
    #expect(long.isEmpty, "\(long.map(\.description).joined(separator: "\n"))")
  }

  @Test("The count of lines includes functions, initializers and computed variables, not requirements of protocols") func sizesAreSeen() {
    let body = String(repeating: "  _ = 0\n", count: 3)
    let text = """
      protocol P {
        func none() -> Int
        var short: Int { get }
        init(a: Int)
      }
      struct S {
        var stored: [Int] = []
        init() {
      \(body)  }
        var computed: Int {
      \(body)    return 1
        }
        func generic<T>(
          _ t: T
        ) -> Int where T: Sendable {
      \(body)    return [1].map { $0 }[0]
        }
        func one() { lock.withLock { 1 } }
      }
      """
    let house = House(["S.swift": text])
    #expect(Set(house.functions(over: 3).map { "\($0.name) \($0.length)" }) == ["init 5", "computed 6", "generic 8"])
    #expect(house.calls(of: "withLock") == 1)
  }
}
