// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// Reports names that the app uses and the catalog lacks, each once. A misspelt feature stays closed, and nothing else shows why.
final class UnknownNames: Sendable {
  private let catalog: Catalog
  private let handler: (@Sendable (String) -> Void)?
  private let reported = Locked<Set<String>>([])

  init(_ catalog: Catalog, _ handler: (@Sendable (String) -> Void)?) { (self.catalog, self.handler) = (catalog, handler) }

  func look(at feature: FeatureID) {
    guard handler != nil, catalog.feature(feature) == nil else { return }
    miss("feature", feature.rawValue, catalog.features.flatMap(\.names).map(\.rawValue))
  }

  func look(at entitlement: EntitlementID) {
    guard handler != nil, catalog.entitlement(entitlement) == nil else { return }
    miss("entitlement", entitlement.rawValue, catalog.entitlements.map(\.id.rawValue))
  }

  private func miss(_ sort: String, _ name: String, _ known: [String]) {
    let mend = known.isEmpty ? "It has none." : "Known names: \(known.sorted().prefix(20).joined(separator: ", "))."
    report("The catalog of \(catalog.app.id) has no \(sort) \"\(name)\"." + didYouMean(closestMatch(to: name, in: known), or: mend))
  }

  func report(_ sentence: String) {
    guard let handler, reported.withLock({ $0.insert(sentence).inserted }) else { return }
    handler(sentence)
  }

  #if DEBUG
    static let standard: (@Sendable (String) -> Void)? = { FileHandle.standardError.write(Data("Monetize: \($0)\n".utf8)) }
  #else
    static let standard: (@Sendable (String) -> Void)? = nil
  #endif
}
