// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

extension PlaySession {
  func history() {
    let rows = player.steps.enumerated().map { number, step in
      ["\(number + 1)", step.entries.first.map { Self.time($0.date, player.zone) } ?? "", Self.title(step)]
    }
    Terminal.line(rows.isEmpty ? "Nothing has been done yet." : Terminal.table(rows))
  }

  private static func time(_ date: Date, _ zone: TimeZone) -> String {
    String(ISODate.text(date, in: .storeCalendar(in: zone)).replacingOccurrences(of: "T", with: " ").dropLast(3))
  }

  func show(_ here: Place) {
    guard let snapshot = player.snapshot(on: here.device, as: here.member) else {
      return Terminal.line("The app is not running, so access is unknown. Write: launch")
    }
    let words = CatalogWords(snapshot.catalog, ids: player.showsIDs)
    let rows = snapshot.catalog.features.map { feature -> [String] in
      let decision = snapshot.decision(for: feature.id)
      let left = feature.part == nil && type(of: feature.shape).isMetered ? decision.remaining : nil
      let bar = decision.limit.flatMap { limit in
        left.map { "\(ScenarioReport.bar($0, of: limit)) \(CatalogWords.left($0, of: limit, feature)) left" }
      }
      let cell = bar ?? FeatureCell(feature, snapshot).text
      // A part resets with its whole.
      let resets = feature.part == nil ? snapshot.decision(for: feature.id).resetsAt : nil
      return [words.feature(feature.id), cell, resets.map { "until \(Self.time($0, player.zone))" } ?? ""]
    }
    Terminal.line(Terminal.table(rows))
  }

  func why(_ words: inout PlayWords, _ here: Place) throws(ToolProblem) {
    let request = try words.accessRequest(at: player.now, player.zone)
    if let verb = PlayVerb.named("why") { try words.finish(verb) }
    guard let snapshot = player.snapshot(on: here.device, as: here.member) else {
      throw ToolProblem("The app is not running. Write: launch")
    }
    let decision = snapshot.decision(for: request)
    Terminal.line((decision.isAllowed ? style.green("allowed") : style.red("denied")) + "  \(decision.reason)")
    Terminal.line("  " + decision.text(for: snapshot.catalog.feature(request.feature), zone: player.zone))
    for (index, product) in decision.unlockedBy.enumerated() {
      Terminal.line((index == 0 ? "  opened by " : "            ") + player.terms(of: product, on: here.device))
    }
    if request.item == nil, decision.isAllowed, let feature = snapshot.catalog.feature(request.feature),
      let open = FeatureCell.items(of: feature, snapshot)
    {
      Terminal.line("  \(open). About one: why \(feature.id) COLLECTION/ITEM")
    }
    if decision.isAllowed, let reset = decision.resetsAt {
      Terminal.line("  \(CatalogWords.reset(of: decision.measure)) \(Self.time(reset, player.zone))")
    }
    if let until = decision.lasts { Terminal.line("  \(decision.isAllowed ? "until" : "may change") \(Self.time(until, player.zone))") }
  }

  /// One line of `money`, in the order of the steps.
  private struct MoneyLine {
    let date: Date
    /// The number of the entry that moved the money.
    let entry: Int
    let title: String
    let amount: String
    let note: String
  }

  /// Prints each charge and refund in the order of the steps, and the total.
  func money(_ here: Place) {
    let lines = (charges(here) + refunds(here)).enumerated()
      .sorted { ($0.element.date, $0.element.entry, $0.offset) < ($1.element.date, $1.element.entry, $1.offset) }.map(\.element)
    guard !lines.isEmpty else { return Terminal.line("Nothing has been charged.") }
    let width = lines.map(\.amount.count).max() ?? 0
    Terminal.line(
      Terminal.table(
        lines.map { line in
          // Amounts stand below each other.
          let amount = String(repeating: " ", count: width - line.amount.count) + line.amount
          return [Self.time(line.date, player.zone), line.title, amount, line.note]
        }))
    let (charged, refunded) = (player.money(on: here.device).charged, player.money(on: here.device).refunded.filter { $0.amount != 0 })
    let back = refunded.isEmpty ? "" : ", \(refunded.map(\.description).joined(separator: " + ")) refunded"
    Terminal.line("\(charged.map(\.description).joined(separator: " + ")) charged\(back)")
  }

  private func charges(_ here: Place) -> [MoneyLine] {
    let words = CatalogWords(player.catalog(on: here.device), ids: player.showsIDs)
    let made = player.steps.flatMap(\.entries).enumerated().flatMap { number, entry in
      entry.notifications.compactMap(\.transactionID).map { ($0, number) }
    }
    let entries = Dictionary(made) { first, _ in first }
    return player.transactions(on: here.device).filter { $0.ownership == .purchased }.map { transaction in
      let offer = transaction.offer.map { $0.mode == .freeTrial ? "free trial" : "with \($0.id ?? "the introductory offer")" }
      let number = transaction.quantity > 1 ? " × \(transaction.quantity)" : ""
      return MoneyLine(
        date: transaction.purchaseDate, entry: entries[transaction.id] ?? 0, title: words.product(transaction.productID) + number,
        amount: transaction.price.map { "\($0)" } ?? "0", note: offer ?? "")
    }
  }

  /// Each refund with what led to it: a refund of the store, or a change of plan.
  private func refunds(_ here: Place) -> [MoneyLine] {
    let device = player.devices.first { $0.name == here.device } ?? player.devices[0]
    return player.steps.flatMap(\.entries).enumerated().flatMap { number, entry in
      entry.money.filter { $0.customer.rawValue == device.customer }.compactMap { payment in
        payment.returned.map { amount, how in
          // A purchase that moves money back replaces a plan.
          let note = payment.charged.amount > 0 ? "\(how) for the rest of the plan before" : how
          return MoneyLine(date: entry.date, entry: number, title: entry.title, amount: "\(amount)", note: note)
        }
      }
    }
  }

