// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// An experiment must have arms with unique ids and weights that add up to 1. A stopped one must name one of its arms.
enum RunnableExperiments: CatalogRule {
  /// The allowed difference of the sum of weights from 1, for three thirds written as 0.333.
  private static let tolerance = 0.0011

  static func check(_ draft: CatalogDraft) {
    for experiment in draft.experiments {
      let (value, source) = (experiment.value, experiment.source)
      guard draft.isKnown(source, "arms") || !value.arms.isEmpty else { continue }
      draft.require(
        !value.arms.isEmpty, "experiment-arms", at: source.at("arms"), "\"\(value.id)\" has no arm. Add one for each variant.")
      // An arm that cannot be read has an unknown weight and an unknown id.
      guard (source["arms"]?.elements ?? []).allSatisfy({ draft.isKnown($0, "id", "weight") }) else { continue }
      let sum = value.arms.reduce(0) { $0 + $1.weight }
      draft.require(
        value.arms.isEmpty || abs(sum - 1) < tolerance, "experiment-weights", at: source.at("arms"),
        "The weights of \"\(value.id)\" add up to \((sum * 10_000).rounded() / 10_000), not to 1. Change one of them.")
      draft.unique(
        value.arms.map(\.id), { "\"\(value.id)\" already has an arm \"\($0)\". Rename one of them." }, at: { source.at("arms", $0, "id") })
      if let stopped = value.stopped, value.arm(named: stopped) == nil {
        draft.reader.reportUnknown("arm", stopped, among: value.arms.map(\.id), at: source.at("stopped"), or: "Name one of its arms.")
      }
    }
  }
}
