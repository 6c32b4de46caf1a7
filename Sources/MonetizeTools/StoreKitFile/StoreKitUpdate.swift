// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// One update of a file. Values are read by the rules of the import, and equal values are not written, so that an export onto an imported
/// file changes nothing.
struct StoreKitUpdate {
  let file: StoreKitFile
  let catalog: Catalog
  private var texts: StoreKitTexts
  private(set) var tree: StoreKitTree
  private(set) var differences: [StoreKitDifference] = []
  private var lists: StoreKitLists
  private var places: [ProductID: Place] = [:]
  /// The products whose place holds a readable one.
  private var readable: Set<ProductID> = []
  /// The first group of each name and each id.
  private var groups: [String: Int] = [:]
  private var moved: Set<Place> = []
  private var identifiers: Set<String> = []
  private var needed: StoreKitFile.Version?

  /// The place of a product: a plain list, or a group.
  private struct Place: Hashable {
    var isGroup: Bool
    var list: Int
    var index: Int
  }

  init(_ file: StoreKitFile, _ catalog: Catalog, _ texts: StoreKitTexts) {
    let file = file.selling(catalog)
    (self.file, self.catalog, self.texts, tree, lists) = (file, catalog, texts, file.tree, StoreKitLists(file.tree))
    for (list, nodes) in lists.products.enumerated() { note(nodes, list, group: nil) }
    for (list, group) in lists.groups.enumerated() {
      note(group.subscriptions, list, group: group.name)
      for name in Self.names(of: group) where groups[name] == nil { groups[name] = list }
    }
    noteIdentifiers(tree)
  }

  /// Notes the place of each product: of several with one id the first that can be read, as in an import.
  private mutating func note(_ nodes: [StoreKitTree], _ list: Int, group: String?) {
    for (index, node) in nodes.enumerated() {
      guard let id = node["productID"]?.string.map(ProductID.init(rawValue:)), !readable.contains(id) else { continue }
      let isReadable = file.product(node, in: group) != nil
      if isReadable { readable.insert(id) }
      if isReadable || places[id] == nil { places[id] = Place(isGroup: group != nil, list: list, index: index) }
    }
  }

  private mutating func noteIdentifiers(_ tree: StoreKitTree) {
    for member in tree.members {
      if ["internalID", "id", "identifier"].contains(member.key), let text = member.value.string { identifiers.insert(text) }
      noteIdentifiers(member.value)
    }
    for element in tree.elements { noteIdentifiers(element) }
  }

  mutating func run() {
    let sold = catalog.products.filter { $0.storeType != .none }
    for product in sold { put(product) }
    let known = Set(sold.map(\.id))
    for entry in lists.entries {
      guard let id = entry.node["productID"]?.string.map(ProductID.init(rawValue:)), !known.contains(id) else { continue }
      differences.append(.init(code: "not-in-catalog", product: id, offer: nil, catalog: nil, file: entry.node["type"]?.string))
    }
    if !moved.isEmpty { removeMoved() }
    lists.put(into: &tree)
    putPrivacy()
    raiseVersion()
  }

  // MARK: Products

  private mutating func put(_ product: CatalogProduct) {
    guard let place = places[product.id] else {
      guard product.isOnSale else { return }
      report("not-in-file", product, StoreKitWords.word(for: product.storeType), nil)
      let locale = tree["settings"]?["_locale"]?.string ?? catalog.language.storeLocale
      var node = StoreKitTree.sorted([
        "productID": .text(product.id.rawValue), "internalID": .text(identifier("product", product.id.rawValue)),
        "localizations": .array([.localization(locale)]),
      ])
      change(&node, to: product, isNew: true)
      return append(node, product)
    }
    var node = place.isGroup ? lists.groups[place.list].subscriptions[place.index] : lists.products[place.list][place.index]
    let isMoved = isMisplaced(product, node, at: place)
    change(&node, to: product, isNew: false, group: place.isGroup ? lists.groups[place.list].name : nil)
    if isMoved {
      moved.insert(place)
      append(node, product)
    } else if place.isGroup {
      lists.groups[place.list].subscriptions[place.index] = node
    } else {
      lists.products[place.list][place.index] = node
    }
  }

