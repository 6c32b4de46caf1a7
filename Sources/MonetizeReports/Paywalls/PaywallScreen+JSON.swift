// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
public import MonetizePaywalls
import MonetizeTools

extension PaywallScreen {
  /// The screen as JSON, with the names of the model's properties. Omits absent values.
  public var json: String {
    let benefits = benefits.map {
      ["icon": $0.icon, "title": $0.title, "description": $0.description, "features": $0.features] as ToolObject
    }
    let actions = actions.map { action -> ToolObject in
      [
        "action": action.id.rawValue, "label": action.label, "isPrimary": action.isPrimary, "isEnabled": action.isEnabled,
        "accessibilityLabel": action.accessibilityLabel,
      ]
    }
    let screen: ToolObject = [
      "placement": placement, "language": language.rawValue, "phase": phase.rawValue, "isRightToLeft": isRightToLeft, "title": title,
      "greeting": greeting, "headline": headline, "subtitle": subtitle, "benefitsTitle": benefitsTitle, "message": message,
      "purchaseNote": purchaseNote, "benefits": benefits, "options": options.map(Self.object), "actions": actions, "trust": trust,
      "disclosures": disclosures, "links": links.map { ["label": $0.label, "url": $0.url] },
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(screen)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? "{}\n"
  }

  private static func object(_ option: PaywallOption) -> ToolObject {
    [
      "product": option.id, "sort": option.sort.rawValue, "name": option.name, "badge": option.badge, "price": option.price,
      "cadence": option.cadence, "priceText": option.priceText, "pricePerMonth": option.pricePerMonth,
      "savingPercent": option.savingPercent, "saving": option.saving,
      "trial": option.trial, "offerEnds": option.offerEnds.map { ISODate.text($0) }, "note": option.note, "renewal": option.renewal,
      "cancellation": option.cancellation, "startsFree": option.startsFree, "isSelected": option.isSelected,
      "accessibilityLabel": option.accessibilityLabel,
    ]
  }
}
