// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogReader {
  func readExperiments(_ value: JSONValue?) -> [CatalogDraft.Placed<Experiment>] {
    reader.objects(value, "an object from ids to experiments", "an experiment").map { id, fields in
      let seed = fields.optional("seed") ?? ""
      let experiment = Experiment(
        id: ExperimentID(id), arms: readArms(fields), coverage: fields.optional("coverage") ?? 1, seed: seed.isEmpty ? id : seed,
        namespace: readNamespace(fields.value("namespace")), stopped: fields.optional("stopped"),
        unit: fields.optional("unit") ?? .installation)
      if !(0...1).contains(experiment.coverage) {
        reader.report("bad-value", at: fields.value.at("coverage"), "A coverage must be a share from 0 to 1, such as 0.1 for a tenth.")
      }
      return .init(value: experiment, source: fields.value)
    }
  }

  private func readArms(_ experiment: JSONFields) -> [Experiment.Arm] {
    guard let value = experiment.value("arms", or: "An experiment needs a list of \"arms\". Add it.") else { return [] }
    return reader.elements(value).compactMap { element in
      guard let fields = reader.object(element, "an arm") else { return nil }
      let id = fields.required("id", as: String.self)
      let weight = fields.required("weight", as: Double.self)
      if let weight, !(0...1).contains(weight) {
        reader.report("bad-value", at: element.at("weight"), "A weight must be a share from 0 to 1, such as 0.5 for a half.")
      }
      let products: [ProductID] = fields.optional("products") ?? []
      let patch = CatalogPatch(fields, key: "set", reader)
      guard let id, let weight else { return nil }
      return Experiment.Arm(id: id, weight: weight, products: products, patch: patch)
    }
  }

  /// `["checkout", 0, 0.5]`.
  private func readNamespace(_ value: JSONValue?) -> Experiment.Namespace? {
    guard let value, !value.isNull else { return nil }
    reader.markRead(value)
    let parts = value.elements
    guard parts.count == 3, let id = parts[0].string, let start = parts[1].numberText.flatMap(Double.init),
      let end = parts[2].numberText.flatMap(Double.init), 0 <= start, start < end, end <= 1
    else {
      reader.report("bad-value", at: value, "A namespace needs its name and a part of 0 to 1, such as [\"checkout\", 0, 0.5].")
      return nil
    }
    return Experiment.Namespace(id: id, part: start..<end)
  }
}
