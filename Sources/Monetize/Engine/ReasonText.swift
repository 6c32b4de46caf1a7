// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Decision {
  /// Describes the decision in a short English sentence, for logs, the command line and VoiceOver labels without a text of the app.
  ///
  /// Never contains a price, because prices for people come from the store.
  /// - Parameters:
  ///   - feature: The feature of the request, for its title and units.
  ///   - zone: The time zone of the dates in the text.
  public func text(for feature: Feature?, zone: TimeZone = .current) -> String {
    let title = feature?.title ?? "This"
    if reason == .unknownFeature { return "There is no such feature." }
    let sentence = feature.flatMap { own(for: $0) } ?? denial(of: feature, zone) ?? "not available (\(reason))."
    return "\(title): \(sentence)"
  }

  /// The text of the feature's own conditions or allowance, if there is one.
  private func own(for feature: Feature) -> String? {
    feature.conditions.lazy.compactMap { isAllowed ? nil : $0.text(for: reason) }.first ?? feature.shape.text(for: verdict)
  }

  private func denial(of feature: Feature?, _ zone: TimeZone) -> String? {
    func time(_ date: Date) -> String {
      let text = ISODate.text(date, in: .storeCalendar(in: zone)).replacingOccurrences(of: "T", with: " ")
      return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    }
    func amount(_ number: Int) -> String { feature?.words(for: number) ?? "\(number)" }
    // A count above the limit does not fit after a reset either.
    let fits = (verdict.asked ?? 1) <= limit ?? .max
    let until = fits ? resetsAt.map { " \(reset) \(time($0))." } ?? "" : ""
    let helps = buyingHelps ? " A purchase opens more." : ""
    switch reason {
    case .limitReached:
      if let left = remaining, left > 0, let asked = verdict.asked {
        return "\(amount(left)) left, but \(amount(asked)) requested.\(until)\(helps)"
      }
      if !fits, let asked = verdict.asked { return "at most \(amount(limit ?? 0)), but \(amount(asked)) requested.\(helps)" }
      let all = amount(limit ?? 0)
      let isOne = all == "1" || all.hasPrefix("1 ")
      return (isOne ? "the limit of \(all) is used up." : "all \(all) are used up.") + until + helps
    case .capacity: return "you already have \(used ?? 0) of \(amount(limit ?? 0)).\(helps)"
    case .outsideWindow: return "nothing older than \(cutoff.map(time) ?? "the limit") is shown.\(helps)"
    case .requiresPurchase: return "opens with a purchase."
    case .pending: return "a purchase waits for approval."
    case .unknown: return "waiting for the store's answer."
    case .storeUnreachable: return "the store could not be reached. Try again when there is a connection."
    case .requiresCompletion: return "complete \(requires?.item ?? "the previous item") first."
    case .requiresParent: return "only a parent can open this."
    case .requiresRole: return "not available to this person."
    case .insufficientCoins: return "\(balance ?? 0) of \(price ?? 0) coins."
    case .notAvailable: return "not available yet."
    case .parentalLimit: return "a parent's limit is reached.\(until)"
    case .notRecorded: return "it could not be recorded on this device. Free some space and try again."
    case .handedOver: return "another account has signed in."
    case .notOffered: return "not offered here."
    case .unknownItem: return "there is no such item."
    case .unknownLevel: return "there is no such level."
    case .heldMissing: return "the question needs the number that exists already; the limit is \(amount(limit ?? 0))."
    default: return isAllowed ? allowance(of: feature, amount) : nil
    }
  }

  /// The words before ``resetsAt``.
  private var reset: String { measure?.isRolling == true ? "More is possible from" : "The count starts again at" }

  private func allowance(of feature: Feature?, _ amount: (Int) -> String) -> String {
    // A part is all-or-nothing: its amount is a limit rather than a balance.
    if feature?.part != nil { return limit.map { "\(amount($0))." } ?? "open." }
    if let remaining { return "\(amount(remaining)) remaining." }
    return limit == nil && feature.map({ type(of: $0.shape).isMetered }) == true ? "unlimited." : "open."
  }
}
