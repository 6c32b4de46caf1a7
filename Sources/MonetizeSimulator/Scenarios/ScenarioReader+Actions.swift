// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioReader {
  func readAction(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> (ScenarioAction, ActionFrame)? {
    guard let verb = fields.required("do", as: String.self) else { return nil }
    var frame = ActionFrame()
    frame.device = fields.optional("on")
    frame.times = max(1, fields.optional("times", as: Int.self) ?? 1)
    frame.note = fields.optional("note")
    if let text = fields.optional("as", as: String.self) { frame.member = member(text, fields.value("as") ?? value, reader) }
    if fields.value("expect") != nil { frame.expect = readExpectations(fields.value("expect"), frame.device, reader) }
    guard let action = action(verb, fields, value, reader, &frame) else { return nil }
    return (action, frame)
  }

  func member(_ text: String, _ value: JSONValue, _ reader: JSONReader) -> Member {
    let pieces = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (pieces.first, pieces.count) {
    case ("child", 2): return .child(pieces[1])
    case ("parent", 2), ("parent", 1): return .parent(pieces.count == 2 ? pieces[1] : "")
    case ("guest", 1): return .guest
    case ("demo", 1): return .demo
    case ("customer", 1): return .customer
    default:
      reader.report("bad-value", at: value, "\"\(text)\" is nobody. Write \"child:max\", \"parent:mum\", \"guest\" or \"demo\".")
      return .customer
    }
  }

  func request(_ fields: JSONFields, _ reader: JSONReader) -> ScenarioRequest? {
    guard let feature = fields.required("feature", as: FeatureID.self) else { return nil }
    var request = ScenarioRequest(feature: feature)
    // An item that is written wrongly is a question, too: the answer is an error.
    request.item = fields.optional("item", as: String.self).map { ItemPath(stringLiteral: $0) }
    request.level = fields.optional("level")
    request.held = fields.optional("held")
    request.count = fields.optional("count", as: Int.self) ?? 1
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
      return fields.required("with", as: String.self).map {
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
      return fields.required("member", as: String.self).map { .family(member: $0, joins: joins ?? !(leaves ?? false)) }
    case "refund":
      return product().map {
        .refund($0, part: fields.optional("part") ?? .full, reason: fields.optional("reason"), reverse: fields.optional("reverse") ?? false)
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
      return reader.decode(WorldSettings.self, from: value).map(ScenarioAction.set)
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
    purchase.quantity = max(1, fields.optional("quantity", as: Int.self) ?? 1)
    purchase.from = fields.optional("from") ?? .app
    purchase.gate = fields.optional("gate")
    purchase.sheet = fields.optional("sheet")
    purchase.crashAt = fields.optional("crashAt")
    purchase.at = fields.optional("at", as: String.self).flatMap { instant($0, fields.value("at"), reader) }
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
    use.key = fields.optional("key")
    use.work = fields.optional("work") ?? .succeeds
    use.takes = fields.optional("takes")
    use.parallel = max(1, fields.optional("parallel", as: Int.self) ?? 1)
    return .use(use)
  }

  /// Another catalog, or what is laid over it.
  private func update(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> ScenarioAction? {
    let (patch, overlay) = (fields.value("set"), fields.value("overlay"))
    for given in [patch, overlay].compactMap({ $0 }) { reader.markRead(given) }
    switch (patch, overlay) {
    case (let patch?, nil): return .update(patch: patch.text(pretty: false))
    case (nil, let overlay?): return .overlay(overlay.kind == .null ? nil : overlay.text(pretty: false))
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
      return .coins(id: id, earned: inner.optional("earned") ?? 0, spent: inner.optional("spent") ?? 0)
    }
    if let cap = fields.value("cap"), let inner = reader.object(cap, "a cap") {
      let amount = inner.value("amount").map { value in
        reader.markRead(value)
        return value.text(pretty: false)
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

  // MARK: Expectations

  func readExpectations(_ value: JSONValue?, _ device: String?, _ reader: JSONReader) -> [ScenarioExpectation] {
    guard let value else { return [] }
    if value.kind == .array { return value.elements.flatMap { readExpectations($0, device, reader) } }
    guard let fields = reader.object(value, "an expectation") else { return [] }
    var used: Set<String> = ["on", "as", "$comment"]
    let onDevice = fields.optional("on", as: String.self) ?? device
    let whom = fields.optional("as", as: String.self).map { member($0, fields.value("as") ?? value, reader) } ?? .customer
    let subject: ScenarioExpectation.Subject
    if value["feature"] != nil, let pattern = fields.optional("items", as: String.self) {
      used.formUnion(["feature", "items"])
      guard let feature = fields.required("feature", as: FeatureID.self) else { return [] }
      subject = .items(feature, pattern: pattern)
    } else if value["paywall"] != nil {
      used.formUnion(["paywall", "feature", "item"])
      guard let placement = fields.required("paywall", as: PlacementID.self) else { return [] }
      subject = .paywall(placement, value["feature"] == nil ? nil : request(fields, reader))
    } else if value["feature"] != nil {
      used.formUnion(["feature", "item", "date", "held", "count"])
      guard var asked = request(fields, reader) else { return [] }
      // "level" asks for a level when there is something else to hold, and is the granted level when it stands alone.
      if value.members.contains(where: { ["allowed", "reason", "error"].contains($0.key) }) {
        used.insert("level")
      } else {
        asked.level = nil
      }
      subject = .feature(asked)
    } else if value["product"] != nil {
      used.insert("product")
      guard let product = fields.required("product", as: ProductID.self) else { return [] }
      subject = .product(product)
    } else if let devices = fields.optional("same", as: [String].self) {
      used.insert("same")
      subject = .same(devices)
    } else {
      subject = .world
    }
    var facts: [(name: String, value: ScenarioValue)] = []
    for member in value.members where !used.contains(member.key) {
      guard subject.facts.contains(member.key) else { continue }
      if let fact = fields.value(member.key) {
        reader.markRead(fact)
        facts.append((member.key, ScenarioValue(json: fact)))
      }
    }
    for key in subject.facts { _ = fields.value(key) }
    if facts.isEmpty, case .same = subject {
    } else if facts.isEmpty {
      reader.report("empty-expectation", at: value, "This expects nothing. Name a fact: \(subject.facts.joined(separator: ", ")).")
    }
    return [ScenarioExpectation(subject: subject, facts: facts, device: onDevice, member: whom, line: value.position.line)]
  }
}
