// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeJSON

extension StoreKitFile {
  /// A first catalog made from a file, with notes for its author.
  public struct Import: Sendable {
    /// The catalog as valid JSON.
    public let json: String
    /// The names and descriptions in other languages, as tables of texts.
    public let tables: [(language: Language, json: String)]
    /// Things that the file lacks or that a catalog cannot express, each as a sentence that ends with what to do.
    public let notes: [String]
  }

  /// Makes a first catalog with the file's products and one feature for each group of subscriptions and for each other product, with the
  /// same name. The file does not contain free features, limits and amounts of credits; these are left to the author. O(size of the file).
  /// - Parameters:
  ///   - appID: The app's bundle id; `nil` for the common prefix of the product ids.
  ///   - appName: The app's name.
  ///   - currency: The currency of the prices; `nil` for ``currency``.
  ///   - passPeriod: The length of a non-renewing subscription, which the file does not contain.
  public func imported(appID: String? = nil, appName: String, currency: String? = nil, passPeriod: Period = Period(months: 1)) -> Import {
    var file = self
    if let currency { file.currency = currency }
    var maker = StoreKitImport(file: file, passPeriod: passPeriod)
    let catalog = maker.catalog(appID: appID, appName: appName)
    let style = StoreKitStyle.catalog
    return Import(json: style.text(catalog), tables: maker.tables.map { ($0, style.text($1)) }, notes: maker.notes)
  }
}

extension StoreKitStyle {
  /// The layout of catalogs written by hand.
  static var catalog: Self {
    var style = Self.xcode
    style.colon = ": "
    style.emptyArray = Empty(lineEnds: 0)
    style.emptyObject = Empty(lineEnds: 0)
    return style
  }
}

/// One import, which names features and entitlements in the order of products.
struct StoreKitImport {
  let file: StoreKitFile
  let passPeriod: Period
  var notes: [String] = []
  private var currency: String { file.currency }
  private var names = UniqueNames()
  private var features: [StoreKitTree.Member] = []
  private var entitlements: [String: String] = [:]
  private var rights: [StoreKitTree.Member] = []
  /// The levels of each group of subscriptions.
  private var levels: [String: Set<Int>] = [:]
  /// The number of products with each name.
  private var shown: [String: Int] = [:]
  private(set) var tables: [(language: Language, table: StoreKitTree)] = []

  init(file: StoreKitFile, passPeriod: Period) { (self.file, self.passPeriod) = (file, passPeriod) }

  mutating func catalog(appID: String?, appName: String) -> StoreKitTree {
    let found = file.readProducts
    let texts = StoreKitImportedTexts(file, found.map(\.node))
    let read = found.map { product, node in
      (product: file.product(node, in: product.terms?.group, localization: texts.index(of: node)) ?? product, node: node)
    }
    noteFile(read.count)
    for terms in read.compactMap(\.product.terms) { levels[terms.group, default: []].insert(terms.level) }
    for product in read.map(\.product) where product.terms == nil { shown[product.name, default: 0] += 1 }
    var titled: [ProductID: String] = [:]
    let products = read.map { one in
      let count = features.count
      let product = product(one.product, one.node)
      if one.product.terms == nil, features.count > count { titled[one.product.id] = features[count].key }
      return product
    }
    tables = texts.tables(read, titled)
    noteGaps(read)
    let given = appID.flatMap { $0.isEmpty ? nil : $0 }
    let id = given ?? Self.commonID(read.map(\.product.id.rawValue))
    if given == nil {
      notes.append(
        id.map { "The app's id is derived from its products' ids: \($0). Check it." }
          ?? "The file has no app id, and \(Self.placeholder) is a placeholder. Name the app's with --app-id.")
    }
    return .members([
      "schemaVersion": .int(1),
      "app": .members([
        "id": .text(id ?? Self.placeholder), "name": .text(appName.isEmpty ? id ?? Self.placeholder : appName),
        "language": texts.language == .english ? nil : .text(texts.language.rawValue),
      ]),
      "features": .object(features), "freeTier": .members(["grants": .object([])]),
      "entitlements": rights.isEmpty ? nil : .object(rights), "products": .array(products),
      "paywalls": .members(["default": paywall(appName)]), "legal": file.privacyPolicy.map { .members(["privacy": .text($0)]) },
    ])
  }

