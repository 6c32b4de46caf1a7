// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// Bedtime stories: two for free, ever; one purchase for all others. Everything about that is in `Products/dozzi.json`.
public struct Dozzi: Sendable {
  /// Who answers, sells and remembers: one for the whole app. Screens only look at it.
  public let monetizer: Monetizer

  /// Opens the app's catalog.
  /// - Throws: as ``Monetize/Catalog/init(contentsOf:kinds:shapes:)``.
  public init(contentsOf url: URL, _ configure: (inout Monetizer.Configuration) -> Void = { _ in }) throws {
    monetizer = Monetizer(catalog: try Catalog(contentsOf: url), configure)
  }

  /// What stands above the button now.
  public var status: CreationStatus { CreationStatus(monetizer.snapshot) }
  /// The voices now.
  public var voices: Voices { Voices(monetizer.snapshot) }

  /// Makes one story: counts it when it is there, and gives the free story back when the generation fails.
  /// - Parameters:
  ///   - id: Names the story. A second tap and a retry after a lost answer have the same id and count once.
  ///   - generate: Generates it. Not called when nothing is left.
  public func create<Story>(id: String, _ generate: () async throws -> Story) async -> WorkOutcome<Story> {
    await monetizer.perform(.story, key: id, generate)
  }

  /// The paywall was closed: what is owned is read again, silently. Restoring, with the store's prompt, is for its own button only.
  public func paywallClosed() async { await monetizer.refresh() }

  /// The backend says how many free stories this account has used. Give `configuration.source` the same name as `account`, so that both count
  /// the same stories and the higher number holds; nothing that it says brings a story back.
  public func backendCounted(_ used: Int, for account: SourceID) async {
    await monetizer.record(UsageTotal(feature: .story, source: account, amount: used))
  }
}
