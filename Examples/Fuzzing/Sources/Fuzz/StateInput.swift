// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

/// A state file as its bytes are, and the same lines as records of an app, so that checksums do not keep mutations from the facts.
enum StateInput {
  static func run(_ input: Data) {
    if let file = try? StateFile(input, path: "state") {
      _ = (StateSummary(file).text, StateSummary(file).json, StateVerification(file).text)
      _ = (try? StateExport(file))?.json
      _ = StateExplanation(file, Seeds.catalog, at: CatalogInput.start).text
    }
    let state = state(input.lines)
    law(state.merging(state) == state, "a state merged with itself is another")
    let again = CustomerState(state.facts)
    law(again == state, "the facts of a state make another state")
    law(self.state(records(of: state)) == state, "a state that is written and read is another")
    let snapshot = Snapshot(of: state, catalog: Seeds.catalog, at: CatalogInput.start)
    for feature in Seeds.catalog.features { _ = snapshot.decision(for: feature.id) }
  }

  /// What an app knows after it has read records.
  static func state(_ records: [Data]) -> CustomerState {
    Monetizer(catalog: Seeds.catalog) {
      $0.storage = MemoryStorage(records)
      $0.startsByItself = false
      $0.source = "phone"
      $0.time = ManualClock(CatalogInput.start)
      $0.zone = { Calendar.storeCalendar.timeZone }
    }.state
  }

  static func records(of state: CustomerState) -> [Data] {
    // A fact that cannot be written is a finding: the process ends, and libFuzzer keeps the input.
    // One record: an app makes a few out of many, and adds up old uses then.
    do { return [try JSONEncoder().encode(state.facts)] } catch { fatalError("A fact could not be written: \(error)") }
  }
}

extension CustomerState {
  func merging(_ other: CustomerState) -> CustomerState {
    var merged = self
    merged.merge(other)
    return merged
  }
}
