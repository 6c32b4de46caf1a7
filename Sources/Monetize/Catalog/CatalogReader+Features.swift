// SPDX-License-Identifier: Apache-2.0

extension CatalogReader {
  /// Reads features: the wholes first, because the parts take their shape from them.
  func readFeatures(_ value: JSONValue?) -> [CatalogDraft.Placed<Feature>] {
    guard let value else { return [] }
    guard let object = reader.object(value, "an object from ids to features") else { return [] }
    var wholes: [FeatureID: any AllowanceShape] = [:]
    var found: [(place: Int, feature: CatalogDraft.Placed<Feature>)] = []
    var parts: [(place: Int, member: JSONMember, fields: JSONFields, whole: FeatureID)] = []
    for (place, member) in value.members.enumerated() where member.key != "$comment" {
      _ = object.value(member.key)
      guard let fields = reader.object(member.value, "a feature") else { continue }
      if fields.value("of") != nil {
        if let whole = fields.required("of", as: FeatureID.self) { parts.append((place, member, fields, whole)) }
        continue
      }
      let shape = readShape(fields, member.value) ?? AccessShape()
      let feature = feature(member, fields, shape: shape, part: nil)
      wholes[feature.value.id] = shape
      found.append((place, feature))
    }
    for (place, member, fields, whole) in parts {
      guard let shape = wholes[whole] else {
        let guess = closestMatch(to: whole.rawValue, in: wholes.keys.map(\.rawValue).sorted())
        reader.report(
          .error, "unknown-feature", at: fields.value("of") ?? member.value,
          "This is a part of \"\(whole)\", which is no whole feature."
            + didYouMean(guess, or: "Declare it under \"features\", without an \"of\" of its own."))
        reader.markRead(member.value)
        // It counts as declared all the same, so that what refers to it is not reported as well.
        found.append((place, feature(member, fields, shape: AccessShape(), part: nil)))
        continue
      }
      var amount = Granted.unlimited
      if let atLeast = fields.value("atLeast") {
        amount = GrantReader.amount(atLeast, shape: shape, reader) ?? .unlimited
      } else {
        reader.report(.error, "missing-key", at: member.value, "A part says how much of \"\(whole)\" it takes. Add \"atLeast\".")
      }
      found.append((place, feature(member, fields, shape: shape, part: Feature.Part(whole: whole, atLeast: amount))))
    }
    return found.sorted { $0.place < $1.place }.map(\.feature)
  }

  private func readShape(_ fields: JSONFields, _ value: JSONValue) -> (any AllowanceShape)? {
    let name = fields.optional("allowance", as: String.self) ?? AccessShape.name
    guard let type = shapes[name] else {
      let fix = didYouMean(
        closestMatch(to: name, in: shapes.names),
        or: "Known are \(shapes.names.joined(separator: ", ")). Register your own with `shapes: .standard.adding(…)`.")
      reader.report(.error, "unknown-allowance", at: fields.value("allowance") ?? value, "There is no allowance \"\(name)\"." + fix)
      reader.markRead(value)
      return nil
    }
    return reader.collect(at: value) { try type.init(from: $0) }
  }

  private func feature(_ member: JSONMember, _ fields: JSONFields, shape: any AllowanceShape, part: Feature.Part?)
    -> CatalogDraft.Placed<Feature>
  {
    let content = Feature.Content(
      id: FeatureID(member.key), title: fields.optional("title") ?? member.key, shape: shape, part: part,
      collections: fields.optional("in"),
      unit: fields.optional("unit"), release: fields.optional("release"), roles: fields.optional("roles"),
      placement: fields.optional("placement"), unlockMessage: fields.optional("unlockMessage"), description: fields.optional("description"),
      aliases: fields.optional("aliases") ?? [], survivesReinstall: fields.optional("survivesReinstall") ?? false)
    return .init(value: Feature(content), source: member.value)
  }
}

/// Reads objects from features to amounts, each amount by the shape of its feature.
struct GrantReader {
  let reader: JSONReader
  private let shapes: [FeatureID: any AllowanceShape]
  private let parts: [FeatureID: FeatureID]
  private let aliases: [FeatureID: FeatureID]

  init(reader: JSONReader, features: [Feature]) {
    self.reader = reader
    shapes = Dictionary(features.map { ($0.id, $0.shape) }) { first, _ in first }
    parts = Dictionary(features.compactMap { feature in feature.part.map { (feature.id, $0.whole) } }) { first, _ in first }
    aliases = Dictionary(features.flatMap { feature in feature.aliases.map { ($0, feature.id) } }) { first, _ in first }
  }

  mutating func read(_ value: JSONValue?) -> [FeatureID: Granted] {
    guard let value, let fields = reader.object(value, "an object from features to amounts") else { return [:] }
    var grants: [FeatureID: Granted] = [:]
    for member in value.members where member.key != "$comment" {
      guard let amount = fields.value(member.key) else { continue }
      let named = FeatureID(member.key)
      // A feature's own name comes before an alias of another.
      let id = shapes[named] == nil ? aliases[named] ?? named : named
      guard let shape = shapes[id] else {
        reader.markRead(amount)
        let guess = closestMatch(to: id.rawValue, in: shapes.keys.map(\.rawValue).sorted())
        reader.report(
          .error, "unknown-feature", atKey: member,
          "There is no feature \"\(id)\"." + didYouMean(guess, or: "Declare it under \"features\"."))
        continue
      }
      if let whole = parts[id] {
        reader.markRead(amount)
        reader.report(
          .error, "grant-of-part", atKey: member,
          "\"\(id)\" is a part of \"\(whole)\" and opens with it. Grant an amount of \"\(whole)\" instead.")
        continue
      }
      guard let granted = Self.amount(amount, shape: shape, reader) else { continue }
      // Under its name and under an alias: which of both counts must not depend on their order.
      if grants.updateValue(granted, forKey: id) != nil {
        reader.report(.error, "repeated-id", atKey: member, "\"\(id)\" is granted here already under another name. Remove one of them.")
      }
    }
    return grants
  }

  /// One amount. `"unlimited"` is the framework's own word and the top of every shape.
  static func amount(_ value: JSONValue, shape: any AllowanceShape, _ reader: JSONReader) -> Granted? {
    if value.string == "unlimited" {
      reader.markRead(value)
      return .unlimited
    }
    return reader.collect(at: value) { decoder in try shape.grant(from: decoder) as any Allowance }.map(Granted.limited)
  }
}
