// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogReader {
  func readExperiments(_ value: JSONValue?) -> [CatalogDraft.Placed<Experiment>] {
    reader.members(value, "an object from ids to experiments").compactMap { member in
      guard let fields = reader.object(member.value, "an experiment") else { return nil }
      let arms = readArms(fields.value("arms"), of: member.value)
      let coverage = fields.optional("coverage", as: Double.self) ?? 1
      if !(0...1).contains(coverage) {
        reader.report("bad-value", at: member.value.at("coverage"), "A coverage must be a share from 0 to 1, such as 0.1 for a tenth.")
      }
      let experiment = Experiment(
        id: ExperimentID(member.key), arms: arms, coverage: coverage,
        seed: fields.optional("seed").flatMap { (seed: String) in seed.isEmpty ? nil : seed } ?? member.key,
        namespace: readNamespace(fields.value("namespace")), stopped: fields.optional("stopped"),
        unit: fields.optional("unit") ?? .installation)
      return .init(value: experiment, source: member.value)
    }
  }

  private func readArms(_ value: JSONValue?, of experiment: JSONValue) -> [Experiment.Arm] {
    guard let value else {
      if reader.reportMisspelt("arms", in: experiment) { return [] }
      reader.report("missing-key", at: experiment, "An experiment needs a list of \"arms\". Add it.")
      return []
    }
    return reader.elements(value).compactMap { element in
      guard let fields = reader.object(element, "an arm") else { return nil }
      let id = fields.required("id", as: String.self)
      let weight = fields.required("weight", as: Double.self)
      if let weight, !(0...1).contains(weight) {
        reader.report("bad-value", at: element.at("weight"), "A weight must be a share from 0 to 1, such as 0.5 for a half.")
      }
      let products = fields.optional("products", as: [ProductID].self) ?? []
      let patch = fields.value("set")
      if let patch { Overlay.check(patch, reader) }
      guard let id, let weight else { return nil }
      return Experiment.Arm(id: id, weight: weight, products: products, patch: patch?.text())
    }
  }

  /// `["checkout", 0, 0.5]`.
  private func readNamespace(_ value: JSONValue?) -> Experiment.Namespace? {
    guard let value, !value.isNull else { return nil }
    let parts = value.kind == .array ? value.elements : []
    guard parts.count == 3, let id = parts[0].string, let start = parts[1].numberText.flatMap(Double.init),
      let end = parts[2].numberText.flatMap(Double.init), 0 <= start, start < end, end <= 1
    else {
      reader.markRead(value)
      reader.report(
        "bad-value", at: value, "A namespace needs its name and a part of 0 to 1, such as [\"checkout\", 0, 0.5].")
      return nil
    }
    reader.markRead(value)
    return Experiment.Namespace(id: id, part: start..<end)
  }
}