  private func paywall(_ name: String) -> StoreKitTree {
    .members(["headline": .text(name), "actions": .array(["purchase", "restore", "dismiss"].map(StoreKitTree.text))])
  }

  // MARK: Products

  private mutating func product(_ product: StoreKitFile.Product, _ node: StoreKitTree) -> StoreKitTree {
    let head = StoreKitTree.members([
      "kind": .text(Self.kinds[product.type] ?? "nonConsumable"), "id": .text(product.id.rawValue),
      "referenceName": product.referenceName.map(StoreKitTree.text), "name": .text(product.name),
      "description": product.description.map(StoreKitTree.text),
    ])
    let terms = terms(product)
    let price = StoreKitTree.members(["price": price(of: product), "familyShareable": product.isFamilyShareable ? .bool(true) : nil])
    let gifts = gifts(product)
    noteUnreadOffers(product, node)
    let offers = StoreKitTree.members(["offers": offers(product)])
    return .object([head, terms, price, gifts, offers].flatMap(\.members))
  }

  private static let kinds: [StoreProductType: String] = [
    .consumable: "consumable", .nonConsumable: "nonConsumable", .nonRenewing: "nonRenewing", .autoRenewable: "subscription",
  ]

  private mutating func terms(_ product: StoreKitFile.Product) -> StoreKitTree {
    switch (product.type, product.terms) {
    case (.nonConsumable, _) where product.price == 0:
      guard let trial = TrialName(product.name) else { return .object([]) }
      notes.append("\"\(product.id)\" is read as a free trial of \(trial.length.words). Grant it what the full version gives.")
      return .members(["period": .text(trial.length.description)])
    case (.nonRenewing, _):
      notes.append("The file does not contain the length of \"\(product.id)\"; \(passPeriod) is assumed. Write its \"period\".")
      return .members(["period": .text(passPeriod.description)])
    case (.autoRenewable, let terms?):
      let period = StoreKitWords.sold(terms.period)
      let word = StoreKitWords.text(period)
      if !period.isSame(as: terms.period) {
        notes.append(
          "The App Store sells no subscription for \(StoreKitWords.text(terms.period)), the period of \"\(product.id)\"; \(word) is assumed. "
            + "Write its \"period\".")
      }
      return .members(["group": .text(terms.group), "level": .int(terms.level), "period": .text(word)])
    default: return .object([])
    }
  }

  /// The grants of a purchase: the entitlement of its group, a feature of its own, or credits that the author has to name.
  private mutating func gifts(_ product: StoreKitFile.Product) -> StoreKitTree {
    if product.type == .consumable {
      let hint = "The file does not contain the credits of a purchase. Add a counted feature, such as \"credits\": { \"story\": 10 }."
      return .members(["$comment": .text(hint)])
    }
    guard let group = product.terms?.group else {
      let part = product.id.rawValue.split(separator: ".").last.map(String.init) ?? ""
      let feature = feature(
        product.name, named: [shown[product.name] == 1 ? product.name : nil, product.referenceName, part, product.id.rawValue])
      return .members(["grants": .members([feature: .bool(true)])])
    }
    let entitlement = entitlements[group] ?? addEntitlement(group)
    return .members(["entitlements": .array([.text(entitlement)])])
  }

  private mutating func addEntitlement(_ group: String) -> String {
    let name = feature(group, named: [group, "subscription"])
    entitlements[group] = name
    rights.append(
      .init(key: name, value: .members(["title": .text(group), "grants": .members([name: .bool(true)])])))
    if levels[group, default: []].count > 1 {
      notes.append("All levels of the group \"\(group)\" give the same. Add what the higher ones give.")
    }
    return name
  }

