// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The result of fetching remote configuration. Closed.
public enum OverlayRefresh: Sendable, Hashable {
  /// The fetched overlays apply, and are kept for the next launch.
  case applied
  /// Fetching failed. The previous overlays still apply.
  case unreachable
  /// The fetched overlays break a rule. The previous overlays still apply.
  case refused([Diagnostic])
}

extension Monetizer {
  /// Applies the overlays that were kept at `file`, if any. Reads a small file and does no network access, so it may be called before the first
  /// screen. A missing file, or one that no longer fits the catalog, changes nothing.
  public func applyKeptOverlays(from file: URL, for unit: String? = nil) {
    guard let data = try? Data(contentsOf: file), let overlays = try? Overlay.list(json: data) else { return }
    try? apply(overlays, for: unit)
  }

  /// Fetches overlays, applies them, and keeps them at `file`. The previous overlays apply in the meantime, so a launch is never blocked. A
  /// failed fetch and overlays that break a rule change nothing.
  ///
  /// ```swift
  /// await monetizer.refreshOverlays(keepingAt: file) { try await client.get("/overlays") }
  /// ```
  /// - Parameters:
  ///   - file: The file of the last good overlays, for ``applyKeptOverlays(from:for:)``.
  ///   - unit: A stable name of this customer, which decides the shares: see ``apply(_:for:)``.
  ///   - fetch: Fetches a list of overlays as JSON, such as from the app's own server: `[{ "id": "five-stories", "patch": { … } }]`. An empty
  ///     list takes all overlays away.
  @discardableResult
  public func refreshOverlays(
    keepingAt file: URL, for unit: String? = nil, _ fetch: () async throws -> Data
  ) async -> OverlayRefresh {
    guard let data = try? await fetch() else { return .unreachable }
    do throws(CatalogError) { try apply(Overlay.list(json: data), for: unit) } catch { return .refused(error.diagnostics) }
    try? data.write(to: file, options: .atomic)
    return .applied
  }
}
