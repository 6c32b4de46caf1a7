// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize

struct Decide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answers one question: may this customer do this now, and if not, why?",
    discussion: """
      The customer has what --owned names and what --state holds. The exit status is 0 whatever the answer; with --require, 1 when it is no.

      EXAMPLES
        monetize decide Products/maze-packs.json --feature story.play --item denny/4
        monetize decide Products/maze-packs.json --feature story.play \\
          --items 'denny/*/*'
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: "What is asked for.")
  var feature: String

  @Option(help: "Which item: collection/item or collection/item/part.")
  var item: String?

  @Option(help: "All items of a pattern such as 'denny/*/*', as a picture and two counts.")
  var items: String?

  @Option(help: "Which level.")
  var level: String?

  @Option(help: "The date of the thing that is looked at.")
  var date: String?

  @Option(help: "How many exist already.")
  var held: Int?

  @Option(help: "How many uses, or seconds.")
  var count = 1

  @Option(help: "The time of the question, such as 2026-03-01T12:00:00Z. Default: now.")
  var at: String?

  @Option(help: "The customer's time zone.")
  var zone = "UTC"

  @Option(help: "A product that the customer has. May be repeated.")
  var owned: [String] = []

  @Option(help: "A state file, as `simulate --save-state` or an app wrote it.")
  var state: String?

  @Option(name: .customLong("as"), help: "Who asks: child:max, parent, guest or demo.")
  var member: String?

  @Flag(help: "Exit with status 1 when the answer is no.")
  var require = false

  @Option(help: "text or json.")
  var format = OutputFormat.text

  private struct Answer: Encodable {
    let feature: String
    let item: String?
    let at: String
    let allowed: Bool
    let reason: String
    let text: String
    let remaining: Int?
    let used: Int?
    let limit: Int?
    let resetsAt: String?
    let cutoff: String?
    let level: String?
    let requires: String?
    let balance: Int?
    let price: Int?
    let unlockedBy: [String]
    let placement: String?
    let validUntil: String?
  }

  func run() throws {
    let catalog = try InputFile(file).catalog()
    guard let timeZone = TimeZone(identifier: zone) else {
      throw Problem("There is no time zone \"\(zone)\". Write one such as Europe/Berlin.")
    }
    let now = try at.map { try instant($0, timeZone, "--at") } ?? Date()
    guard catalog.feature(FeatureID(feature)) != nil else {
      throw Problem(
        "The catalog has no feature \"\(feature)\". It has \(catalog.features.map(\.id.rawValue).joined(separator: ", ")).")
    }
    let situation = Situation(member: try who(), zone: timeZone)
    let snapshot = Snapshot(of: try facts(catalog, now), catalog: catalog, situation: situation, at: now)
    if let items { return try picture(items, snapshot) }
    var request = AccessRequest(FeatureID(feature), level: level, held: held, count: count)
    request.item = item.map { ItemPath(stringLiteral: $0) }
    request.date = try date.map { try instant($0, timeZone, "--date") }
    let decision = snapshot.decision(for: request)
    let answer = Answer(
      feature: feature, item: item, at: Instant.text(now), allowed: decision.isAllowed, reason: decision.reason.rawValue,
      text: decision.text(for: catalog.feature(FeatureID(feature)), zone: timeZone), remaining: decision.remaining, used: decision.used,
      limit: decision.limit, resetsAt: decision.resetsAt.map(Instant.text), cutoff: decision.cutoff.map(Instant.text),
      level: decision.level,
      requires: decision.requires?.description, balance: decision.balance, price: decision.price,
      unlockedBy: decision.unlockedBy.map(\.rawValue), placement: decision.placement?.rawValue,
      validUntil: decision.validUntil.map(Instant.text))
    if format == .json { Swift.print(try Terminal.json(answer)) } else { print(answer: answer) }
    if require && !decision.isAllowed { throw ExitCode.no }
  }

  private func instant(_ text: String, _ zone: TimeZone, _ option: String) throws -> Date {
    guard let date = Instant.parse(text, in: zone) else {
      throw Problem("\(option): \"\(text)\" is no instant. Write 2026-03-01T12:00:00Z, or a local time without the Z.")
    }
    return date
  }

  private func who() throws -> Member {
    guard let member else { return .customer }
    guard let known = Member(text: member) else {
      throw Problem("--as: \"\(member)\" is nobody. Write child:max, parent, guest, demo or customer.")
    }
    return known
  }

  /// What the customer has: a stored state and purchases.
  private func facts(_ catalog: Catalog, _ now: Date) throws -> CustomerState {
    var facts: [Fact] = []
    if let state {
      _ = try InputFile(state)
      facts = try StateFile.facts(at: state)
    }
    for (number, id) in owned.enumerated() {
      guard let product = catalog.product(ProductID(id)) else {
        throw Problem(
          "The catalog has no product \"\(id)\". It has \(catalog.products.map(\.id.rawValue).joined(separator: ", ")).")
      }
      let ends = product.subscription.map { $0.period.added(to: now, in: Instant.utc) }
      facts.append(
        .transaction(
          StoreTransaction(id: "owned-\(number)".asTransactionID, productID: product.id, purchaseDate: now, expirationDate: ends)))
    }
    return CustomerState(facts)
  }

  private func print(answer: Answer) {
    let style = Style.output
    Swift.print((answer.allowed ? style.green("allowed") : style.red("denied")) + "  \(answer.reason)  " + style.dim(answer.text))
    let facts: [(String, String?)] = [
      ("remaining", answer.remaining.map { "\($0)" + (answer.limit.map { " of \($0)" } ?? "") }), ("resets", answer.resetsAt),
      ("level", answer.level), ("shows from", answer.cutoff), ("requires", answer.requires),
      ("coins", answer.price.map { "\($0) of \(answer.balance ?? 0)" }),
      ("opened by", answer.unlockedBy.isEmpty ? nil : answer.unlockedBy.joined(separator: ", ")), ("placement", answer.placement),
      ("until", answer.validUntil),
    ]
    let rows = facts.compactMap { name, value in value.map { [name, $0] } }
    if !rows.isEmpty { Swift.print(Terminal.table(rows)) }
  }

  // MARK: Many items

  private struct Counts: Encodable {
    let feature: String
    let items: String
    let allowed: Int
    let denied: Int
  }

  /// One row a part, one mark an item: a person sees at once where the lock begins.
  private func picture(_ pattern: String, _ snapshot: Snapshot) throws {
    let pieces = pattern.components(separatedBy: "/")
    guard let collection = snapshot.catalog.collection(CollectionID(pieces[0])) else {
      throw Problem("--items: there is no collection \"\(pieces[0])\".")
    }
    let items = collection.items.map(\.id).filter { pieces.count < 2 || pieces[1] == "*" || pieces[1] == $0 }
    let parts: [String?] = pieces.count > 2 ? collection.parts.filter { pieces[2] == "*" || pieces[2] == $0 } : [nil]
    guard !items.isEmpty, !parts.isEmpty else { throw Problem("--items: \"\(pattern)\" names no item.") }
    var rows = [[""] + items]
    var allowed = 0
    for part in parts {
      let marks = items.map { item -> String in
        let isOpen = snapshot.decision(for: FeatureID(feature), item: ItemPath(collection: collection.id, item: item, part: part)).isAllowed
        allowed += isOpen ? 1 : 0
        return isOpen ? "●" : "·"
      }
      rows.append([part ?? ""] + marks)
    }
    let total = items.count * parts.count
    if format == .json {
      Swift.print(try Terminal.json(Counts(feature: feature, items: pattern, allowed: allowed, denied: total - allowed)))
    } else {
      Swift.print(Terminal.table(rows))
      Swift.print("\(allowed) allowed, \(total - allowed) denied")
    }
    if require && allowed < total { throw ExitCode.no }
  }
}

extension String {
  var asTransactionID: TransactionID { TransactionID(rawValue: self) }
}
