// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeJSON

extension StoreKitFile {
  /// A first catalog made from a file, with notes for its author.
  public struct Import: Sendable {
    /// The catalog as valid JSON.
    public let json: String
    /// Things that the file lacks or that a catalog cannot express, each as a sentence that ends with what to do.
    public let notes: [String]
  }

  /// Makes a first catalog with the file's products and one feature for each group of subscriptions and for each other product, with the
  /// same name. The file does not contain free features, limits and amounts of credits; these are left to the author. O(size of the file).
  /// - Parameters:
  ///   - appID: The app's bundle id; `nil` for the common prefix of the product ids.
  ///   - appName: The app's name.
  ///   - currency: The currency of the prices; `nil` for that of the file's storefront.
  ///   - passPeriod: The length of a non-renewing subscription, which the file does not contain.
  public func imported(appID: String? = nil, appName: String, currency: String? = nil, passPeriod: Period = Period(months: 1)) -> Import {
    var maker = StoreKitImport(file: self, currency: currency ?? self.currency, passPeriod: passPeriod)
    let catalog = maker.catalog(appID: appID, appName: appName)
    let style = StoreKitStyle.catalog
    return Import(json: style.text(catalog), notes: maker.notes)
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
private struct StoreKitImport {
  let file: StoreKitFile
  let currency: String
  let passPeriod: Period
  var notes: [String] = []
  private var names = UniqueNames()
  private var features: [StoreKitTree.Member] = []
  private var entitlements: [String: String] = [:]
  private var rights: [StoreKitTree.Member] = []
  /// The levels of each group of subscriptions.
  private var levels: [String: Set<Int>] = [:]

  init(file: StoreKitFile, currency: String, passPeriod: Period) {
    (self.file, self.currency, self.passPeriod) = (file, currency, passPeriod)
  }

  mutating func catalog(appID: String?, appName: String) -> StoreKitTree {
    let read = file.products
    noteUnread(read)
    for terms in read.compactMap(\.terms) { levels[terms.group, default: []].insert(terms.level) }
    let products = read.map { product($0) }
    let id = appID ?? Self.commonID(read.map(\.id.rawValue))
    if appID == nil { notes.append("The app's id is derived from its products' ids: \(id). Check it.") }
    var members: [(String, StoreKitTree)] = [
      ("schemaVersion", .int(1)), ("app", .members([("id", .text(id)), ("name", .text(appName))])), ("features", .object(features)),
      ("freeTier", .members([("grants", .object([]))])),
    ]
    if !rights.isEmpty { members.append(("entitlements", .object(rights))) }
    members.append(("products", .array(products)))
    members.append(("paywalls", .members([("default", paywall(appName))])))
    if let privacy = file.privacyPolicy { members.append(("legal", .members([("privacy", .text(privacy))]))) }
    return .members(members)
  }

  private func paywall(_ name: String) -> StoreKitTree {
    .members([("headline", .text(name)), ("actions", .array(["purchase", "restore", "dismiss"].map(StoreKitTree.text)))])
  }

  private mutating func noteUnread(_ read: [StoreKitFile.Product]) {
    let all = StoreKitLists(file.tree).entries.count
    if all > read.count {
      let number = all - read.count
      notes.append("\(number) \(number == 1 ? "product" : "products") could not be read. Run `monetize storekit check` on the file.")
    }
  }

  // MARK: Products

  private mutating func product(_ product: StoreKitFile.Product) -> StoreKitTree {
    let kind = Self.kinds[product.type] ?? "nonConsumable"
    var members: [(String, StoreKitTree)] = [("kind", .text(kind)), ("id", .text(product.id.rawValue))]
    if let reference = product.referenceName { members.append(("referenceName", .text(reference))) }
    members.append(("name", .text(product.name)))
    if let description = product.description { members.append(("description", .text(description))) }
    members += terms(product)
    if let price = price(product.price, of: product.id) { members.append(("price", price)) }
    if product.isFamilyShareable { members.append(("familyShareable", .bool(true))) }
    members += gifts(product)
    if let offers = offers(product) { members.append(("offers", offers)) }
    return .members(members)
  }

  private static let kinds: [StoreProductType: String] = [
    .consumable: "consumable", .nonConsumable: "nonConsumable", .nonRenewing: "nonRenewing", .autoRenewable: "subscription",
  ]

  private mutating func terms(_ product: StoreKitFile.Product) -> [(String, StoreKitTree)] {
    switch (product.type, product.terms) {
    case (.nonRenewing, _):
      notes.append("The file does not contain the length of \"\(product.id)\"; \(passPeriod) is assumed. Write its \"period\".")
      return [("period", .text(passPeriod.description))]
    case (.autoRenewable, let terms?):
      let known = StoreKitWords.periods.compactMap(Period.init)
      let isSold = known.contains(where: terms.period.isSame)
      if !isSold {
        notes.append(
          "The App Store sells no subscription for \(terms.period), the period of \"\(product.id)\"; P1M is assumed. Write its \"period\".")
      }
      let period = isSold ? StoreKitWords.text(terms.period) : "P1M"
      return [("group", .text(terms.group)), ("level", .int(terms.level)), ("period", .text(period))]
    default: return []
    }
  }

  /// The grants of a purchase: the entitlement of its group, a feature of its own, or credits that the author has to name.
  private mutating func gifts(_ product: StoreKitFile.Product) -> [(String, StoreKitTree)] {
    if product.type == .consumable {
      let hint = "The file does not contain the credits of a purchase. Add a counted feature, such as \"credits\": { \"story\": 10 }."
      return [("$comment", .text(hint))]
    }
    guard let group = product.terms?.group else {
      let feature = feature(named: product.name, or: product.id.rawValue)
      return [("grants", .members([(feature, .bool(true))]))]
    }
    let entitlement = entitlements[group] ?? addEntitlement(group)
    return [("entitlements", .array([.text(entitlement)]))]
  }

  private mutating func addEntitlement(_ group: String) -> String {
    let name = feature(named: group, or: "subscription")
    entitlements[group] = name
    rights.append(
      .init(key: name, value: .members([("title", .text(group)), ("grants", .members([(name, .bool(true))]))])))
    if levels[group, default: []].count > 1 {
      notes.append("All levels of the group \"\(group)\" give the same. Add what the higher ones give.")
    }
    return name
  }

  /// Adds a feature with a name that is valid in code.
  private mutating func feature(named title: String, or fallback: String) -> String {
    let words = Self.words(title).isEmpty ? Self.words(fallback) : Self.words(title)
    let name = names.unique(words.isEmpty ? "unlocked" : words)
    features.append(.init(key: name, value: .members([("title", .text(title.isEmpty ? fallback : title))])))
    return name
  }

  private static func words(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { $0.lowercased() }
    let joined = words.enumerated().map { $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    return joined.first?.isNumber == true ? "feature" + joined : joined
  }

  // MARK: Money

  private mutating func price(_ amount: Decimal?, of id: ProductID) -> StoreKitTree? {
    guard let amount else {
      notes.append("\"\(id)\" has no readable price. Add \"price\".")
      return nil
    }
    let price = Money(amount: amount, currency: currency)
    if !price.isPayable {
      notes.append("\"\(id)\" costs \(Money.text(amount)), which is not possible in \(currency). Add the file's currency: --currency.")
      return nil
    }
    return .members([("amount", .text(price.amountText)), ("currency", .text(currency))])
  }

  private mutating func offers(_ product: StoreKitFile.Product) -> StoreKitTree? {
    let offers = (product.terms?.offers ?? []).compactMap { offer -> StoreKitTree? in
      var members: [(String, StoreKitTree)] = [("type", .text(offer.type.rawValue)), ("mode", .text(offer.mode.rawValue))]
      if let id = offer.id { members.append(("id", .text(id))) }
      members.append(("period", .text(StoreKitWords.text(offer.period))))
      if let periods = offer.periods { members.append(("periods", .int(periods))) }
      if let amount = offer.price?.amount {
        guard let price = price(amount, of: product.id) else { return nil }
        members.append(("price", price))
      }
      return .members(members)
    }
    return offers.isEmpty ? nil : .array(offers)
  }

  /// The common prefix of all ids, as a bundle id: at least two parts, else a placeholder.
  private static func commonID(_ ids: [String]) -> String {
    let parts = ids.map { $0.split(separator: ".").map(String.init) }
    guard var common = parts.first else { return "com.example.app" }
    for other in parts.dropFirst() { common = Array(zip(common, other).prefix { $0 == $1 }.map(\.0)) }
    if ids.count == 1 || common.count == parts.first?.count { common = Array(common.dropLast()) }
    return common.count >= 2 ? common.prefix(3).joined(separator: ".") : "com.example.app"
  }
}

extension StoreKitTree {
  /// An object with its keys in this order.
  fileprivate static func members(_ members: [(String, StoreKitTree)]) -> Self { .object(members.map { Member(key: $0.0, value: $0.1) }) }
}

extension StoreKitFile {
  /// The address of the privacy policy; `nil` if the file has no valid one.
  var privacyPolicy: String? {
    guard let text = tree["appPolicies"]?["policies"]?.elements.first?["policyURL"]?.string, !text.contains(where: \.isWhitespace),
      let parts = URLComponents(string: text), parts.scheme != nil, parts.host?.isEmpty == false
    else { return nil }
    return text
  }
}
