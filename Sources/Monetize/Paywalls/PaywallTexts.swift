// SPDX-License-Identifier: Apache-2.0

extension Snapshot {
  /// A feature's description with the customer's own limit in place of `{limit}`, `{unit}` and `{period}`; for a part, its whole's limit.
  ///
  /// `nil` if the catalog has none, or a placeholder has no value for this customer.
  public func description(of id: FeatureID, item: ItemPath? = nil) -> String? {
    guard let text = catalog.feature(id)?.description else { return nil }
    let request = AccessRequest(id, item: item)
    return Placeholder.fill(text, words(for: request, decision(for: request)))
  }

  /// The texts of a placement with the values of a request. `{price}` stays until ``Paywall/priced(by:)`` fills it in. If a placeholder has
  /// no value, the text of the placement `default` is used; if that has none either, the text is omitted.
  package func definition(at placement: PlacementID, for request: AccessRequest? = nil, _ decision: Decision? = nil) -> PaywallDefinition {
    let words = request.map { self.words(for: $0, decision ?? self.decision(for: $0)) } ?? [.price: "{price}"]
    let base = catalog.paywalls[.default]?.filled(words)
    return catalog.paywalls[placement]?.filled(words).inheriting(base) ?? base ?? PaywallDefinition()
  }

  private func words(for request: AccessRequest, _ decision: Decision) -> [Placeholder: String] {
    var words: [Placeholder: String] = [.price: "{price}"]
    guard let feature = catalog.feature(request.feature) else { return words }
    let language = catalog.language
    let whole = feature.part.flatMap { catalog.feature($0.whole) } ?? feature
    let numbers = feature.part == nil ? decision : self.decision(for: whole.id)
    words[.limit] =
      numbers.limit.map { whole.shape.words(for: $0, in: language) ?? "\($0)" }
      ?? numbers.window.map { Period(fixed: Int($0)).words(in: language) } ?? (numbers.isAllowed ? language.text(.lengthUnlimited) : nil)
    words[.unit] = feature.unit.map { unit in numbers.limit.map { unit.word(for: $0, in: language) } ?? unit.plural(in: language) }
    words[.period] = numbers.measure?.words(in: language)
    words[.collection] = request.item.flatMap { catalog.collection($0.collection)?.title }
    words[.unlockMessage] = feature.unlockMessage.flatMap { Placeholder.fill($0, words) }
    return words
  }
}

extension Paywall {
  /// The selected product: `choice` if it is on offer, else the catalog's `preselected`, else the first one on offer.
  public func selected(_ choice: ProductID? = nil) -> ProductID? {
    [choice, definition.preselected].lazy.compactMap { $0 }.first(where: products.contains) ?? products.first
  }

  /// Returns this paywall with the store's price of the selected product in place of `{price}`, and in a badge the price of its own product.
  /// Omits a text whose price the store did not give.
  public func priced(by products: [StoreProduct], selected choice: ProductID? = nil) -> Paywall {
    func price(_ id: ProductID?) -> [Placeholder: String] {
      products.first { $0.id == id }.map { [.price: $0.displayPrice] } ?? [:]
    }
    var copy = self
    copy.definition = definition.filled(price(selected(choice)))
    for (id, badge) in definition.badges ?? [:] { copy.definition.badges?[id] = Placeholder.fill(badge, price(ProductID(id))) }
    return copy
  }
}

extension LegalInfo {
  /// The renewal text of a subscription, with the store's price in place of `{price}` and its length in place of `{period}`; `nil` if the
  /// catalog has no such text, or the product does not renew.
  public func renewal(of product: StoreProduct, in language: Language = .english) -> String? {
    renewal.flatMap { text in
      product.period.flatMap { Placeholder.fill(text, [.price: product.displayPrice, .period: $0.each(in: language)]) }
    }
  }
}
