// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// A paywall that the app shows by itself, without a tap on a locked feature, such as a hint when a free limit is reached.
public struct Prompt: Sendable, Hashable {
  /// The paywall.
  public let paywall: Paywall
  /// Whether the customer can close it and continue with the free features; `false` for a placement whose `prompt` is `hard`.
  public let isSoft: Bool
}

/// The number of times that a prompt was shown, and the last time.
struct PromptHistory {
  let count: Int
  let last: Date?

  /// Whether a frequency allows another prompt at `now`.
  func allows(_ frequency: PromptFrequency?, at now: Date) -> Bool {
    guard let frequency else { return true }
    if let most = frequency.atMost, count >= most { return false }
    guard let pause = frequency.every, let last else { return true }
    return pause.added(to: last, in: .storeCalendar) <= now
  }
}

extension Monetizer {
  /// The prompt of a placement that no feature leads to; `nil` in any of these cases:
  /// - the catalog names no `prompt` for the placement, or its `frequency` is used up,
  /// - nothing that the customer lacks is on sale, or the owned products are unknown,
  /// - within five minutes after a milestone such as a rating request.
  public func prompt(at placement: PlacementID) -> Prompt? {
    let snapshot = snapshot
    // A subscriber gets no prompt for another plan that gives nothing more.
    guard let paywall = snapshot.paywall(at: placement),
      paywall.products.compactMap(snapshot.catalog.product).contains(where: snapshot.givesMore)
    else { return nil }
    return prompt(paywall)
  }

  /// The prompt for a request that the customer is about to make; `nil` as for ``prompt(at:)``, in a demo, and when the request is allowed:
  /// the app shows its value first, and a paywall only when a free limit is reached.
  public func prompt(for request: AccessRequest, by member: Member = .customer) -> Prompt? {
    // A demo has no paywall.
    prompt(self.as(member).access(to: request).paywall)
  }

  private func prompt(_ paywall: Paywall?) -> Prompt? {
    guard let paywall, let style = paywall.definition.prompt, !hasJustHappened(.milestoneReached),
      promptHistory(of: paywall.placement).allows(paywall.definition.frequency, at: now)
    else { return nil }
    return Prompt(paywall: paywall, isSoft: style != "hard")
  }

  /// Shows a prompt: records it, and handles it like a tap, with the parental gate first if the catalog has one.
  public func open(_ prompt: Prompt, by member: Member = .customer) async -> Opening {
    let history = promptHistory(of: prompt.paywall.placement)
    // Seconds since 2001 fit into the 32 bits of an `Int` on an Apple Watch.
    let seconds = Int(now.timeIntervalSinceReferenceDate)
    let name = prompt.paywall.placement.rawValue
    _ = await mark(["count \(name)": history.count + 1, "at \(name)": seconds], in: .prompts)
    if let request = prompt.paywall.request { return await self.as(member).open(request) }
    return await openPaywall(at: prompt.paywall.placement)
  }

  private func promptHistory(of placement: PlacementID) -> PromptHistory {
    let marks = marks(.prompts)
    let last = marks["at \(placement)"].map { Date(timeIntervalSinceReferenceDate: Double($0)) }
    return PromptHistory(count: marks["count \(placement)"] ?? 0, last: last)
  }
}
