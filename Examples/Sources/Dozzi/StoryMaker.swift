// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// Makes stories, within what the customer has.
public struct StoryMaker: Sendable {
  /// How a tap on "Create" ended.
  public enum Creation<Story: Sendable>: Sendable {
    /// Here it is; it counts.
    case story(Story)
    /// Nothing is left, and a parent passed the gate: show the paywall, and buy with its pass. Nothing was generated.
    case paywall(Paywall, GatePass?)
    /// Nothing is left, and nobody passed the gate: show nothing.
    case gateFailed
    /// Closed, and no paywall helps now: the store is asked, or a purchase waits for approval.
    case closed(Reason)
    /// The generation failed. It cost nothing; try again with the same id.
    case failed(any Error)
  }

  /// Who answers, sells and remembers.
  public let monetizer: Monetizer

  /// Makes a maker.
  public init(_ monetizer: Monetizer) { self.monetizer = monetizer }

  /// Makes one story: counts it when it is there, and gives the free story back when the generation fails.
  /// - Parameters:
  ///   - id: Names the story. A second tap and a retry after a lost answer have the same id and count once.
  ///   - generate: Generates it. Not called when nothing is left.
  public func create<Story: Sendable>(id: String, _ generate: () async throws -> Story) async -> Creation<Story> {
    while true {
      do {
        return .story(try await monetizer.withSpending(.story, key: id, generate))
      } catch is AccessDenied {
        switch await monetizer.open(AccessRequest(.story)) {
        // Bought in the meantime.
        case .content: continue
        case .paywall(let paywall, let pass): return .paywall(paywall, pass)
        case .gateFailed: return .gateFailed
        case .denied(let decision): return .closed(decision.reason)
        }
      } catch { return .failed(error) }
    }
  }
}