  /// Whether a product is in the wrong list for the catalog's type or group.
  private mutating func isMisplaced(_ product: CatalogProduct, _ node: StoreKitTree, at place: Place) -> Bool {
    let group = place.isGroup ? lists.groups[place.list] : nil
    guard let group, let wanted = product.subscription?.group else {
      let belongs = product.storeType == .nonRenewing ? 1 : 0
      return place.isGroup != (product.subscription != nil)
        || (file.product(node, in: nil)?.type != product.storeType && place.list != belongs)
    }
    if Self.names(of: group).contains(wanted) { return false }
    report("group-mismatch", product, wanted, group.name)
    return true
  }

  private static func names(of group: StoreKitLists.Group) -> [String] {
    [group.name, group.node["name"]?.string, group.node["id"]?.string].compactMap { $0 }
  }

  private mutating func append(_ node: StoreKitTree, _ product: CatalogProduct) {
    guard let terms = product.subscription else {
      let isPass = product.storeType == .nonRenewing
      if isPass { need(.init(major: 1, minor: 1)) }
      return lists.products[isPass ? 1 : 0].append(node)
    }
    var node = node
    let index = groups[terms.group] ?? addGroup(terms.group)
    node["subscriptionGroupID"] = lists.groups[index].node["id"] ?? .text(terms.group)
    lists.groups[index].subscriptions.append(node)
  }

  private mutating func addGroup(_ name: String) -> Int {
    let node = StoreKitTree.sorted([
      "id": .text(identifier("group", name)), "localizations": .array([]), "name": .text(name), "subscriptions": .array([]),
    ])
    for name in [name, node["id"]?.string].compactMap({ $0 }) where groups[name] == nil { groups[name] = lists.groups.count }
    lists.groups.append(.init(node: node, subscriptions: [], name: name))
    return lists.groups.count - 1
  }

  private mutating func removeMoved() {
    func kept(_ nodes: [StoreKitTree], isGroup: Bool, _ list: Int) -> [StoreKitTree] {
      nodes.enumerated().filter { !moved.contains(Place(isGroup: isGroup, list: list, index: $0.offset)) }.map(\.element)
    }
    for list in lists.products.indices { lists.products[list] = kept(lists.products[list], isGroup: false, list) }
    for list in lists.groups.indices { lists.groups[list].subscriptions = kept(lists.groups[list].subscriptions, isGroup: true, list) }
  }

  private mutating func change(_ node: inout StoreKitTree, to product: CatalogProduct, isNew: Bool, group: String? = nil) {
    let read = file.product(node, in: group)
    changeTexts(&node, product.id, isNew: isNew)
    for field in StoreKitField.all {
      guard field.applies(product, file), let wanted = field.catalog(product) else {
        if isNew { field.setDefault(&node, product) }
        continue
      }
      let found = read.flatMap(field.file)
      if isNew || found != wanted { field.set(&node, product, file) }
      if !isNew, found != wanted { report(field.code, product, wanted, found) }
    }
    if let terms = product.subscription { changeOffers(&node, terms, product, read?.terms, isNew: isNew) }
  }

  /// Sets the name and the description in each language, in the localization of that language.
  private mutating func changeTexts(_ node: inout StoreKitTree, _ id: ProductID, isNew: Bool) {
    var elements = node["localizations"]?.elements ?? []
    let preferred = file.localization(of: node)
    for language in texts.languages {
      let isOwn = language == catalog.language
      let wanted = texts.translations(of: id, in: language)
      let languages = elements.map { texts.language($0) }
      var index = language.index(in: elements, languages, preferred, isNamed: isOwn)
      if index == nil, isOwn {
        // The catalog's text is in the localization that the name is read from, unless that has a translation.
        let isFree = preferred.map { languages[$0] == language || !hasTranslation(of: id, in: languages[$0]) } ?? false
        index = isFree ? preferred : language.index(in: elements, languages, preferred)
      }
      // A file in another language than the catalog's needs no second one, unless a table has it.
      let canAdd = isOwn ? isNew || elements.isEmpty : wanted.contains { $0.key == "displayName" }
      if index == nil, !canAdd { continue }
      for (key, code, text) in wanted {
        // A name that the file lacks is the reference name.
        let other = key == "displayName" && isOwn ? node["referenceName"]?.text ?? id.rawValue : nil
        let current = index.flatMap { elements[$0][key]?.text } ?? other
        if current == text, !isNew { continue }
        let place = index ?? elements.endIndex
        if index == nil { elements.append(.localization(isOwn && !isNew ? file.locale : language.storeLocale)) }
        elements[place][key] = .text(text)
        index = place
        if isNew { continue }
        differences.append(.init(code: code, product: id, offer: nil, catalog: text, file: current, language: isOwn ? nil : language))
      }
    }
    if elements != node["localizations"]?.elements ?? [] { node["localizations"] = .array(elements) }
  }

