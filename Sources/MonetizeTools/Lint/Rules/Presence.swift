// SPDX-License-Identifier: Apache-2.0
import Monetize

/// Things that must be present in an app that sells something.
extension LintRule {
  static let presence = [
    restoreMissing, purchaseMissing, sellsNothing, promptWithoutEnd, promptWithoutFrequency, termsMissing, privacyMissing,
    addressNotHTTPS, renewalMissing, cancellationMissing, legalUnneeded,
  ]

  private static let restoreMissing = LintRule(
    "restore-missing", source: "App Review guideline 3.1.1", sections: []
  ) { subject in
    // A consumable cannot be restored.
    guard subject.products.contains(where: { $0.product.storeType != .consumable }) else { return [] }
    return subject.places { surface in
      let isMain = surface.placement == .default || surface.placement == .settings
      return (isMain || surface.actions.contains("purchase")) && !surface.actions.contains("restore")
    }.map { LintMistake(at: $0, "Customers cannot restore purchases here. Add \"restore\" to \"actions\".") }
  }

  private static let purchaseMissing = LintRule(
    "purchase-missing", source: "Docs/Guides/Paywalls.md", sections: ["products"]
  ) { subject in
    if subject.onSale.isEmpty { return [] }
    let known = [PaywallAction.restore, .manage, .redeem, .dismiss].map(\.rawValue)
    // An action of the app's own may buy.
    return subject.places { surface in
      surface.placement != .settings && surface.actions.allSatisfy(known.contains)
    }.map { LintMistake(at: $0, "Customers cannot buy anything here. Add \"purchase\" or \"upgrade\" to \"actions\".") }
  }

  private static let sellsNothing = LintRule(
    "paywall-sells-nothing", source: "App Review guideline 2.1", sections: ["products"]
  ) { subject in
    let offered = Set(subject.catalog.products.filter { $0.isOnSale && $0.variantOf == nil }.map(\.id.rawValue))
    return subject.paywalls.compactMap { _, place in
      guard let products = place["products"], products.value.kind == .array, offered.isDisjoint(with: products.strings) else { return nil }
      return LintMistake(
        at: products, "Nothing in this list is on sale, so the paywall is not shown. Name a product on sale, or remove \"products\".")
    }
  }

  private static let promptWithoutEnd = LintRule(
    "prompt-without-dismiss", .warning, source: "Docs/Guides/Catalog.md, paywalls", sections: []
  ) {
    subject in
    // Settings inherit a prompt that the app never shows there.
    let soft = subject.surfaces.filter { $0.definition?.prompt == "soft" && $0.placement != .settings }
    return soft.filter { !$0.actions.contains("dismiss") }.map {
      LintMistake(at: $0.place, "A soft prompt is one that customers can close. Add \"dismiss\" to \"actions\", or write \"hard\".")
    }
  }

  private static let promptWithoutFrequency = LintRule(
    "prompt-without-frequency", .warning, source: "App Review guideline 5.6, Human Interface Guidelines", sections: []
  ) { subject in
    subject.surfaces.compactMap { surface in
      guard let definition = surface.definition, definition.prompt != nil,
        let place = subject.root["paywalls"]?[surface.placement.rawValue],
        definition.frequency?.every == nil, definition.frequency?.atMost == nil
      else { return nil }
      // What a placement inherits is reported where it is written.
      guard surface.placement == .default || place["prompt"] != nil else { return nil }
      return LintMistake(
        at: place.at("prompt"),
        "This prompt appears each time the app asks for it, also seconds after the last one. Add \"frequency\": { \"every\": \"P3D\" }.")
    }
  }

  /// Requires a text or an address under `legal` that is not blank.
  private static func legal(
    _ key: String, _ what: String, source: String, when isNeeded: @escaping @Sendable (LintSubject) -> Bool = { _ in true }
  ) -> LintRule {
    LintRule(.init(rawValue: "\(key)-missing"), source: source, sections: []) { subject in
      let text = subject.root["legal"]?[key]?.string
      guard isNeeded(subject), text?.allSatisfy(\.isWhitespace) ?? true else { return [] }
      return [LintMistake(at: subject.root.at("legal", key), "\(what) Add \"\(key)\" under \"legal\".")]
    }
  }

  private static let termsMissing = legal(
    "terms", "An app with purchases needs a link to its terms of use.",
    source: "App Review guideline 3.1.2(c), Schedule 2 of the Developer Program License Agreement", when: { !$0.products.isEmpty })
  private static let privacyMissing = legal(
    "privacy", "Every app needs a link to its privacy policy.", source: "App Review guideline 5.1.1(i)")
  private static let renewalMissing = legal(
    "renewal", "An app with subscriptions needs a text about renewal.", source: "App Review guideline 3.1.2(c), Schedule 2",
    when: \.sellsSubscriptions)
  private static let cancellationMissing = legal(
    "cancellation", "An app with subscriptions needs a text about cancellation.", source: "App Review guideline 3.1.2(c), Schedule 2",
    when: \.sellsSubscriptions)

  private static let addressNotHTTPS = LintRule("address-not-https", source: "App Transport Security", sections: []) { subject in
    [subject.root["legal"]?["terms"], subject.root["legal"]?["privacy"], subject.root["server"]?["url"]].compactMap { place in
      guard let place, let text = place.string, !text.isEmpty, !text.lowercased().hasPrefix("https://") else {
        return nil
      }
      return LintMistake(
        at: place, "\"\(text)\" is not a secure web address. Write one that begins with https://.")
    }
  }

  private static let legalUnneeded = LintRule("legal-without-subscription", source: "App Review guideline 2.3.1", sections: ["products"]) {
    subject in
    guard !subject.sellsSubscriptions, let legal = subject.root["legal"] else { return [] }
    return ["renewal", "cancellation"].compactMap { key in
      legal[key].map {
        LintMistake(at: $0, "Nothing in this app renews, so \"\(key)\" would only worry customers. Remove it.")
      }
    }
  }
}

extension LintSubject {
  fileprivate typealias Surface = (placement: PlacementID, definition: PaywallDefinition?, actions: [String], place: LintPlace)

  /// The places of the actions of some paywalls, each once.
  fileprivate func places(_ isMeant: (Surface) -> Bool) -> [LintPlace] {
    var seen: Set<Int> = []
    return surfaces.filter(isMeant).map(\.place).filter { seen.insert($0.value.offset).inserted }
  }

  /// The paywalls whose actions can be read, with the place of the actions: a placement without any inherits those of `default`, and what is
  /// missing there is missing once. Where `default` has none either, the usual ones apply.
  fileprivate var surfaces: [Surface] {
    let inherited = root["paywalls"]?["default"]?["actions"]
    // The key of a broken paywall's actions may be misspelt.
    let isReadable = { (placement: PlacementID) in catalog.paywalls[placement] != nil }
    let isDefaultReadable = !paywalls.contains { $0.placement == .default } || isReadable(.default)
    return paywalls.compactMap { placement, place in
      guard place["actions"] != nil || isReadable(placement) && (inherited != nil || isDefaultReadable) else { return nil }
      let actions = place["actions"] ?? (placement == .default ? nil : inherited)
      let usual = PaywallDefinition.usualActions.map(\.rawValue)
      return (placement, catalog.paywall(placement), actions?.strings ?? usual, actions ?? root["paywalls"]?["default"] ?? place)
    }
  }
}
