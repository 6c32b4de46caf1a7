// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// An arm makes a catalog in which all rules hold, so that no customer is left without a catalog.
enum FittingArms: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    // What is wrong with the file itself is reported once, and not for each arm again.
    guard let text = draft.text, !draft.experiments.isEmpty, !draft.reader.diagnostics.contains(where: { $0.severity == .error }) else {
      return
    }
    for experiment in draft.experiments {
      for (index, arm) in experiment.value.arms.enumerated() where experiment.value.running.contains(arm) {
        guard let patch = arm.patch, let wrong = mistake(in: patch, of: text) else { continue }
        let place = experiment.source.at("arms", index, "set")
        draft.reader.report(
          "experiment-arm", at: place,
          "The arm \"\(arm.id)\" makes a catalog that breaks a rule, at \(wrong.path.isEmpty ? "its root" : wrong.path): \(wrong.message)")
      }
    }
  }
  /// The first mistake of the catalog that a patch makes.
  private static func mistake(in patch: String, of text: CatalogSource) -> Diagnostic? {
    do throws(CatalogError) { _ = try text.reading(patches: [patch, #"{ "experiments": null }"#]) } catch {
      return error.diagnostics.first { $0.severity == .error }
    }
    return nil
  }
}
