// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// Records of two devices with a line `---` between them, or two records of progress: the order of a merge never matters.
enum MergeInput {
  private static let policy = SyncPolicy(merge: [
    "coins": MergeRule(.max), "stars": MergeRule(.max), "best": MergeRule(.min, above: 0), "done": MergeRule(.or), "first": MergeRule(.min),
  ])

  static func run(_ input: Data) {
    let parts = input.parts
    let (one, other) = (parts[0], parts.count > 1 ? parts[1] : Data())
    // The time that a device has seen is never shared, and moves facts from a wrong future when they are read.
    let (a, b) = (StateInput.state(one.lines).withoutTime, StateInput.state(other.lines).withoutTime)
    let merged = a.merging(b)
    law(merged == b.merging(a), "the order of a merge matters")
    law(merged.merging(b) == merged, "a second merge changes something")
    law(merged.merging(a) == merged, "a merge with what is known changes something")
    law(StateInput.state(StateInput.records(of: merged)) == merged, "a merged state that is written and read is another")
    guard let first = record(one), let second = record(other) else { return }
    // Fails when a field is a date in one record and a number in the other.
    guard let values = try? first.merged(with: second) else { return law((try? second.merged(with: first)) == nil, "one order fails") }
    law((try? second.merged(with: first))?.json == values.json, "the order of records matters")
    law((try? values.merged(with: second))?.json == values.json, "a second merge of records changes something")
  }

  private static func record(_ data: Data) -> ProgressRecord? { try? ProgressRecord(data, policy: policy) }
}

extension CustomerState {
  fileprivate var withoutTime: CustomerState { CustomerState(facts.filter { $0.name != "time" }) }
}
