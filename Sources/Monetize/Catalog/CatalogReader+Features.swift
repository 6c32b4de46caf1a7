// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogReader {
  private typealias PartSource = (index: Int, member: JSONMember, fields: JSONFields, whole: FeatureID)

  /// Reads features, wholes first, because parts take their shape from them.
  /// - Returns: The features whose shape could not be read. Their amounts are not checked.
  func readFeatures(_ value: JSONValue?, _ draft: CatalogDraft) -> Set<FeatureID> {
    var wholes: [FeatureID: Feature] = [:]
    var unreadable: Set<FeatureID> = []
    var found: [(index: Int, feature: CatalogDraft.Placed<Feature>)] = []
    var parts: [PartSource] = []
    for (index, member) in reader.members(value, "an object from ids to features").enumerated() {
      let id = FeatureID(member.key)
      unreadable.insert(id)
      guard let fields = reader.object(member.value, "a feature") else { continue }
      if fields.value("of") != nil {
        guard let whole = fields.required("of", as: FeatureID.self) else {
          reader.markRead(member.value)
          continue
        }
        unreadable.remove(id)
        parts.append((index, member, fields, whole))
        continue
      }
      let shape = readShape(fields, member.value)
      let feature = feature(member, fields, shape: shape ?? AccessShape())
      if shape != nil {
        wholes[id] = feature.value
        unreadable.remove(id)
      }
      found.append((index, feature))
    }
    found += readParts(parts, wholes, &unreadable)
    draft.features = found.sorted { $0.index < $1.index }.map(\.feature)
    return unreadable
  }

  private func readParts(
    _ parts: [PartSource], _ wholes: [FeatureID: Feature], _ unreadable: inout Set<FeatureID>
  ) -> [(index: Int, feature: CatalogDraft.Placed<Feature>)] {
    let names = Set(parts.map(\.member.key))
    return parts.map { index, member, fields, name in
      let whole = wholes[name]
      if whole == nil {
        if !unreadable.contains(name) { reportNoWhole(name, isPart: names.contains(name.rawValue), among: wholes.keys, at: fields) }
        if !names.contains(name.rawValue) { unreadable.insert(name) }
        unreadable.insert(FeatureID(member.key))
        reader.markRead(member.value)
      }
      let part = whole.map { Feature.Part(whole: name, atLeast: readAmount(fields, of: $0)) }
      // Without its whole it still counts as declared, so that references to it are not reported as well.
      return (index, feature(member, fields, shape: whole?.shape ?? AccessShape(), part: part, whole: whole))
    }
  }

  private func reportNoWhole(_ name: FeatureID, isPart: Bool, among wholes: some Sequence<FeatureID>, at fields: JSONFields) {
    let (place, known) = (fields.value.at("of"), wholes.map(\.rawValue).sorted())
    if !isPart { return reader.reportUnknown("feature", name.rawValue, among: known, at: place) }
    let fix = didYouMean(
      reader.suggestion(for: name.rawValue, among: known), or: "Declare it under \"features\", without an \"of\" of its own.")
    reader.report("unknown-feature", at: place, "This is a part of \"\(name)\", which is not a whole feature.\(fix)")
  }

  /// The amount of a whole that opens its part.
  private func readAmount(_ part: JSONFields, of whole: Feature) -> Granted {
    let amount = part.value("atLeast", or: "A part needs the amount of \"\(whole.id)\" that opens it. Add \"atLeast\".")
    return amount.flatMap { GrantReader.amount($0, shape: whole.shape, reader) } ?? .unlimited
  }

  /// Keys that have no meaning without an allowance, with the allowances that read them.
  private static let counted: [String: (all: String, first: String)] = [
    "per": (all: "\"count\" and \"duration\"", first: CountShape.name), "levels": ("\"level\"", LevelShape.name),
    "in": ("\"items\", \"prerequisite\" and \"coins\"", ItemsShape.name),
  ]

  private func readShape(_ fields: JSONFields, _ value: JSONValue) -> (any AllowanceShape)? {
    if reader.reportMisspelt("allowance", in: value) { return nil }
    let allowance = fields.value("allowance").flatMap { $0.isNull ? nil : $0 }
    if allowance == nil, let member = value.members.first(where: { Self.counted[$0.key] != nil }), let needed = Self.counted[member.key] {
      // The meaning of the grants is not known, and the amounts are not checked.
      reader.markRead(value)
      reader.report(
        "unknown-key", at: member, "\"\(member.key)\" belongs to \(needed.all). Add \"allowance\": \"\(needed.first)\", or remove it.")
      return nil
    }
    guard allowance == nil || fields.optional("allowance", as: String.self) != nil else {
      reader.markRead(value)
      return nil
    }
    let name = allowance?.string ?? AccessShape.name
    guard let type = source.shapes[name] else {
      let fix = "Known names: \(source.shapes.names.joined(separator: ", ")). Register your own with `shapes: .standard.adding(…)`."
      reader.reportUnknown("allowance", name, among: source.shapes.names, at: allowance ?? value, or: fix)
      reader.markRead(value)
      return nil
    }
    return reader.collect(at: value) { try type.init(from: $0) }
  }

  private func feature(
    _ member: JSONMember, _ fields: JSONFields, shape: any AllowanceShape, part: Feature.Part? = nil, whole: Feature? = nil
  ) -> CatalogDraft.Placed<Feature> {
    let own = source.conditions.all.compactMap { type -> (any Condition)? in
      fields.value(type.name).flatMap { value in value.isNull ? nil : reader.collect(at: value) { try type.init(from: $0) as any Condition }
      }
    }
    let all = own + (whole?.conditions ?? [])
    let feature = Feature(
      id: FeatureID(member.key), title: fields.optional("title") ?? member.key, shape: shape, part: part,
      collections: fields.optional("in") ?? whole?.collections, unit: fields.optional("unit") ?? whole?.unit,
      // In the registry's order, which decides the reason.
      conditions: source.conditions.all.flatMap { sort in all.filter { type(of: $0) == sort } },
      placement: fields.optional("placement"), unlockMessage: fields.optional("unlockMessage"), description: fields.optional("description"),
      aliases: fields.optional("aliases") ?? [], survivesReinstall: fields.optional("survivesReinstall") ?? false)
    return .init(value: feature, source: member.value)
  }
}