  private func hasTranslation(of id: ProductID, in language: Language?) -> Bool {
    language.map { texts.translations(of: id, in: $0).contains { $0.key == "displayName" } } ?? false
  }

  // MARK: Offers

  private mutating func changeOffers(
    _ node: inout StoreKitTree, _ terms: SubscriptionTerms, _ product: CatalogProduct, _ read: SubscriptionTerms?, isNew: Bool
  ) {
    let (wanted, found) = (terms.introductoryOffer, read?.introductoryOffer)
    if !isSame(wanted, found) || isNew {
      setIntroduction(&node, wanted, product)
      if !isNew { report("offer-mismatch", product, wanted.map(Self.text), found.map(Self.text), offer: "introductory") }
    }
    for list in StoreKitWords.offerLists {
      let offers = terms.offers.filter { $0.type == list.type && $0.isEnabled }
      var elements = node[list.key]?.elements ?? []
      let known = Dictionary(elements.enumerated().map { (file.offerID($1, list.id), $0) }) { first, _ in first }
      for offer in offers {
        let index = known[offer.id]
        let read = index.flatMap { file.offer(elements[$0], list.type, id: offer.id) }
        if isSame(offer, read) { continue }
        var element = index.map { elements[$0] } ?? newOffer(offer, list.id, product)
        set(&element, offer)
        if let index { elements[index] = element } else { elements.append(element) }
        if index == nil { need(list.since) }
        if !isNew { report("offer-mismatch", product, Self.text(offer), read.map(Self.text), offer: offer.id) }
      }
      let isUsual = isNew && list.since <= file.version ?? .init(major: 4, minor: 0)
      if isUsual || elements != node[list.key]?.elements ?? [] { node[list.key] = .array(elements) }
    }
  }

  /// Whether the file's offer is the catalog's. Prices in different currencies are not compared, and an offer that the catalog cannot contain
  /// because of its price stays.
  private func isSame(_ wanted: SubscriptionOffer?, _ found: SubscriptionOffer?) -> Bool {
    guard let wanted else { return found?.price.map { !$0.isPayable } ?? (found == nil) }
    guard let found else { return false }
    let isComparable = wanted.price.map(file.hasCurrency) ?? true
    return Self.text(wanted, withPrice: isComparable) == Self.text(found, withPrice: isComparable)
  }

  /// The same for `introductoryOffers`, if the file has one per billing plan.
  private mutating func setIntroduction(_ node: inout StoreKitTree, _ offer: SubscriptionOffer?, _ product: CatalogProduct) {
    let old = file.introduction(node)
    guard let offer else {
      node["introductoryOffer"] = .null
      if let several = node["introductoryOffers"] { node["introductoryOffers"] = .array(several.elements.filter { $0 != old }) }
      return
    }
    var new = old ?? .sorted(["internalID": .text(identifier("introductory", product.id.rawValue))])
    set(&new, offer)
    if old == nil || node["introductoryOffer"].map({ !$0.isNull }) == true { node["introductoryOffer"] = new }
    if var several = node["introductoryOffers"]?.elements {
      let index = several.firstIndex { ($0["billingPlanType"]?.string ?? StoreKitFile.upfront) == StoreKitFile.upfront }
      if let index { several[index] = new } else { several.append(new) }
      node["introductoryOffers"] = .array(several)
    }
  }

