// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogDraft {
  func checkExperiments() {
    checkVariants()
    for experiment in experiments { checkArms(of: experiment) }
    checkSeparation()
    // Last, because arms are checked only in a file without mistakes.
    checkCatalogs()
  }

  /// A variant must be the same product at another price, so that all customers get the same. Only arms may sell it.
  private func checkVariants() {
    let known = Dictionary(products.map { ($0.value.id, $0) }) { first, _ in first }
    for product in products {
      guard let base = product.value.variantOf else { continue }
      let place = product.source.at("variantOf")
      guard isDeclared(base, .product, at: place), let original = known[base], !isBroken(product.source), !isBroken(original.source)
      else { continue }
      let differs = product.difference(from: original)
      require(
        differs == nil, "variant-differs", at: place,
        "\"\(product.value.id)\" is a variant of \"\(base)\" but has another \(differs ?? ""). Make it equal, or remove \"variantOf\".")
    }
    for experiment in experiments {
      for (index, arm) in experiment.value.arms.enumerated() {
        for (position, id) in arm.products.enumerated() {
          let source = experiment.source.at("arms", index, "products", position)
          guard isDeclared(id, .product, at: source), let product = known[id], !isBroken(product.source) else { continue }
          require(
            product.value.variantOf != nil, "arm-product", at: source,
            "\"\(id)\" is sold in every arm. Name a product that is a \"variantOf\" another, or remove it here.")
        }
      }
    }
  }

  /// An experiment must have arms with unique ids and weights that add up to 1. A stopped one must name one of its arms.
  private func checkArms(of experiment: Placed<Experiment>) {
    let (value, source) = (experiment.value, experiment.source)
    guard isKnown(source, "arms") || !value.arms.isEmpty else { return }
    require(!value.arms.isEmpty, "experiment-arms", at: source.at("arms"), "\"\(value.id)\" has no arm. Add one for each variant.")
    // An arm that cannot be read has an unknown weight and an unknown id.
    guard (source["arms"]?.elements ?? []).allSatisfy({ isKnown($0, "id", "weight") }) else { return }
    let sum = value.arms.reduce(0) { $0 + $1.weight }
    // Three thirds may be written as 0.333.
    require(
      value.arms.isEmpty || abs(sum - 1) < 0.0011, "experiment-weights", at: source.at("arms"),
      "The weights of \"\(value.id)\" add up to \((sum * 10_000).rounded() / 10_000), not to 1. Change one of them.")
    unique(
      value.arms.map(\.id), { "\"\(value.id)\" already has an arm \"\($0)\". Rename one of them." }, at: { source.at("arms", $0, "id") })
    if let stopped = value.stopped, value.arm(named: stopped) == nil {
      reader.reportUnknown("arm", stopped, among: value.arms.map(\.id), at: source.at("stopped"), or: "Name one of its arms.")
    }
  }

  /// Two arms that one customer can have must not set the same value, because their order would decide which one applies.
  private func checkSeparation() {
    guard experiments.count > 1 else { return }
    let changes = experiments.filter { !isBroken($0.source) }.flatMap(\.changes).sorted { $0.path.lexicographicallyPrecedes($1.path) }
    // In this order, the paths inside a value directly follow the value, so each path is compared only with the values that contain it.
    var open: [ArmChange] = []
    for change in changes {
      open.removeAll { !change.path.starts(with: $0.path) }
      if let other = open.first(where: {
        $0.experiment.id != change.experiment.id && $0.experiment.sharesCustomers(with: change.experiment)
      }) {
        reader.report(
          "experiment-path", at: change.place,
          "\"\(other.experiment.id)\" also sets \(other.path.joined(separator: ".")), and a customer can have an arm of both. "
            + "Put both experiments into separate parts of one \"namespace\", or change what one of them sets.")
      }
      open.append(change)
    }
  }

  /// Each arm must make a catalog that satisfies all rules, so that every customer has a valid catalog.
  private func checkCatalogs() {
    // Mistakes of the file itself are reported once, not again for each arm.
    if experiments.isEmpty || reader.diagnostics.contains(where: { $0.severity == .error }) { return }
    for experiment in experiments {
      for (index, arm) in experiment.value.arms.enumerated() where experiment.value.running.contains(arm) {
        guard let patch = arm.patch, let wrong = mistakes(of: patch).first(where: { $0.severity == .error }) else { continue }
        let place = experiment.source.at("arms", index)
        let nearest = place.nearest(to: wrong.path)
        // A mistake in a part of the catalog that the arm does not set is reported with its path there.
        let isInArm = nearest.offset != place.offset
        let part = isInArm ? "" : ", at \(wrong.path.isEmpty ? "its root" : wrong.path)"
        reader.report(
          "experiment-arm", at: isInArm ? nearest : place["set"] ?? place,
          "The arm \"\(arm.id)\" makes a catalog that breaks a rule\(part): \(wrong.message)")
      }
    }
  }

  /// The mistakes that a patch makes, at their places in it.
  private func mistakes(of patch: CatalogPatch) -> [Diagnostic] {
    do throws(CatalogError) {
      _ = try catalog.source.reading(patches: [patch, .withoutExperiments])
      return catalog.source.mistakes(inTextsOf: patch)
    } catch { return error.diagnostics.map { patch.located($0) } }
  }
}

