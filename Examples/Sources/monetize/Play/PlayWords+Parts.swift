// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

/// A step of a scenario, or an object in it, written key by key.
struct StepJSON {
  private var members: [String] = []
  private var frame: [(key: String, text: String)] = []

  init() {}

  /// An object with one key.
  init(_ key: String, _ raw: String) { add(key, raw: raw) }

  /// Makes a step on the device and by the member of a context.
  init(_ context: PlayContext) {
    if let device = context.device { frame.append(("on", device)) }
    if context.member != .customer { frame.append(("as", "\(context.member)")) }
  }

  /// Sets the device of the step, if it is not the context's.
  mutating func on(_ device: String) { frame = frame.filter { $0.key != "on" } + [("on", device)] }

  mutating func verb(_ name: String) {
    add("do", name)
    // A step that does not depend on the member has no "as".
    frame = frame.filter { $0.key != "as" || PlayVerb.vocabulary.allowsMembers(name) }
  }
  mutating func add(_ key: String, _ text: String) { add(key, raw: Self.quoted(text)) }
  mutating func add(_ key: String, raw: String) { members.append("\(Self.quoted(key)): \(raw)") }
  var text: String {
    let frame = frame.map { "\(Self.quoted($0.key)): \(Self.quoted($0.text))" }
    return "{ \((members.prefix(1) + frame + members.dropFirst()).joined(separator: ", ")) }"
  }

  static func list(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }

  static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}

extension Catalog {
  /// The ids of offers, sorted.
  var offers: [String] { Set(products.flatMap { $0.subscription?.offers.compactMap(\.id) ?? [] }).sorted() }
}

extension PlayWords {
  /// Takes the next word if it is this one.
  mutating func take(_ word: String) -> Bool {
    guard rest.first?.lowercased() == word.lowercased() else { return false }
    _ = removeFirst()
    return true
  }

  /// Takes the next word if it is one of these, and returns it as it is written here.
  mutating func take(of words: [String]) -> String? { words.first { take($0) } }

  mutating func word(_ what: String) throws(ToolProblem) -> String {
    guard !rest.isEmpty else { throw expected(what) }
    return removeFirst()
  }

  mutating func number(_ what: String, from least: Int = 1) throws(ToolProblem) -> Int {
    let text = try word(what)
    guard let number = Int(text) else { throw ToolProblem("\"\(text)\" is not a number. Expected \(what).") }
    guard number >= least else { throw ToolProblem("\"\(text)\" is too low. Write \(least) or more.") }
    return number
  }

  mutating func choice(_ words: [String]) throws(ToolProblem) -> String {
    let word = rest.first ?? ""
    if let found = take(of: words) { return found }
    let list = words.count < 3 ? words.joined(separator: " or ") : words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")"
    throw expected(list, found: word.isEmpty ? nil : word)
  }

  /// Reads an option of a command, if it comes next.
  mutating func take(of options: [PlayOption], _ step: inout StepJSON) throws(ToolProblem) -> Bool {
    for part in options.flatMap(\.parts) { if try take(part, &step) { return true } }
    return false
  }

  /// Reads a part of a command, if it comes next.
  mutating func take(_ part: PlayPart, _ step: inout StepJSON) throws(ToolProblem) -> Bool {
    switch part {
    case .fixed(let key, let text): step.add(key, text)
    case .required(let key, let sort): step.add(key, raw: try value(sort))
    case .optional(let key, let sort):
      if rest.isEmpty { return false }
      step.add(key, raw: try value(sort))
    case .word(let word, let key, let text):
      guard take(word) else { return false }
      step.add(key, text)
    case .words(let key, let words):
      guard let word = take(of: words) else { return false }
      step.add(key, word)
    case .flag(let word, let key, let isOn):
      guard take(word) else { return false }
      step.add(key, raw: "\(isOn)")
    case .values(let word, let values):
      guard take(word) else { return false }
      for (key, sort) in values { step.add(key, raw: try value(sort)) }
    case .request: try request(&step)
    case .times:
      guard rest.first.flatMap({ Int($0) }) != nil else { return false }
      step.add("times", raw: try value(.number("the number of times, such as 3")))
    case .time(let key):
      guard isLength else { return false }
      step.add(key, raw: try value(.length))
    }
    return true
  }