  private mutating func newOffer(_ offer: SubscriptionOffer, _ key: String, _ product: CatalogProduct) -> StoreKitTree {
    let id = offer.id ?? offer.type.rawValue
    var members: [String: StoreKitTree] = [
      "referenceName": .text(id), "internalID": .text(identifier(offer.type.rawValue, product.id.rawValue + "/" + id)),
    ]
    members[key] = .text(id)
    if offer.type == .code {
      members["eligibility"] = .array(["existing", "expired", "new"].map(StoreKitTree.text))
      members["isStackable"] = .bool(true)
    }
    if offer.type == .winBack {
      members["isEligible"] = .bool(true)
      members["numberOfPeriods"] = .int(1)
    }
    return .sorted(members)
  }

  /// Writes the terms of an offer in the file's form: periods and their number for pay as you go, the whole length for other offers.
  private func set(_ node: inout StoreKitTree, _ offer: SubscriptionOffer) {
    let old = node["subscriptionPeriod"]?.string.flatMap(Period.init)
    node["paymentMode"] = .text(StoreKitWords.word(for: offer.mode))
    if old?.isSame(as: offer.period) != true { node["subscriptionPeriod"] = .text(StoreKitWords.text(offer.period)) }
    if offer.mode == .payAsYouGo || node["numberOfPeriods"] != nil { node["numberOfPeriods"] = .int(offer.periods ?? 1) }
    guard let price = offer.price, offer.mode != .freeTrial else { return }
    if file.hasCurrency(price), node["displayPrice"]?.string.flatMap(StoreKitWords.price) != price.amount {
      node["displayPrice"] = .text(price.amountText)
    }
    if node["displayPrice"] == nil { node["displayPrice"] = .text("0.00") }
  }

  /// An offer's terms in one form, however they are written: `free P1W`, `payAsYouGo 3 × P1M 0.99`.
  static func text(_ offer: SubscriptionOffer) -> String { text(offer, withPrice: true) }

  private static func text(_ offer: SubscriptionOffer, withPrice: Bool) -> String {
    let length = (offer.mode == .payAsYouGo ? "\(offer.periods ?? 1) × " : "") + StoreKitWords.text(offer.period)
    let price = offer.mode == .freeTrial || !withPrice ? nil : offer.price.map { Money.text($0.amount) }
    return [StoreKitWords.word(for: offer.mode), length, price].compactMap { $0 }.joined(separator: " ")
  }

  // MARK: The whole file

  /// Sets the privacy policy's address, if the file has a place for it or is new.
  private mutating func putPrivacy() {
    guard let wanted = catalog.legal?.privacy else { return }
    var policies = tree["appPolicies"]?["policies"]?.elements ?? []
    guard !policies.isEmpty || !file.isRead else { return }
    if policies.isEmpty { policies = [.sorted(["locale": .text("en_US"), "policyText": .text(""), "policyURL": .text("")])] }
    let index = file.privacyPolicyIndex ?? 0
    let found = policies[index]["policyURL"]?.string ?? ""
    guard found != wanted else { return }
    policies[index]["policyURL"] = .text(wanted)
    var node = tree["appPolicies"] ?? .sorted(["eula": .text("")])
    node["policies"] = .array(policies)
    tree["appPolicies"] = node
    if file.isRead { differences.append(.init(code: "privacy-mismatch", product: nil, offer: nil, catalog: wanted, file: found)) }
  }

  private mutating func need(_ version: StoreKitFile.Version) { needed = max(needed ?? version, version) }

  private mutating func raiseVersion() {
    guard let version = file.version, let needed, version < needed, var node = tree["version"] else { return }
    node["major"] = .int(needed.major)
    node["minor"] = .int(needed.minor)
    tree["version"] = node
  }

  private mutating func identifier(_ kind: String, _ name: String) -> String {
    var text = "\(kind):\(name)"
    while !identifiers.insert(StoreKitIdentifiers.identifier(of: text)).inserted { text += "'" }
    return StoreKitIdentifiers.identifier(of: text)
  }

  private mutating func report(_ code: String, _ product: CatalogProduct, _ wanted: String?, _ found: String?, offer: String? = nil) {
    differences.append(.init(code: code, product: product.id, offer: offer, catalog: wanted, file: found))
  }
}
