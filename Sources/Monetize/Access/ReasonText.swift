// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Decision {
  /// The decision in a short English sentence, for logs, the command line and VoiceOver labels that an app has not written itself.
  ///
  /// It never names a price: what a person sees as a price comes from the store.
  /// - Parameters:
  ///   - feature: The feature that was asked about, for its words.
  ///   - zone: The zone of the times in the text.
  public func text(for feature: Feature?, zone: TimeZone = .current) -> String {
    let title = feature?.title ?? "This"
    func time(_ date: Date) -> String {
      String(Instant.text(date, in: Instant.calendar(zone)).replacingOccurrences(of: "T", with: " ").dropLast(3))
    }
    func amount(_ number: Int) -> String { "\(number)" + (feature?.unit.map { " \($0.word(for: number))" } ?? "") }
    let until = resetsAt.map { " It starts again at \(time($0))." } ?? ""
    let helps = buyingHelps ? " A purchase opens more." : ""
    switch reason {
    case .limitReached: return "\(title): all \(amount(limit ?? 0)) are used up.\(until)\(helps)"
    case .capacity: return "\(title): \(used ?? 0) of \(amount(limit ?? 0)) exist already.\(helps)"
    case .outsideWindow: return "\(title): only what is newer than \(cutoff.map(time) ?? "the limit") is shown.\(helps)"
    case .requiresPurchase: return "\(title): opens with a purchase."
    case .pending: return "\(title): a purchase waits for approval."
    case .unknown: return "\(title): the store is being asked."
    case .storeUnreachable: return "\(title): the store could not be reached. Try again when there is a connection."
    case .requiresCompletion: return "\(title): complete \(requires?.item ?? "what comes before") first."
    case .requiresParent: return "\(title): for a parent."
    case .requiresRole: return "\(title): not for this person."
    case .insufficientCoins: return "\(title): \(balance ?? 0) of \(price ?? 0) coins."
    case .notAvailable: return "\(title): not available yet."
    case .parentalLimit: return "\(title): a parent's limit is reached.\(until)"
    case .handedOver: return "\(title): somebody else has signed in."
    case .notOffered: return "\(title): not offered here."
    case .unknownFeature: return "There is no such feature."
    case .unknownItem: return "\(title): there is no such item."
    case .unknownLevel: return "\(title): there is no such level."
    default:
      guard isAllowed else { return "\(title): not available (\(reason))." }
      if let remaining { return "\(title): \(amount(remaining)) remaining." }
      return limit == nil && feature.map({ type(of: $0.shape).isMetered }) == true ? "\(title): unlimited." : "\(title): open."
    }
  }
}