  /// Reads a value, and writes it as JSON.
  mutating func value(_ sort: PlaySort) throws(ToolProblem) -> String {
    let text: String
    switch sort {
    case .isOn: return try choice(["on", "off"]) == "on" ? "true" : "false"
    case .number(let what, let least): return "\(try number(what, from: least))"
    case .json(let what): return try json(what)
    case .amount: return try amount()
    case .choice(let words): text = try choice(words)
    case .period: text = try period().description
    case .length: text = try period(isFixed: true).description
    case .instant: text = try instantWords()
    case .past: text = rest.first?.hasPrefix("-P") == true ? removeFirst() : try instantWords()
    case .text(let what): text = try word(what)
    case .code(let what): text = try word(what).uppercased()
    case .product(let standing): text = try product(orOnly: standing)
    case .feature: text = try feature()
    case .item: text = try item()
    case .offer: text = try offer()
    case .placement: text = try Self.one(word("a placement"), of: catalog.allPlacements, "placement")
    case .way: text = take(of: ["there", "back", "both"]) ?? "both"
    }
    return StepJSON.quoted(text)
  }

  mutating func json(_ what: String) throws(ToolProblem) -> String {
    guard rest.first?.hasPrefix("{") == true else { throw expected(what) }
    return removeFirst()
  }

  /// Reads a feature, and an item if the next word looks like one.
  mutating func request(_ step: inout StepJSON) throws(ToolProblem) {
    let feature = try feature()
    step.add("feature", feature)
    if rest.first?.contains("/") == true { step.add("item", removeFirst()) }
    if let level = takeLevel(of: feature) { step.add("level", level) }
  }

  /// Takes the next word if it is one of the feature's levels.
  mutating func takeLevel(of feature: String) -> String? { take(of: catalog.feature(FeatureID(feature))?.shape.levels ?? []) }

  mutating func feature() throws(ToolProblem) -> String {
    let ids = catalog.features.map(\.id.rawValue)
    guard !rest.isEmpty else { throw ToolProblem("Which feature? \(Self.there(ids))") }
    let names = NameChoice.features(of: catalog)
    join(names)
    return try names.one(removeFirst(), missing: "There is no feature", hint: Self.there(ids))
  }

  mutating func offer() throws(ToolProblem) -> String {
    let ids = catalog.offers
    if ids.isEmpty { throw ToolProblem("No product of the catalog has an offer with an id.") }
    guard !rest.isEmpty else { throw ToolProblem("Which offer? \(Self.there(ids))") }
    return try Self.one(removeFirst(), of: ids, "offer")
  }

  mutating func item() throws(ToolProblem) -> String {
    let text = try word("an item, such as denny/4")
    if !text.contains("*"), text.contains("/"), !catalog.items(matching: text).isEmpty { return text }
    let items = catalog.collections.flatMap { collection in collection.items.map { "\(collection.id)/\($0.id)" } }
    let ends = items.count > 9 ? [items[0], "…", items[items.count - 1]] : items
    return try NameChoice("item", items).one(text, missing: "There is no item", hint: Self.there(ends))
  }

  /// Reads an amount as in catalogs: a number, a length of time, a level, `false` for none.
  mutating func amount() throws(ToolProblem) -> String {
    if take("none") { return "null" }
    if take("off") { return "false" }
    guard let first = rest.first else { throw expected("an amount, such as 2, 30min or off; none lifts the limit") }
    if let number = Int(first), number >= 0, rest.count == 1 { return "\(removeFirst())" }
    // A level may begin like a number or a length: 4k, Plus.
    if let level = take(of: catalog.features.flatMap(\.shape.levels)) { return StepJSON.quoted(level) }
    if first.first?.isNumber == true || first.hasPrefix("P") { return StepJSON.quoted(try period(isFixed: true).description) }
    return StepJSON.quoted(removeFirst())
  }

