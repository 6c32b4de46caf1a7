// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

struct Decide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answers one question: is this allowed for a customer now, and if not, why?",
    discussion: """
      The customer has the products of --owned, has used the amounts of --used, and has the facts of --state. The exit status is 0 for any \
      answer; with --require, 1 for no.

      EXAMPLES
        monetize decide Products/maze-packs.json --feature story.play --item denny/4
        monetize decide Products/maze-packs.json --feature story.play \\
          --items 'denny/*/*'
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: "The feature in question: its id, an end of it, or its title.")
  var feature: String

  @Option(help: "The item: collection/item or collection/item/part.")
  var item: String?

  @Option(help: ArgumentHelp("All items of a pattern such as 'denny/*/*', as a chart and two counts.", valueName: "pattern"))
  var items: String?

  @Option(help: "The requested level.")
  var level: String?

  @Option(help: ArgumentHelp("The date of the requested data.", valueName: "time"))
  var date: String?

  @Option(help: ArgumentHelp("The number that already exists, for capacity.", valueName: "number"))
  var held: Int?

  @Option(help: ArgumentHelp("The number of uses or seconds.", valueName: "number"))
  var count = 1

  @Option(help: ArgumentHelp("The time of the question, such as 2026-03-01T12:00:00Z. Default: now.", valueName: "time"))
  var at: String?

  @Option(help: ArgumentHelp("The customer's time zone.", valueName: "zone"))
  var zone = "UTC"

  @OptionGroup var customer: CustomerOptions

  @OptionGroup var variant: VariantOptions

  @Option(name: .customLong("as"), help: ArgumentHelp("The member who asks: child:max, parent, guest or demo.", valueName: "person"))
  var member: String?

  @Flag(help: "Exit with status 1 when the answer is no.")
  var require = false

  @Flag(help: "Show ids instead of names.")
  var ids = false

  @Option(help: "text or json.")
  var format = OutputFormat.text

  func run() throws {
    let input = try InputFile(file)
    let catalog = try variant.applied(to: input.catalog(), from: input)
    let timeZone = try ToolOption.zone(zone)
    let now = try at.map { try ToolOption.time($0, in: timeZone) } ?? Date()
    let feature = try NameChoice.features(of: catalog).one(feature)
    try check(catalog, FeatureID(feature))
    let snapshot = try snapshot(catalog, timeZone, now)
    if let items { return try picture(items, feature, snapshot) }
    var request = AccessRequest(FeatureID(feature), level: level, held: held, count: count)
    request.item = item.map { ItemPath(stringLiteral: $0) }
    request.date = try date.map { try ToolOption.time($0, in: timeZone, "date") }
    let decision = snapshot.decision(for: request)
    if format == .json {
      Terminal.report(ToolJSON.text(answer(decision, request, snapshot, timeZone)))
    } else {
      print(decision, request, snapshot, timeZone)
    }
    if require && !decision.isAllowed { throw ExitCode.no }
  }

  private func answer(_ decision: Decision, _ request: AccessRequest, _ snapshot: Snapshot, _ zone: TimeZone) -> ToolObject {
    [
      "feature": request.feature, "item": item, "at": ISODate.text(snapshot.date), "allowed": decision.isAllowed,
      "reason": decision.reason.rawValue, "text": decision.text(for: snapshot.catalog.feature(request.feature), zone: zone),
      "remaining": decision.remaining, "used": decision.used, "limit": decision.limit, "resetsAt": decision.resetsAt.map(ISODate.text),
      "cutoff": decision.cutoff.map(ISODate.text), "level": decision.level, "requires": decision.requires?.description,
      "balance": decision.balance, "price": decision.price, "unlockedBy": decision.unlockedBy, "placement": decision.placement,
      "validUntil": decision.validUntil.map(ISODate.text),
    ]
  }

  /// The customer with a stored state and purchases. With a state the store's last answer is as old as the state, as in the app.
  private func snapshot(_ catalog: Catalog, _ zone: TimeZone, _ now: Date) throws -> Snapshot {
    let member = try ToolOption.member(member)
    let file = try customer.stateFile()
    func snapshot(_ facts: [Fact]) -> Snapshot {
      file?.snapshot(of: catalog, as: member, zone: zone, adding: facts, at: now)
        ?? Snapshot(of: CustomerState(facts), catalog: catalog, situation: Situation(member: member, zone: zone), at: now)
    }
    let bought = try customer.assumed.purchases(in: catalog, at: now).map(Fact.transaction)
    let before = snapshot(bought)
    return customer.used.isEmpty ? before : snapshot(bought + (try customer.assumed.uses(in: before)))
  }

  /// Checks for values that the answer would ignore.
  private func check(_ catalog: Catalog, _ id: FeatureID) throws {
    if count < 1 { throw ToolProblem("--count: \(count) is too low. Write 1 or more.") }
    if let held, held < 0 { throw ToolProblem("--held: \(held) is negative. Write 0 or more.") }
    if item != nil, items != nil { throw ToolProblem("--item and --items: write one of them.") }
    guard let feature = catalog.feature(id) else { return }
    if let item { try check(item, of: feature, in: catalog) }
    let shape = type(of: feature.shape)
    if count > 1, !shape.isMetered, !shape.needsHeld { throw ToolProblem("\(id) is not counted. Remove --count.") }
    if held != nil, !shape.needsHeld { throw ToolProblem("\(id) does not limit a number of things. Remove --held.") }
    if date != nil, !shape.isAboutDates { throw ToolProblem("\(id) does not limit the age of data. Remove --date.") }
    if let level, feature.shape.unlimited(AccessRequest(id, level: level)).level == nil {
      let levels = feature.shape.levels
      let guess = ScenarioPlayer.find(level, among: levels)
      let mend = if case .none(let near?) = guess { "Did you mean \"\(near)\"?" } else { "It has \(levels.joined(separator: ", "))." }
      throw ToolProblem(levels.isEmpty ? "\(id) has no levels. Remove --level." : "\(id) has no level \"\(level)\". \(mend)")
    }
  }

  /// Refuses an item that the feature does not have, as a misspelt feature or product is refused.
  private func check(_ item: String, of feature: Feature, in catalog: Catalog) throws {
    let collections = catalog.collections.filter { feature.collections?.contains($0.id) ?? true }
    let steps = item.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let collection = collections.first { $0.id.rawValue == steps[0] }
    let isItem = steps.count > 1 && collection?.items.contains { $0.id == steps[1] } == true
    let parts = isItem ? collection?.parts ?? [] : []
    if isItem, steps.count == 2 || steps.count == 3 && parts.contains(steps[2]) { return }
    if isItem, parts.isEmpty { throw ToolProblem("--item: \(steps[0])/\(steps[1]) has no parts. Remove the part.") }
    let paths = (collection.map { [$0] } ?? collections).flatMap(\.paths)
    let found = isItem ? parts.map { "\(steps[0])/\(steps[1])/\($0)" } : paths.map(\.description)
    guard let first = found.first, let last = found.last else { throw ToolProblem("--item: \(feature.id) has no items. Remove --item.") }
    let guess = collection == nil ? ScenarioPlayer.find(item, among: found) : .none(guess: nil)
    let mend = if case .none(let near?) = guess { "Did you mean \"\(near)\"?" } else { "It has \(first) to \(last)." }
    throw ToolProblem("--item: \(feature.id) has no item \"\(item)\". \(mend)")
  }

  private func print(_ decision: Decision, _ request: AccessRequest, _ snapshot: Snapshot, _ zone: TimeZone) {
    let catalog = snapshot.catalog
    let (style, words, feature) = (Style.output, CatalogWords(catalog, ids: ids), catalog.feature(request.feature))
    func time(_ date: Date) -> String {
      let text = ISODate.text(date, in: .storeCalendar(in: zone)).replacingOccurrences(of: "T", with: " ")
      return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    }
    // A part is counted with its whole.
    let counted = feature?.part.flatMap { catalog.feature($0.whole) } ?? feature
    func amount(_ number: Int) -> String { counted?.words(for: number) ?? "\(number)" }
    func left(_ left: Int, of limit: Int) -> String { counted.map { CatalogWords.left(left, of: limit, $0) } ?? "\(left) of \(limit)" }
    let answer = decision.isAllowed ? style.green("allowed") : style.red("denied")
    Terminal.line("\(answer)  \(decision.reason)  " + style.dim(decision.text(for: feature, zone: zone)))
    let products = decision.unlockedBy.map { id in
      catalog.product(id).map { "\(words.product(id)) (\(words.terms($0, for: snapshot)))" } ?? id.rawValue
    }
    let open = request.item == nil && decision.isAllowed ? feature.flatMap { FeatureCell.items(of: $0, snapshot) } : nil
    // For a purchase with coins: the price and the balance; for a metered feature: what is left.
    let before: [(String, String?)] = [
      ("left", decision.remaining.map { rest in decision.limit.map { left(rest, of: $0) } ?? amount(rest) }),
      (CatalogWords.reset(of: decision.measure), decision.resetsAt.map(time)), ("level", decision.level),
      ("shows from", decision.cutoff.map(time)),
      ("requires", decision.requires?.description), ("coins", decision.price.map { "\($0), balance \(decision.balance ?? 0)" }),
    ]
    // One product in a line.
    let openers: [(String, String?)] = products.enumerated().map { ($0 == 0 ? "opened by" : "", $1) }
    let after: [(String, String?)] = [
      ("paywall", decision.placement.map(catalog.paywallWords)),
      (decision.isAllowed ? "until" : "may change", decision.lasts.map(time)), ("open", open),
    ]
    let rows = (before + openers + after).compactMap { name, value in value.map { [name, $0] } }
    if !rows.isEmpty { Terminal.line(Terminal.table(rows)) }
    if open != nil { Terminal.line(style.dim("  --item asks about one item, --items about all.")) }
    if decision.reason == .heldMissing { Terminal.line(style.dim("  --held gives that number, such as --held 1.")) }
  }

  // MARK: Many items

  /// One row per part, one mark per item, to show where the lock begins.
  private func picture(_ pattern: String, _ feature: String, _ snapshot: Snapshot) throws {
    let items = snapshot.catalog.items(matching: pattern)
    guard !items.isEmpty else {
      let known = snapshot.catalog.collections.map(\.id.rawValue)
      let name = pattern.components(separatedBy: "/")[0]
      if name != "*", !known.contains(name) { _ = try NameChoice("collection", known).one(name) }
      throw ToolProblem("--items: \"\(pattern)\" matches no item.")
    }
    let answers = items.map { ($0, snapshot.decision(for: FeatureID(feature), item: $0).isAllowed) }
    let allowed = answers.filter(\.1).map(\.0.description)
    let denied = answers.filter { !$0.1 }.map(\.0.description)
    if format == .json {
      Terminal.report(
        ToolJSON.object([
          "feature": feature, "items": pattern, "allowed": allowed.count, "denied": denied.count, "allowedItems": allowed,
          "deniedItems": denied,
        ]))
    } else {
      for collection in snapshot.catalog.collections { rows(of: collection, answers.filter { $0.0.collection == collection.id }) }
      Terminal.line("\(allowed.count) allowed, \(denied.count) denied")
    }
    if require && !denied.isEmpty { throw ExitCode.no }
  }

  private func rows(of collection: CatalogCollection, _ answers: [(ItemPath, Bool)]) {
    guard !answers.isEmpty else { return }
    let heads = answers.reduce(into: [String]()) { heads, answer in if heads.last != answer.0.item { heads.append(answer.0.item) } }
    var rows = [[items?.hasPrefix("*") == true ? collection.title : ""] + heads]
    var seen: Set<String?> = []
    let parts = answers.map(\.0.part).filter { seen.insert($0).inserted }
    let byPart = Dictionary(grouping: answers, by: \.0.part)
    for part in parts { rows.append([part ?? ""] + (byPart[part] ?? []).map { $0.1 ? "●" : "·" }) }
    Terminal.line(Terminal.table(rows))
  }
}

extension Decision {
  /// The end of the answer; `nil` when ``resetsAt`` says the same.
  var lasts: Date? { validUntil == resetsAt ? nil : validUntil }
}

extension Catalog {
  /// The placement of a decision, with the paywall that opens there.
  func paywallWords(_ placement: PlacementID) -> String {
    paywalls[placement] == nil && paywalls[.default] != nil ? "default (for \(placement))" : "\(placement)"
  }
}

extension FeatureCell {
  /// The open items of a feature about items, in words; `nil` for any other.
  static func items(of feature: Feature, _ snapshot: Snapshot) -> String? {
    type(of: feature.shape).isAboutItems ? FeatureCell(feature, snapshot).text : nil
  }
}
