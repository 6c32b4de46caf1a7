// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Fetches remote configuration, such as from the app's own server. The core has no network code.
///
/// ```swift
/// struct MyServer: OverlayProvider {
///   func overlays() async throws -> Data { try await client.get("/overlays") }
/// }
/// ```
public protocol OverlayProvider: Sendable {
  /// Fetches a list of overlays as JSON: `[{ "id": "five-stories", "patch": { … } }]`. An empty list takes all overlays away.
  func overlays() async throws -> Data
}