/// Reads objects from features to amounts. The shape of the feature decodes each amount.
struct GrantReader {
  let reader: JSONReader
  private let features: [FeatureID: CatalogDraft.Placed<Feature>]
  private let aliases: [FeatureID: FeatureID]
  private let unreadable: Set<FeatureID>
  /// Whether all feature names are known. If not, unknown names are not reported.
  private let areNamesKnown: Bool

  init(reader: JSONReader, features: [CatalogDraft.Placed<Feature>], unreadable: Set<FeatureID>, section: Set<String>?) {
    self.reader = reader
    self.unreadable = unreadable
    areNamesKnown = section != nil && !features.contains { feature in feature.source["aliases"].map(reader.hasErrors(in:)) ?? false }
    self.features = Dictionary(features.map { ($0.value.id, $0) }) { first, _ in first }
    aliases = Dictionary(features.flatMap { feature in feature.value.aliases.map { ($0, feature.value.id) } }) { first, _ in first }
  }

  func read(_ value: JSONValue?) -> [FeatureID: Granted] {
    guard let value, let fields = reader.object(value, "an object from features to amounts") else { return [:] }
    var grants: [FeatureID: Granted] = [:]
    for member in value.members where member.key != "$comment" {
      guard let amount = fields.value(member.key), let feature = feature(member) else { continue }
      let id = feature.id
      if let whole = feature.part?.whole {
        reader.markRead(amount)
        reader.report(
          "grant-of-part", at: member, "\"\(id)\" is a part of \"\(whole)\" and opens with it. Grant an amount of \"\(whole)\" instead.")
        continue
      }
      guard let granted = Self.amount(amount, shape: feature.shape, reader) else { continue }
      // Granted under both its name and an alias. A repeated key has the value of the first one.
      if grants.updateValue(granted, forKey: id) != nil, amount == member.value {
        reader.report("repeated-id", at: member, "\"\(id)\" is already granted here under another name. Remove one of them.")
      }
    }
    return grants
  }

  /// Finds the feature that a member names, by name or alias. Returns `nil` when there is none, which is reported, or when the feature could
  /// not be read, which was reported before.
  func feature(_ member: JSONMember) -> Feature? {
    let named = FeatureID(member.key)
    // A feature's own name takes precedence over an alias of another feature.
    let id = features[named] == nil ? aliases[named] ?? named : named
    if !unreadable.contains(id), let feature = features[id] { return feature.value }
    reader.markRead(member.value)
    if areNamesKnown, !unreadable.contains(id) {
      reader.reportUnknown("feature", id.rawValue, among: features.keys.map(\.rawValue).sorted(), at: member)
    }
    return nil
  }

  /// Reads one amount. `"unlimited"` is reserved by the framework and is the top of every shape.
  static func amount(_ value: JSONValue, shape: any AllowanceShape, _ reader: JSONReader) -> Granted? {
    if value.string == "unlimited" { return .unlimited }
    return reader.collect(at: value) { decoder in try shape.grant(from: decoder) as any Allowance }.map(Granted.limited)
  }
}