  /// Makes one word of the first words if they are a printed name, such as `Premium Monthly`.
  mutating func join(_ names: NameChoice) {
    let count = names.wordsOfTitle(in: rest)
    if count > 1 { joinFirst(count) }
  }

  /// Reads a product by its name or the end of its id. Without a word: the only product, or the only one with the given status.
  mutating func product(orOnly standing: ((ProductStatus) -> Bool)?) throws(ToolProblem) -> String {
    let ids = catalog.products.map(\.id.rawValue)
    let names = NameChoice.products(of: catalog)
    join(names)
    if let word = rest.first, !Self.followsProducts(word) || isName(word, names) {
      return try names.one(removeFirst(), missing: "There is no product", hint: Self.there(ids))
    }
    if ids.isEmpty { throw ToolProblem("The catalog has no products.") }
    if ids.count == 1 { return ids[0] }
    let meant = standing.flatMap { standing in context.snapshot?.products.filter(standing).map(\.product.rawValue) } ?? []
    if meant.count == 1 { return meant[0] }
    throw ToolProblem("Which product? \(Self.there(meant.isEmpty ? ids : meant))")
  }

  /// Whether a word is a product's name and not an option: `pass` in `buy pass`, but not in `buy pass gate pass`, where it follows one.
  private func isName(_ word: String, _ names: NameChoice) -> Bool {
    if case .one = names.find(word) { names.isWhole(word) } else { false }
  }

  /// Whether a word can only follow a product: an option, or an amount.
  private static func followsProducts(_ word: String) -> Bool {
    let options = ["buy", "refund", "price"].compactMap(PlayVerb.named).flatMap(\.keywords) + ["confirm"]
    return options.contains { $0.lowercased() == word.lowercased() } || word.first?.isNumber == true
  }

  /// A sentence with the existing names.
  static func there(_ names: [String]) -> String {
    names.isEmpty ? "There are no others." : "There \(names.count > 1 ? "are" : "is") \(names.joined(separator: ", "))."
  }

  static func one(_ text: String, of ids: [String], _ what: String) throws(ToolProblem) -> String {
    try NameChoice(what, ids).one(text, missing: "There is no \(what)", hint: there(ids))
  }

  /// Reads `7d`, `1 month`, `90min`, `P1M`, `2 weeks`.
  mutating func period(isFixed: Bool = false) throws(ToolProblem) -> Period {
    let first = try word("a length of time, such as 7d, 20h or 1 month")
    if let unit = rest.first, let period = Period(typed: "\(first) \(unit)", isFixed: isFixed) {
      _ = removeFirst()
      return period
    }
    guard let period = Period(typed: first, isFixed: isFixed) else {
      throw ToolProblem("\"\(first)\" is not a length of time. Write 7d, 20h, 30min, 2 weeks, 1 month or 1 year.")
    }
    return period
  }

  /// Whether a length of time comes next, and not a plain number.
  private var isLength: Bool {
    guard let first = rest.first, first.first?.isNumber == true || first.uppercased().hasPrefix("P") else { return false }
    var words = self
    return (try? words.period(isFixed: true)) != nil
  }

  /// Reads `2026-04-01`, `2026-04-01 12:00`, `2026-04-01T12:00:00Z`; without a zone, local time.
  mutating func instantWords() throws(ToolProblem) -> String {
    var text = try word("an instant, such as 2026-04-01 or 2026-04-01 12:00")
    if text.lowercased() == "true" { return "true" }
    if text.count == 10, text.contains("-") {
      let time = rest.first.map { $0.contains(":") } == true ? removeFirst() : "00:00"
      text += "T" + time
    }
    if text.count == 16 { text += ":00" }
    guard ISODate.parse(text, in: Calendar.storeCalendar.timeZone) != nil else {
      throw ToolProblem("\"\(text)\" is not a date and time. Write 2026-04-01, 2026-04-01 12:00 or 2026-04-01T12:00:00Z.")
    }
    return text
  }
}
