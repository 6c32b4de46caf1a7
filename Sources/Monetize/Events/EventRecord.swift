// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// An event on the device: one line of an event log, which `monetize funnel` reads.
///
/// May contain the app's names of a customer and of a child. A ``SharedEvent``, which may leave the device, has no field for either.
public struct EventRecord: Sendable, Hashable, Codable {
  /// The date.
  public var at: Date
  /// The name of the event.
  public var name: MonetizeEvent.Name
  /// The customer, in a log of several customers.
  public var customer: String?
  /// The child of the family; `nil` for the customer.
  public var child: SubjectID?
  /// The store's environment; `nil` until it is known.
  public var environment: StoreEnvironment?
  /// Whether the store is simulated; `nil` for no.
  public var simulated: Bool?
  /// The product of the event.
  public var product: ProductID?
  /// The feature of the event.
  public var feature: FeatureID?
  /// The item of the event, such as `forest/4`.
  public var item: String?
  /// The placement of the event.
  public var placement: PlacementID?
  /// The cause of a failure.
  public var error: String?
  /// The experiment of the event.
  public var experiment: ExperimentID?
  /// The arm of the experiment.
  public var arm: String?
  /// The id of the transaction: the same on all devices of a customer, which may each report it.
  public var transaction: TransactionID?
  /// When the paid period began: the date of a renewal that the store reported later.
  public var purchased: Date?
  /// When the paid period ends, or ended by a revocation; `nil` for a purchase that does not expire.
  public var until: Date?
  /// The price paid; `nil` when unknown.
  public var price: Money?
  /// Whether a purchase begins with a free trial; `nil` for no.
  public var trial: Bool?
  /// Whether a use was paid for; `nil` for other events.
  public var paid: Bool?
  /// The number of uses.
  public var count: Int?
  /// The properties of an app's own event.
  public var properties: [String: PropertyValue]?

  /// The keys of a line, in the order in which they are written.
  package enum CodingKeys: String, CodingKey, CaseIterable {
    case at, name, customer, child, environment, simulated, product, feature, item, placement, error, experiment, arm, transaction
    case purchased, until, price, trial, paid, count, properties
  }

  /// Makes a record of an event.
  public init(_ event: MonetizeEvent, customer: String? = nil) {
    (at, name, self.customer) = (event.date, event.name, customer)
    child = event.subject == .customer ? nil : event.subject
    environment = event.environment
    simulated = event.isSimulated ? true : nil
    (product, feature, placement) = (event.product, event.feature, event.placement)
    item = event.item?.description
    error = event.error?.rawValue
    (experiment, arm) = (event.assignment?.experiment, event.assignment?.arm)
    (transaction, purchased, until) = (event.payment?.transaction, event.payment?.purchased, event.payment?.until)
    price = event.payment?.price
    trial = event.isTrial ? true : nil
    (paid, count) = (event.isPaid, event.count)
    properties = event.properties.isEmpty ? nil : event.properties
  }

  /// Makes a record with a name and a date. Set the other values afterwards.
  public init(_ name: MonetizeEvent.Name, at: Date, customer: String? = nil) { (self.name, self.at, self.customer) = (name, at, customer) }

  /// One line of JSON without a line end. The date is in ISO 8601.
  public func line() -> String {
    // Written without an encoder, which would take most of the time for the millions of events of a population.
    var text = "{\"at\":\"\(ISODate.text(at))\",\"name\":\(JSONWriter.quoted(name.rawValue))"
    func add(_ key: String, _ value: String?) { if let value { text += ",\"\(key)\":\(JSONWriter.quoted(value))" } }
    func add(_ key: String, _ value: Bool?) { if let value { text += ",\"\(key)\":\(value)" } }
    add("customer", customer)
    add("child", child?.rawValue)
    add("environment", environment?.rawValue)
    add("simulated", simulated)
    add("product", product?.rawValue)
    add("feature", feature?.rawValue)
    add("item", item)
    add("placement", placement?.rawValue)
    add("error", error)
    add("experiment", experiment?.rawValue)
    add("arm", arm)
    add("transaction", transaction?.rawValue)
    add("purchased", purchased.map { ISODate.text($0) })
    add("until", until.map { ISODate.text($0) })
    if let price { text += ",\"price\":{\"amount\":\"\(price.amount)\",\"currency\":\(JSONWriter.quoted(price.currency))}" }
    add("trial", trial)
    add("paid", paid)
    if let count { text += ",\"count\":\(count)" }
    if let properties { text += ",\"properties\":{\(properties.sorted { $0.key < $1.key }.map(Self.text).joined(separator: ","))}" }
    return text + "}"
  }

  private static func text(_ property: (key: String, value: PropertyValue)) -> String {
    let value =
      switch property.value {
      case .number(let number): "\(number)"
      case .boolean(let isTrue): "\(isTrue)"
      case .text(let text): JSONWriter.quoted(text)
      }
    return "\(JSONWriter.quoted(property.key)):\(value)"
  }
}

/// An event that may leave the device: ids of the catalog, codes, numbers and listed words. No type in it can hold a person's name, an
/// account or a child, in any app; see ``SharedValue``.
public struct SharedEvent: Sendable, Hashable {
  /// The date.
  public let date: Date
  /// The name of the event.
  public let name: MonetizeEvent.Name
  /// The store's environment; `nil` until it is known.
  public let environment: StoreEnvironment?
  /// Whether the store is simulated.
  public let isSimulated: Bool
  /// The product of the event.
  public let product: ProductID?
  /// The feature of the event.
  public let feature: FeatureID?
  /// The placement of the event.
  public let placement: PlacementID?
  /// The cause of a failure.
  public let error: StoreError.Code?
  /// The experiment and its arm.
  public let assignment: ArmAssignment?
  /// Whether a purchase begins with a free trial.
  public let isTrial: Bool
  /// Whether a use was paid for; `nil` for other events.
  public let isPaid: Bool?
  /// The properties that may leave the device: those of an app's own event by their declared types, and ids of the catalog.
  public let properties: [String: SharedValue]

  /// Keeps the parts of an event that may leave the device. Omits products, features and placements that are neither in the catalog nor
  /// built in, because their texts may hold anything.
  init(_ event: MonetizeEvent, _ catalog: Catalog) {
    (date, name, environment, isSimulated) = (event.date, event.name, event.environment, event.isSimulated)
    product = event.product.flatMap { catalog.product($0) == nil ? nil : $0 }
    feature = event.feature.flatMap { catalog.feature($0)?.id }
    placement = event.placement.flatMap { PlacementID.builtIn.contains($0) || catalog.paywalls[$0] != nil ? $0 : nil }
    (error, assignment, isTrial, isPaid) = (event.error, event.assignment, event.isTrial, event.isPaid)
    // Another name of an event has the properties of that event.
    let name = catalog.events?.names.first { $0.name == event.name.rawValue }?.on ?? event.name.rawValue
    let types = catalog.events?.custom[name] ?? [:]
    // The properties of Monetize's own events are ids of the catalog.
    let isOwn = EventVocabulary.known.contains(name)
    let shared = event.properties.compactMap { key, value in (isOwn ? value.ofCatalog : types[key]?.shared(value)).map { (key, $0) } }
    properties = Dictionary(shared) { first, _ in first }
  }
}
