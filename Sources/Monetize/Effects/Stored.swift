// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The start of a monetizer: the facts of both storages, and what has to be written about them.
struct Stored: Sendable {
  private(set) var facts: CustomerState
  let journal: Journal
  private(set) var isDamaged = false
  /// Whether to record the damage. A storage that could not be read at all is left unchanged, because it may be readable next time.
  private(set) var recordsDamage = false
  /// Whether a storage could not be read, such as a file on a locked device. It is read again later.
  let isUnread: Bool
  /// The key of the uses that close features in this run.
  let closingKey: String

  /// - Parameter known: The journal of a start at which a storage could not be read.
  init(_ configuration: MonetizeConfiguration, _ catalog: Catalog, run: String, known: Journal? = nil) {
    let secure = SecureState(configuration.secureStorage, catalog: catalog, sorts: configuration.facts)
    journal = known ?? Journal(storage: configuration.storage, secureCopy: secure?.copy, sorts: configuration.facts)
    let loaded = journal.load()
    closingKey = "damage-\(run)"
    isUnread = !loaded.isReadable || secure?.loaded.isReadable == false
    if loaded.isReadable { journal.begin(with: loaded) }
    facts = loaded.state
    secure?.exchange(with: &facts, journal)
    facts.release(besides: run, in: configuration.storage, configuration.facts, at: configuration.time.now)
    if loaded.isDamaged {
      let safe = secure?.loaded.isDamaged == false ? secure?.features ?? [] : []
      close(configuration, catalog, run, isReadable: loaded.isReadable) { !safe.contains($0) }
    } else if let secure, secure.loaded.isDamaged, loaded.state.isEmpty {
      // The app may have been reinstalled, so the earlier uses are unknown.
      close(configuration, catalog, run, isReadable: secure.loaded.isReadable, where: secure.features.contains)
    }
  }

  /// Closes features whose uses are unknown, by a use of `Use.unknownAmount` each. The journal writes them with the next record, which
  /// replaces the damaged file.
  private mutating func close(
    _ configuration: MonetizeConfiguration, _ catalog: Catalog, _ run: String, isReadable: Bool, where isUnknown: (FeatureID) -> Bool
  ) {
    isDamaged = true
    let now = max(configuration.time.now, facts.time[0]?.latest ?? .distantPast)
    var uses: [Fact] = []
    for feature in catalog.features where type(of: feature.shape).isMetered && feature.part == nil && isUnknown(feature.id) {
      let (day, zone) = feature.shape.day(in: AllowanceContext(now: now, zone: configuration.zone(), usage: UsageTotals()))
      uses.append(
        .use(
          Use(
            key: closingKey, feature: feature.id, subject: .everyone,
            source: configuration.source ?? SourceID(facts.installation[0]?.id ?? run), amount: Use.unknownAmount,
            date: now, day: day, zone: zone.identifier, run: run)))
    }
    facts.insert(contentsOf: uses)
    guard isReadable, !uses.isEmpty else { return }
    recordsDamage = true
    journal.hold(uses, forSecureCopy: uses.filter { journal.secureCopy?.keeps($0) == true })
  }
}
