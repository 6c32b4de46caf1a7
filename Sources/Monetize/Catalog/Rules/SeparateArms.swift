// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Two arms that one customer can have must not set the same value, because their order would decide which one applies.
enum SeparateArms: CatalogRule {
  /// A value that an arm sets, with its experiment.
  private struct Change {
    let path: [String]
    let experiment: Experiment
    let place: JSONValue
  }

  static func check(_ draft: CatalogDraft) {
    guard draft.experiments.count > 1 else { return }
    let changes = draft.experiments.filter { !draft.isBroken($0.source) }.flatMap(changes)
      .sorted { $0.path.lexicographicallyPrecedes($1.path) }
    // In this order, the paths inside a value directly follow the value, so each path is compared only with the values that contain it.
    var open: [Change] = []
    for change in changes {
      open.removeAll { !change.path.starts(with: $0.path) }
      if let other = open.first(where: {
        $0.experiment.id != change.experiment.id && $0.experiment.sharesCustomers(with: change.experiment)
      }) {
        draft.reader.report(
          "experiment-path", at: change.place,
          "\"\(other.experiment.id)\" also sets \(other.path.joined(separator: ".")), and a customer can have an arm of both. "
            + "Put both experiments into separate parts of one \"namespace\", or change what one of them sets.")
      }
      open.append(change)
    }
  }

  private static func changes(of experiment: CatalogDraft.Placed<Experiment>) -> [Change] {
    var found: [Change] = []
    func look(_ value: JSONValue, _ path: [String]) {
      if value.kind == .object, value.count > 0 {
        for member in value.members where member.key != "$comment" { look(member.value, path + [member.key]) }
      } else {
        found.append(Change(path: path, experiment: experiment.value, place: value))
      }
    }
    for (index, arm) in experiment.value.arms.enumerated() where experiment.value.running.contains(arm) {
      let source = experiment.source.at("arms", index)
      if let patch = source["set"] { look(patch, []) }
      for (position, product) in arm.products.enumerated() {
        found.append(Change(path: ["products", product.rawValue], experiment: experiment.value, place: source.at("products", position)))
      }
    }
    return found
  }
}
