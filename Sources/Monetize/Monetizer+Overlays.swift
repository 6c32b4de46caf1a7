// SPDX-License-Identifier: Apache-2.0

extension Monetizer {
  /// The catalog as it applies to this customer now, with overlays and arms of experiments.
  public var effectiveCatalog: Catalog { parts.answers.now.catalog }

  /// The ids of the overlays that apply to this customer now: those whose share they belong to, in order.
  public var appliedOverlays: [String] { parts.answers.now.overlays.map(\.id) }

  /// The arm that the customer has of each experiment that they take part in, by the experiment's id.
  public var arms: [ExperimentID: String] { parts.answers.now.arms.mapValues(\.id) }

  /// Applies these overlays, in order, in place of all earlier ones; none takes them all away. Counts and purchases stay as they are.
  ///
  /// Call it with what the app's remote configuration says, at each launch: an overlay is not stored.
  /// - Parameters:
  ///   - overlays: What applies, to those who belong to its share.
  ///   - unit: What names this customer for shares: a device or an account that stays the same. Default: this installation's name, which is
  ///     random and stored, or the configuration's `source`.
  /// - Throws: ``CatalogError`` when an overlay breaks a rule; then everything stays as it was.
  public func apply(_ overlays: [Overlay], for unit: String? = nil) throws(CatalogError) {
    var changed = catalog
    let applied = overlays.filter { $0.includes(unit ?? parts.source.rawValue) }
    for overlay in applied { changed = try changed.applying(overlay) }
    parts.answers.apply(applied, making: changed, arms: parts.answers.now.arms)
    if unit == nil { parts.writer.nameInstallation() }
    parts.answers.announce()
  }
}
