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

extension CustomerState {
  /// The customer's marks of one sort, by name: the highest value of all devices. O(n) in the progress of all members.
  func marks(_ sort: ProgressMark) -> [String: Int] {
    let entries = progress.values.lazy.filter { $0.module == sort.rawValue && $0.subject == .customer }
    return Dictionary(entries.map { ($0.item, $0.value) }, uniquingKeysWith: max)
  }
}
