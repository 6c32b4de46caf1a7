// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// Bedtime stories: two lifetime free stories, and one purchase for all others. `Products/dozzi.json` defines all of it.
public struct Dozzi: Sendable {
  /// The monetizer of the whole app. Screens only read it.
  public let monetizer: Monetizer

  /// Opens the app's catalog.
  /// - Throws: as ``Monetize/Catalog/init(contentsOf:kinds:shapes:)``.
  public init(contentsOf url: URL, _ configure: (inout Monetizer.Configuration) -> Void = { _ in }) throws {
    monetizer = Monetizer(catalog: try Catalog(contentsOf: url), configure)
  }

  /// The present status above the button.
  public var status: CreationStatus { CreationStatus(monetizer.snapshot) }
  /// The present voices.
  public var voices: Voices { Voices(monetizer.snapshot) }

  /// Makes one story. Counts it when it is done, and gives the free story back when the generation fails.
  /// - Parameters:
  ///   - id: The id of the story. A second tap and a retry after a lost answer have the same id and count once.
  ///   - generate: Generates the story. Not called when no story is left.
  public func create<Story>(id: String, _ generate: () async throws -> Story) async -> WorkOutcome<Story> {
    await monetizer.perform(.story, key: id, generate)
  }

  /// Reads the purchases again, silently, after the paywall was closed. Restoring, with the store's prompt, has its own button.
  public func paywallClosed() async { await monetizer.refresh() }

  /// Records the backend's count of this account's free stories. Give `configuration.source` the same name as `account`: both then count
  /// the same stories, and the higher number holds. No count of the backend brings a story back.
  public func backendCounted(_ used: Int, for account: SourceID) async {
    await monetizer.record(ReportedTotal(feature: .story, source: account, amount: used))
  }
}
