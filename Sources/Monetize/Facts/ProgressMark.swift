// SPDX-License-Identifier: Apache-2.0

/// Monetize's own progress values of a customer: steps of the onboarding, prompts, milestones. Kept and merged like the app's progress, by
/// the higher value, under module names that no app can use.
package enum ProgressMark: String, Sendable {
  case onboarding = "monetize.onboarding"
  case prompts = "monetize.prompts"
  case milestones = "monetize.milestones"
}

extension ProgressEntry {
  init(mark: String, in sort: ProgressMark, source: SourceID, value: Int) {
    self.init(module: sort.rawValue, item: mark, field: "mark", source: source, rule: MergeRule(.max), value: value)
  }
}