  /// Adds a feature with the first of several names that code can spell.
  private mutating func feature(_ title: String, named candidates: [String?]) -> String {
    let words = candidates.lazy.compactMap { $0.flatMap(Self.words) }.first ?? "unlocked"
    let name = names.unique(words)
    features.append(.init(key: name, value: .members(["title": .text(title)])))
    return name
  }

  /// A name in code for a text, without accents; `nil` for a text with letters of another script, or without any.
  private static func words(_ text: String) -> String? {
    let plain = text.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil).replacingOccurrences(of: "ß", with: "ss")
    guard !plain.contains(where: { !$0.isASCII && $0.isLetter }) else { return nil }
    let words = plain.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { $0.lowercased() }
    let joined = words.enumerated().map { $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    return joined.isEmpty ? nil : joined.first?.isNumber == true ? "feature" + joined : joined
  }

  // MARK: Money

  private mutating func price(of product: StoreKitFile.Product) -> StoreKitTree? {
    guard let amount = product.price else {
      notes.append("\"\(product.id)\" has no readable price. Add \"price\".")
      return nil
    }
    let price = Money(amount: amount, currency: currency)
    if let reason = Self.unpayable(price) {
      notes.append("The price of \"\(product.id)\" is left out: \(reason)")
      return nil
    }
    return Self.tree(price)
  }

  private static func tree(_ price: Money) -> StoreKitTree {
    .members(["amount": .text(price.amountText), "currency": .text(price.currency)])
  }

  /// Why a price is not possible, and what to do; `nil` if it is.
  private static func unpayable(_ price: Money) -> String? {
    if price.isPayable { return nil }
    let decimals = Money.decimals(of: price.currency)
    return "\(price) has more than the \(decimals == 0 ? "no" : "\(decimals)") decimals of its currency. Round it in the file, or name "
      + "the file's currency with --currency."
  }

  private mutating func offers(_ product: StoreKitFile.Product) -> StoreKitTree? {
    let offers = (product.terms?.offers ?? []).compactMap { offer -> StoreKitTree? in
      if let reason = offer.price.flatMap(Self.unpayable) {
        notes.append("\(Self.title(offer.type, offer.id)) of \"\(product.id)\" is left out: \(reason)")
        return nil
      }
      return .members([
        "type": .text(offer.type.rawValue), "mode": .text(offer.mode.rawValue), "id": offer.id.map(StoreKitTree.text),
        "period": .text(StoreKitWords.text(offer.period)), "periods": offer.periods.map(StoreKitTree.int),
        "price": offer.price.map(Self.tree),
      ])
    }
    return offers.isEmpty ? nil : .array(offers)
  }

  static func title(_ type: SubscriptionOffer.OfferType, _ id: String?) -> String {
    type == .introductory ? "The introductory offer" : "The offer \"\(id ?? "")\""
  }

  private static let placeholder = "com.example.app"

  /// The common prefix of all ids, as a bundle id of two or three parts; `nil` for none.
  private static func commonID(_ ids: [String]) -> String? {
    let parts = ids.map { $0.split(separator: ".").map(String.init) }
    guard var common = parts.first else { return nil }
    for other in parts.dropFirst() { common = Array(zip(common, other).prefix { $0 == $1 }.map(\.0)) }
    if ids.count == 1 || common.count == parts.first?.count { common = Array(common.dropLast()) }
    return common.count >= 2 ? common.prefix(3).joined(separator: ".") : nil
  }
}

extension StoreKitTree {
  /// An object with its keys in this order. A member without a value is left out.
  static func members(_ members: KeyValuePairs<String, StoreKitTree?>) -> Self {
    .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }
}

extension StoreKitFile {
  /// The address of the privacy policy; `nil` if the file has no valid one.
  var privacyPolicy: String? {
    let policies = tree["appPolicies"]?["policies"]?.elements ?? []
    guard let text = privacyPolicyIndex.flatMap({ policies[$0]["policyURL"]?.string }), !text.contains(where: \.isWhitespace),
      let parts = URLComponents(string: text), parts.scheme != nil, parts.host?.isEmpty == false
    else { return nil }
    return text
  }
}
