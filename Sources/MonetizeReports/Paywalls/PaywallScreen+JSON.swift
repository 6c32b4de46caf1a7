// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
public import MonetizePaywalls

extension PaywallScreen {
  /// The screen as JSON, with the names of the model's properties. Omits absent values.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try? encoder.encode(ScreenJSON(self))
    return data.map { String(decoding: $0, as: UTF8.self) + "\n" } ?? "{}\n"
  }
}

private struct ScreenJSON: Encodable {
  struct Benefit: Encodable {
    let icon: String?
    let title: String
    let description: String?
    let features: [FeatureID]
  }
  struct Option: Encodable {
    let product, sort, name: String
    let price, cadence, priceText, pricePerMonth: String?
    let savingPercent: Int?
    let saving, trial, offerEnds, note, renewal, cancellation: String?
    let startsFree, isSelected: Bool
    let accessibilityLabel: String
  }
  struct Action: Encodable {
    let action, label: String
    let isPrimary, isEnabled: Bool
    let accessibilityLabel: String
  }
  struct Link: Encodable { let label, url: String }

  let placement, language, phase: String
  let isRightToLeft: Bool
  let title, greeting, headline, subtitle, benefitsTitle, message, purchaseNote: String?
  let benefits: [Benefit]
  let options: [Option]
  let actions: [Action]
  let trust, disclosures: [String]
  let links: [Link]

  init(_ screen: PaywallScreen) {
    (placement, language, phase) = (screen.placement.rawValue, screen.language.rawValue, screen.phase.rawValue)
    isRightToLeft = screen.isRightToLeft
    (title, greeting, headline, subtitle) = (screen.title, screen.greeting, screen.headline, screen.subtitle)
    (benefitsTitle, message, purchaseNote) = (screen.benefitsTitle, screen.message, screen.purchaseNote)
    benefits = screen.benefits.map { Benefit(icon: $0.icon, title: $0.title, description: $0.description, features: $0.features) }
    options = screen.options.map {
      Option(
        product: $0.id.rawValue, sort: $0.sort.rawValue, name: $0.name, price: $0.price, cadence: $0.cadence, priceText: $0.priceText,
        pricePerMonth: $0.pricePerMonth, savingPercent: $0.savingPercent, saving: $0.saving, trial: $0.trial,
        offerEnds: $0.offerEnds.map { ISODate.text($0) }, note: $0.note, renewal: $0.renewal, cancellation: $0.cancellation,
        startsFree: $0.startsFree, isSelected: $0.isSelected, accessibilityLabel: $0.accessibilityLabel)
    }
    actions = screen.actions.map {
      Action(
        action: $0.id.rawValue, label: $0.label, isPrimary: $0.isPrimary, isEnabled: $0.isEnabled,
        accessibilityLabel: $0.accessibilityLabel)
    }
    (trust, disclosures) = (screen.trust, screen.disclosures)
    links = screen.links.map { Link(label: $0.label, url: $0.url) }
  }
}
