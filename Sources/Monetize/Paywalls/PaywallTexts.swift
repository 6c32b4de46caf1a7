// SPDX-License-Identifier: Apache-2.0

extension Snapshot {
  /// A feature's description with the customer's own limit in place of `{limit}`, `{unit}` and `{period}`; of a part, its whole's.
  ///
  /// `nil` where the catalog has none, or where it names something that has no value for this customer.
  public func description(of id: FeatureID, item: ItemPath? = nil) -> String? {
    guard let text = catalog.feature(id)?.description else { return nil }
    let request = AccessRequest(id, item: item)
    return Placeholder.fill(text, words(for: request, decision(for: request)))
  }

  /// The words of a placement with values for a question. `{price}` stays: the store knows it, see ``Paywall/priced(by:)``. Where a text
  /// names something that has no value, the text of the placement `default` takes its place; it is left out where that has none either.
  package func definition(at placement: PlacementID, for request: AccessRequest? = nil, _ decision: Decision? = nil) -> PaywallDefinition? {
    let words = request.map { self.words(for: $0, decision ?? self.decision(for: $0)) } ?? [.price: "{price}"]
    let base = catalog.paywalls[.default]?.filled(words)
    return catalog.paywalls[placement]?.filled(words).inheriting(base) ?? base
  }

  private func words(for request: AccessRequest, _ decision: Decision) -> [Placeholder: String] {
    var words: [Placeholder: String] = [.price: "{price}"]
    guard let feature = catalog.feature(request.feature) else { return words }
    let language = catalog.language
    let whole = feature.part.flatMap { catalog.feature($0.whole) } ?? feature
    let numbers = feature.part == nil ? decision : self.decision(for: whole.id)
    words[.limit] =
      numbers.limit.map { whole.shape.words(for: $0) ?? "\($0)" } ?? numbers.window.map {
        Period(days: Int($0) / 86400, seconds: Int($0) % 86400).words(in: language)
      }
      ?? (numbers.isAllowed ? LengthWords.of(language).unlimited : nil)
    words[.unit] = (feature.unit ?? whole.unit)?.word(for: numbers.limit ?? 2, in: language)
    words[.period] = numbers.measure?.words(in: language)
    words[.collection] = request.item.flatMap { catalog.collection($0.collection)?.title }
    words[.unlockMessage] = feature.unlockMessage.flatMap { Placeholder.fill($0, words) }
    return words
  }
}

extension Paywall {
  /// The product that is selected: `choice` where it is offered, else the catalog's `preselected`, else the first one offered.
  public func selected(_ choice: ProductID? = nil) -> ProductID? {
    [choice, definition.preselected].lazy.compactMap { $0 }.first(where: products.contains) ?? products.first
  }

  /// This paywall with the store's price of the selected product in place of `{price}`. A text that names a price which the store did not give
  /// is left out.
  public func priced(by products: [StoreProduct], selected choice: ProductID? = nil) -> Paywall {
    let selected = selected(choice)
    let price = products.first { $0.id == selected }?.displayPrice
    var copy = self
    copy.definition = definition.filled(price.map { [.price: $0] } ?? [:])
    return copy
  }
}

extension LegalInfo {
  /// How a subscription renews, with the store's price in place of `{price}` and its length in place of `{period}`; `nil` where the catalog
  /// has no such text, or the product does not renew.
  public func renewal(of product: StoreProduct, in language: Language = .english) -> String? {
    renewal.flatMap { text in
      product.period.flatMap { Placeholder.fill(text, [.price: product.displayPrice, .period: $0.each(in: language)]) }
    }
  }
}