extension CatalogDraft.Placed where Value == CatalogProduct {
  /// The difference between a variant and its product; `nil` when they are equal. The keys of a kind are compared as they are written,
  /// because only the kind defines their meaning.
  fileprivate func difference(from original: CatalogDraft.Placed<CatalogProduct>) -> String? {
    let other = original.value
    if other.variantOf != nil { return "place: a variant of a variant replaces no product. Its base" }
    if value.kindName != other.kindName { return "kind" }
    if value.isFamilyShareable != other.isFamilyShareable { return "\"familyShareable\"" }
    if value.grants != other.grants || value.credits != other.credits { return "grant" }
    if Set(value.entitlements) != Set(other.entitlements) { return "entitlement" }
    if let length = value.kind.length, let theirs = other.kind.length, !length.isSame(as: theirs) { return "period" }
    let (own, others) = (terms, original.terms)
    return Set(own.keys).union(others.keys).sorted().first { own[$0] != others[$0] }.map { "\"\($0)\"" }
  }

  /// The JSON texts of a product's terms, by key. Excludes what identifies and describes a product, what it costs, and keys that are compared
  /// by their meaning. `false` and `null` count as absent.
  private var terms: [String: String] {
    var excluded: Set<String> = [
      "$comment", "id", "variantOf", "name", "description", "referenceName", "price", "onSale", "offers", "kind", "familyShareable",
      "grants", "credits", "entitlements",
    ]
    if value.kind.length != nil { excluded.insert("period") }
    var terms: [String: String] = [:]
    for member in source.members where !excluded.contains(member.key) && !member.value.isNull && member.value.bool != false {
      terms[member.key] = member.value.text()
    }
    return terms
  }
}

/// A value that an arm sets, with its experiment.
private struct ArmChange {
  let path: [String]
  let experiment: Experiment
  let place: JSONValue
}

extension CatalogDraft.Placed where Value == Experiment {
  /// The values that the arms set.
  fileprivate var changes: [ArmChange] {
    var found: [ArmChange] = []
    func look(_ place: JSONValue, _ path: [String]) {
      if place.kind == .object, place.count > 0 {
        for member in place.members where member.key != "$comment" { look(member.value, path + [member.key]) }
      } else {
        found.append(ArmChange(path: path, experiment: value, place: place))
      }
    }
    for (index, arm) in value.arms.enumerated() where value.running.contains(arm) {
      let source = source.at("arms", index)
      if let patch = source["set"] { look(patch, []) }
      if let texts = source["texts"] { look(texts, ["texts"]) }
      for (position, product) in arm.products.enumerated() {
        found.append(ArmChange(path: ["products", product.rawValue], experiment: value, place: source.at("products", position)))
      }
    }
    return found
  }
}
