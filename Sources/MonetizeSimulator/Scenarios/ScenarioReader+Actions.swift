// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

extension ScenarioReader {
  func readAction(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> (ScenarioAction, ActionFrame)? {
    guard let verb = fields.required("do", as: String.self) else { return nil }
    var frame = ActionFrame()
    frame.device = device(fields, reader)
    frame.times = number("times", 1...Self.mostSteps, fields, reader) ?? 1
    frame.note = fields.optional("note")
    frame.member = actor(verb, fields, value, reader)
    if fields.value("expect") != nil { frame.expect = readExpectations(fields.value("expect"), frame.device, reader) }
    guard let action = action(verb, fields, value, reader, &frame) else { return nil }
    return (action, frame)
  }

  func member(_ text: String, _ value: JSONValue, _ reader: JSONReader) -> Member {
    let pieces = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (pieces.first, pieces.count) {
    case ("child", 2) where pieces[1] != "*": return .child(pieces[1])
    case ("child", _):
      reader.report("bad-value", at: value, "\"\(text)\" names no child. Write the child's name after the colon, such as \"child:max\".")
      return .customer
    case ("parent", 2), ("parent", 1): return .parent(pieces.count == 2 ? pieces[1] : "")
    case ("guest", 1): return .guest
    case ("demo", 1): return .demo
    case ("customer", 1): return .customer
    default:
      reader.report("bad-value", at: value, "Unknown person \"\(text)\". Write \"child:max\", \"parent\", \"guest\" or \"demo\".")
      return .customer
    }
  }

  /// Who does it. Whoever buys, restores or sets something is the customer, whoever holds the device.
  private func actor(_ verb: String, _ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> Member {
    guard let text = fields.optional("as", as: String.self), let place = fields.value("as") else { return .customer }
    let found = member(text, place, reader)
    let isOneMembers = ScenarioAction.verbsOfMembers.contains(verb) && value["placement"] == nil
    if found != .customer, !isOneMembers, ScenarioAction.verbs.contains(verb) {
      reader.report(
        "no-effect", at: place,
        "\"\(verb)\" is the same whoever does it. Leave \"as\" out: only \"use\", \"record\" and \"open\" with a \"feature\" know members.")
      return .customer
    }
    return found
  }

  /// Tells of keys that would do nothing here.
  func refuse(_ keys: [String], in value: JSONValue, _ why: String, _ reader: JSONReader) {
    for member in value.members where keys.contains(member.key) {
      reader.report("no-effect", at: member, "\"\(member.key)\" does nothing here: \(why) Leave it out.")
    }
  }

  /// A whole number that is not below what makes sense: a use of -3 things is no use.
  private func number(_ key: String, _ range: ClosedRange<Int>, _ fields: JSONFields, _ reader: JSONReader) -> Int? {
    guard let number = fields.optional(key, as: Int.self) else { return nil }
    if !range.contains(number), let value = fields.value(key) {
      let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
      reader.report("bad-value", at: value, "\"\(key)\" is a whole number from \(range.lowerBound)\(most), but this is \(number).")
      return nil
    }
    return number
  }

  func request(_ fields: JSONFields, _ reader: JSONReader) -> ScenarioRequest? {
    guard let feature = fields.required("feature", as: FeatureID.self) else { return nil }
    var request = ScenarioRequest(feature: feature)
    // An item that is written wrongly is a question, too: the answer is an error.
    request.item = fields.optional("item", as: String.self).map { ItemPath(stringLiteral: $0) }
    request.position = number("position", 1...Int.max, fields, reader)
    if request.position != nil, request.item?.item != "" {
      reader.report(
        "bad-value", at: fields.value("position") ?? fields.value,
        "\"position\" counts from 1 in the collection that \"item\" names. Write the collection's id there, without an item.")
    }
    request.level = fields.optional("level")
    request.held = number("held", 0...Int.max, fields, reader)
    request.count = number("count", 1...Int.max, fields, reader) ?? 1
    if let text = fields.optional("date", as: String.self) {
      if text.hasPrefix("-"), let period = Period(String(text.dropFirst())) {
        request.date = .before(period)
      } else {
        request.date = instant(text, fields.value("date"), reader).map(ScenarioDate.instant)
      }
    }
    return request
  }

  private func action(_ verb: String, _ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader, _ frame: inout ActionFrame)
    -> ScenarioAction?
  {
    switch verb {
    case "launch": return .launch(answers: fields.optional("answer", as: Bool.self) ?? true)
    case "quit": return .quit(fields.optional("how") ?? .normal)
    case "relaunch": return .relaunch
    case "reinstall": return .reinstall(fields.optional("keeps") ?? .secure)
    case "background": return .background
    case "foreground": return .foreground
    case "open": return opening(fields, value, reader)
    case "purchase": return purchase(fields, value, reader)
    case "dismiss": return .dismiss(fields.optional("placement"))
    case "load": return .load
    case "appTransaction": return .appTransaction
    case "restore": return .restore(gate: fields.optional("gate"))
    case "use": return use(fields, value, reader)
    case "account":
      let policy: HandOverPolicy = fields.optional("policy") ?? .keep
      if fields.value("to")?.isNull == true { return .account(to: nil, policy) }
      return fields.required("to", as: String.self).map { .account(to: $0, policy) }
    case "sync":
      let (lose, delay) = (fields.optional("lose", as: ScenarioAction.Sync.Loss.self), fields.optional("delay", as: Period.self))
      let isDuplicated = fields.optional("duplicate", as: Bool.self) ?? false
      return device(fields, reader, key: "with", isRequired: true).map {
        .sync(ScenarioAction.Sync(with: $0, lose: lose, isDuplicated: isDuplicated, delay: delay))
      }
    case "record": return record(fields, value, reader).map(ScenarioAction.record)
    case "update": return update(fields, value, reader)
    default: return storeAction(verb, fields, value, reader, &frame)
    }
  }

  /// What the customer does at the store, and what the store does.
  private func storeAction(
    _ verb: String, _ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader, _ frame: inout ActionFrame
  ) -> ScenarioAction? {
    func product() -> ProductID? { fields.required("product", as: ProductID.self) }
    switch verb {
    case "approve": return product().map(ScenarioAction.approve)
    case "decline": return product().map(ScenarioAction.decline)
    case "renewal":
      let product = fields.optional("product", as: ProductID.self)
      return fields.required("to", as: ScenarioAction.Switch.self).map { .renewal($0, product: product) }
    case "manage":
      let product = product()
      return fields.required("to", as: ScenarioAction.Switch.self).flatMap { to in product.map { .manage($0, to) } }
    case "requestRefund": return product().map(ScenarioAction.requestRefund)
    case "family":
      let joins = fields.optional("joins", as: Bool.self)
      let leaves = fields.optional("leaves", as: Bool.self)
      let member = fields.required("member", as: String.self)
      guard (joins == true) != (leaves == true), joins != false, leaves != false else {
        reader.report("missing-key", at: value, "Somebody either \"joins\": true or \"leaves\": true. Write one of them.")
        return nil
      }
      return member.map { .family(member: $0, joins: joins == true) }
    case "refund":
      return product().map {
        .refund(
          $0, part: fields.optional("part") ?? .full, reason: reason(fields, reader), reverse: fields.optional("reverse") ?? false)
      }
    case "renew": return product().map(ScenarioAction.renew)
    case "expire": return product().map(ScenarioAction.expire)
    case "extend":
      let by = fields.required("by", as: Period.self)
      return product().flatMap { product in by.map { .extend(product, by: $0) } }
    case "deliver":
      // The store delivers the same things so many times; the verb itself happens once.
      defer { frame.times = 1 }
      return .deliver(times: frame.times)
    case "forget":
      let newest = fields.optional("newest", as: Bool.self) ?? false
      if newest, value["product"] == nil {
        reader.report("missing-key", at: value, "The \"newest\" of which transactions? Name the \"product\", or leave \"newest\" out.")
      }
      return .forget(fields.optional("product"), newestOnly: newest)
    case "set":
      let common: Set<String> = ["do", "on", "as", "times", "expect", "note"]
      guard value.members.contains(where: { !common.contains($0.key) }) else {
        reader.report("missing-key", at: value, "\"set\" names what the world is from now on, such as \"network\": \"offline\".")
        return nil
      }
      return settings(value, reader).map(ScenarioAction.set)
    default:
      let at = fields.value("do") ?? value
      let guess = closestMatch(to: verb, in: ScenarioAction.verbs).map { " Did you mean \"\($0)\"?" }
      reader.report(
        "unknown-verb", at: at, "There is no verb \"\(verb)\"." + (guess ?? " Verbs are \(ScenarioAction.verbs.joined(separator: ", ")).")
      )
      reader.markRead(value)
      return nil
    }
  }

  private func reason(_ fields: JSONFields, _ reader: JSONReader) -> StoreTransaction.Revocation.Reason {
    guard let text = fields.optional("reason", as: String.self), let value = fields.value("reason") else { return .other }
    let known: [StoreTransaction.Revocation.Reason] = [.developerIssue, .other]
    check(text, among: known.map(\.rawValue), "reason of a refund", value, reader)
    return StoreTransaction.Revocation.Reason(rawValue: text)
  }

  /// A tap: on something that is asked for, or on the offer of a placement.
  private func opening(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> ScenarioAction? {
    let gate: ScenarioAction.GateAnswer? = fields.optional("gate")
    guard value["placement"] != nil else { return request(fields, reader).map { .open($0, gate: gate) } }
    if value["feature"] != nil {
      reader.report(
        "bad-value", at: fields.value("placement") ?? value,
        "A tap is on a \"feature\" or on the paywall of a \"placement\", not on both. Leave one out.")
      reader.markRead(value)
      return nil
    }
    return fields.required("placement", as: PlacementID.self).map { .openPaywall($0, gate: gate) }
  }

  /// A purchase, from wherever it is begun.
  private func purchase(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> ScenarioAction? {
    guard let product = fields.required("product", as: ProductID.self) else { return nil }
    var purchase = ScenarioAction.Purchase(product: product)
    purchase.offer = fields.optional("offer")
    purchase.quantity = number("quantity", 1...10, fields, reader) ?? 1
    purchase.from = fields.optional("from") ?? .app
    purchase.gate = fields.optional("gate")
    purchase.sheet = fields.optional("sheet")
    purchase.crashAt = fields.optional("crashAt")
    purchase.at = fields.optional("at", as: String.self).flatMap { instant($0, fields.value("at"), reader) }
    switch purchase.from {
    case .app, .promotion: break
    case .appStore:
      refuse(["gate", "at", "crashAt"], in: value, "on the App Store itself the app is not asked, and hears of it afterwards.", reader)
    case .code:
      refuse(
        ["gate", "at", "crashAt", "quantity"], in: value,
        "a code is redeemed in the store's own sheet, and the app hears of it afterwards.",
        reader)
      if value["offer"] == nil {
        reader.report("missing-key", at: value, "A purchase \"from\": \"code\" redeems a code. Name it: \"offer\": \"…\".")
      }
    }
    return .purchase(purchase)
  }

  /// A use, of a number or of a length.
  private func use(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> ScenarioAction? {
    guard var request = request(fields, reader) else { return nil }
    if let length = fields.optional("length", as: Period.self) {
      // What is counted as time is counted in seconds.
      guard let seconds = length.fixedSeconds, seconds > 0 else {
        reader.report(
          "bad-value", at: fields.value("length") ?? value, "A \"length\" has a fixed number of seconds, such as \"PT29M59S\".")
        return nil
      }
      request.count = Int(seconds)
    }
    var use = ScenarioAction.Use(request: request)
    use.length = fields.optional("length")
    use.key = fields.optional("key")
    use.work = fields.optional("work") ?? .succeeds
    use.takes = fields.optional("takes")
    use.parallel = number("parallel", 1...10_000, fields, reader) ?? 1
    return .use(use)
  }

  /// Another catalog, or what is laid over it.
  private func update(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> ScenarioAction? {
    let (patch, overlay) = (fields.value("set"), fields.value("overlay"))
    for given in [patch, overlay].compactMap({ $0 }) { reader.markRead(given) }
    switch (patch, overlay) {
    case (let patch?, nil): return .update(patch: patch)
    case (nil, let overlay?): return .overlay(overlay.kind == .null ? nil : overlay.text())
    default:
      reader.report(
        "missing-key", at: value,
        "\"update\" takes one of \"set\", a merge patch on the catalog that a new version brings, and \"overlay\", remote configuration or null."
      )
      return nil
    }
  }

  private func record(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> ScenarioAction.Record? {
    if let item = fields.optional("completion", as: ItemPath.self) { return .completion(item) }
    if let coins = fields.value("coins"), let inner = reader.object(coins, "coins") {
      guard let id = inner.required("id", as: String.self) else { return nil }
      let (earned, spent) = (number("earned", 0...Int.max, inner, reader), number("spent", 0...Int.max, inner, reader))
      return .coins(id: id, earned: earned ?? 0, spent: spent ?? 0)
    }
    if let cap = fields.value("cap"), let inner = reader.object(cap, "a cap") {
      let amount = inner.value("amount").map { value in
        reader.markRead(value)
        return value.text()
      }
      return inner.required("feature", as: FeatureID.self).map { .cap($0, amount: amount == "null" ? nil : amount) }
    }
    if let grant = fields.value("grant"), let inner = reader.object(grant, "a grant") {
      let until = inner.optional("until", as: String.self).flatMap { instant($0, inner.value("until"), reader) }
      let revoked = inner.optional("revoked", as: Bool.self) ?? false
      guard let id = inner.required("id", as: String.self), let entitlements = inner.required("entitlements", as: [EntitlementID].self)
      else {
        return nil
      }
      return .grant(id: id, entitlements: entitlements, until: until, revoked: revoked)
    }
    reader.report("missing-key", at: value, "\"record\" takes one of \"completion\", \"coins\", \"cap\" and \"grant\".")
    return nil
  }
}
