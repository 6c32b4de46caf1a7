// SPDX-License-Identifier: Apache-2.0

extension Monetizer {
  /// The catalog as it applies to this customer now, overlays included.
  public var effectiveCatalog: Catalog { parts.answers.now.catalog }

  /// The ids of the overlays that apply to this customer now: those whose share they belong to, in order.
  public var appliedOverlays: [String] { parts.answers.now.overlays }

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
    parts.answers.change { state in
      (state.catalog, state.overlays) = (changed, applied.map(\.id))
      state.changed()
    }
    if unit == nil { parts.writer.nameInstallation() }
    parts.answers.announce()
  }
}
