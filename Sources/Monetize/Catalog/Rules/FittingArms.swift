// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// Each arm must make a catalog that satisfies all rules, so that every customer has a valid catalog.
enum FittingArms: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    // Mistakes of the file itself are reported once, not again for each arm.
    if draft.experiments.isEmpty || draft.reader.diagnostics.contains(where: { $0.severity == .error }) { return }
    for experiment in draft.experiments {
      for (index, arm) in experiment.value.arms.enumerated() where experiment.value.running.contains(arm) {
        guard let patch = arm.patch, let wrong = mistake(in: patch, of: draft.catalog.source) else { continue }
        let place = experiment.source.at("arms", index, "set")
        draft.reader.report(
          "experiment-arm", at: place,
          "The arm \"\(arm.id)\" makes a catalog that breaks a rule, at \(wrong.path.isEmpty ? "its root" : wrong.path): \(wrong.message)")
      }
    }
  }
  /// The first mistake of the catalog with a patch applied.
  private static func mistake(in patch: String, of text: CatalogSource) -> Diagnostic? {
    do throws(CatalogError) { _ = try text.reading(patches: [patch, CatalogSource.withoutExperiments]) } catch {
      return error.diagnostics.first { $0.severity == .error }
    }
    return nil
  }
}
