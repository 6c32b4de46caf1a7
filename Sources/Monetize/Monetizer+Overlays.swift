// SPDX-License-Identifier: Apache-2.0

extension Monetizer {
  /// The catalog that applies to this customer now: the ``baseCatalog`` with overlays and the arms of experiments.
  public var catalog: Catalog { parts.answers.now.catalog }

  /// The ids of the overlays that apply to this customer now, in order.
  public var appliedOverlays: [String] { parts.answers.now.overlays.map(\.id) }

  /// The customer's arm of each experiment, by the experiment's id.
  public var arms: [ExperimentID: String] { parts.answers.now.arms.mapValues(\.id) }

  /// Applies these overlays, in order, replacing all earlier ones. An empty list removes them all. Counts and purchases stay as they are.
  ///
  /// Overlays are not stored. Call it at each launch with the overlays from the app's remote configuration.
  /// - Parameters:
  ///   - overlays: The overlays. Each applies if the customer belongs to its share.
  ///   - unit: A stable name of this customer, which decides the shares: a device or an account. Default: the random, stored name of this
  ///     installation, or the configuration's `source`.
  /// - Throws: ``CatalogError`` when an overlay breaks a rule. Nothing changes then.
  public func apply(_ overlays: [Overlay], for unit: String? = nil) throws(CatalogError) {
    let applied = overlays.filter { $0.includes(unit ?? parts.source.rawValue) }
    try parts.answers.apply(applied, to: baseCatalog, arms: parts.answers.now.arms)
    if unit == nil { parts.writer.nameInstallation() }
    parts.answers.announce()
  }
}