  /// Commands to try first, with names from this catalog.
  var suggestions: [String] {
    let catalog = player.catalog
    let metered = catalog.features.first { type(of: $0.shape).isMetered && $0.part == nil }?.id.rawValue
    let product = catalog.products.first?.id.rawValue.split(separator: ".").last.map(String.init)
    let gate = catalog.parentalGate == nil ? "" : " gate pass"
    return [
      "show", metered.map { "use \($0)" }, catalog.features.last.map { "why \($0.id)" }, product.map { "buy \($0)\(gate)" },
      catalog.products.contains { $0.subscription != nil } ? "wait renewal" : "wait 1 month", product == nil ? nil : "money", "undo",
    ].compactMap { $0 }
  }

  func ids(_ catalog: Catalog) {
    func list(_ title: String, _ rows: [[String]]) { if !rows.isEmpty { Terminal.line("\(title)\n" + Terminal.table(rows)) } }
    list("products", catalog.products.map { [$0.id.rawValue, $0.name] })
    list("features", catalog.features.map { [$0.id.rawValue, $0.title] })
    list(
      "items",
      catalog.collections.map { collection in
        let ends = [collection.items.first, collection.items.last].map { "\(collection.id)/\($0?.id ?? "")" }
        return [ends.joined(separator: " … "), collection.parts.joined(separator: ", ")]
      })
    list("entitlements", catalog.entitlements.map { [$0.id.rawValue, $0.title] })
    list("offers", catalog.offers.map { [$0] })
    if !catalog.products.isEmpty { list("placements", catalog.allPlacements.map { [$0] }) }
  }
}

extension PlayWords {
  /// Reads a question from words.
  fileprivate mutating func accessRequest(at now: Date, _ zone: TimeZone) throws(ToolProblem) -> AccessRequest {
    let feature = try feature()
    var request = AccessRequest(FeatureID(feature))
    if rest.first?.contains("/") == true { request.item = ItemPath(stringLiteral: removeFirst()) }
    request.level = takeLevel(of: feature)
    while let option = take(of: ["level", "held", "count", "date", "place"]) {
      switch option {
      case "level": request.level = try word("a level")
      case "held": request.held = try number("the number that exists already, such as 3", from: 0)
      case "count": request.count = try number("a number, such as 2")
      case "place": request.item = try itemAtPlace()
      default: request.date = try date(before: now, zone)
      }
    }
    return request
  }

  private mutating func itemAtPlace() throws(ToolProblem) -> ItemPath {
    let place = try number("a position, such as 4")
    let id = try Self.one(try word("a collection"), of: catalog.collections.map(\.id.rawValue), "collection")
    let items = catalog.collection(CollectionID(id))?.paths ?? []
    guard place <= items.count else { throw ToolProblem("\(id) has \(CatalogWords.counted(items.count, "item")).") }
    return items[place - 1]
  }

  private mutating func date(before now: Date, _ zone: TimeZone) throws(ToolProblem) -> Date {
    if let first = rest.first, first.hasPrefix("-"), let period = Period(String(first.dropFirst())) {
      _ = removeFirst()
      return period.added(to: now, times: -1, in: .storeCalendar(in: zone))
    }
    let text = try instantWords()
    guard let date = ISODate.parse(text, in: zone) else {
      throw ToolProblem("\"\(text)\" is not a date and time. Write 2026-03-01T12:00:00Z, or a local time without the Z.")
    }
    return date
  }

  /// Reads an expectation: a subject in words, its facts as `fact=value`.
  mutating func expectation() throws(ToolProblem) -> String {
    guard !members.isEmpty else { throw ToolProblem("\"expect\" takes facts, such as expect story remaining=2.") }
    var expected = StepJSON()
    if let device = context.device { expected.add("on", device) }
    if context.member != .customer { expected.add("as", "\(context.member)") }
    if !rest.isEmpty {
      if let product = productOnly() {
        expected.add("product", product)
      } else {
        try request(&expected)
        while try take(of: PlayVerb.question, &expected) {}
      }
    }
    if let verb = PlayVerb.named("expect") { try finish(verb) }
    // As reports write them.
    for (key, json) in members { expected.add(key, raw: ["\"yes\"": "true", "\"no\"": "false"][json] ?? json) }
    return StepJSON("expect", expected.text).text
  }

  /// Takes the name of a product. Leaves a name that means a feature as well, unless it is a whole name of the product only.
  private mutating func productOnly() -> String? {
    let (features, products) = (NameChoice.features(of: catalog), NameChoice.products(of: catalog))
    if features.wordsOfTitle(in: rest) > max(1, products.wordsOfTitle(in: rest)) { return nil }
    join(products)
    guard let name = rest.first, case .one(let product) = products.find(name), !features.isWhole(name) else { return nil }
    if !products.isWhole(name) { guard case .none = features.find(name) else { return nil } }
    _ = removeFirst()
    return product
  }

  /// Compares devices; all of them when none is named.
  mutating func same(_ names: [String]) throws(ToolProblem) -> String {
    var devices: [String] = []
    while !rest.isEmpty { devices.append(try Self.one(removeFirst(), of: names, "device")) }
    if devices.isEmpty { devices = names }
    guard devices.count > 1 else { throw ToolProblem("\"same\" needs two devices, but there is only one. Write: device watch") }
    return StepJSON("expect", StepJSON("same", StepJSON.list(devices)).text).text
  }
}
