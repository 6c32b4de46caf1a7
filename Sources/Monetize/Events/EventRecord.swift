// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// An event as it stays on the device: one line of an event log, which `monetize funnel` reads.
///
/// It may name a customer and a child of the family, by the app's names for them. A ``SharedEvent``, which may leave the device, has no place for
/// either.
public struct EventRecord: Sendable, Hashable, Codable {
  /// When.
  public var at: Date
  /// What happened.
  public var name: MonetizeEvent.Name
  /// Who, where the log is of several customers.
  public var customer: String?
  /// Which child of the family.
  public var child: SubjectID?
  /// The store's environment, once the store has said.
  public var environment: StoreEnvironment?
  /// Whether it comes from a simulated store; `nil` for no.
  public var simulated: Bool?
  /// The product it is about.
  public var product: ProductID?
  /// The feature it is about.
  public var feature: FeatureID?
  /// The item it is about, such as `forest/4`.
  public var item: String?
  /// The placement it is about.
  public var placement: PlacementID?
  /// Why something failed.
  public var error: String?
  /// The experiment it is about.
  public var experiment: ExperimentID?
  /// The arm of the experiment.
  public var arm: String?
  /// Whether it is about a free trial; `nil` for no.
  public var trial: Bool?
  /// Whether a use was paid for; `nil` for what is no use.
  public var paid: Bool?
  /// How many uses.
  public var count: Int?
  /// The properties of an app's own event.
  public var properties: [String: PropertyValue]?

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
    trial = event.isTrial ? true : nil
    (paid, count) = (event.isPaid, event.count)
    properties = event.properties.isEmpty ? nil : event.properties
  }

  /// Makes a record from its name; the rest is set afterwards.
  public init(_ name: MonetizeEvent.Name, at: Date, customer: String? = nil) { (self.name, self.at, self.customer) = (name, at, customer) }

  /// One line of JSON without its end; the date by ISO 8601.
  public func line() -> String {
    // By hand: a population has millions of events, and an encoder would take most of the time.
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

/// An event as it may leave the device: ids of the catalog, codes, numbers and listed words. No type in it can hold a person's name, an account or a
/// child, in any app; see ``SharedValue``.
public struct SharedEvent: Sendable, Hashable {
  /// When.
  public let date: Date
  /// What happened.
  public let name: MonetizeEvent.Name
  /// The store's environment, once the store has said.
  public let environment: StoreEnvironment?
  /// Whether it comes from a simulated store.
  public let isSimulated: Bool
  /// The product it is about.
  public let product: ProductID?
  /// The feature it is about.
  public let feature: FeatureID?
  /// The placement it is about.
  public let placement: PlacementID?
  /// Why something failed.
  public let error: StoreError.Code?
  /// The experiment and its arm that it is about.
  public let assignment: ArmAssignment?
  /// Whether it is about a free trial.
  public let isTrial: Bool
  /// Whether a use was paid for; `nil` for what is no use.
  public let isPaid: Bool?
  /// The properties of an app's own event that may leave the device.
  public let properties: [String: SharedValue]

  /// What may leave of an event. Products, features and placements that the catalog does not have are left out: whatever they hold, it is no
  /// id of the catalog.
  init(_ event: MonetizeEvent, _ catalog: Catalog) {
    (date, name, environment, isSimulated) = (event.date, event.name, event.environment, event.isSimulated)
    product = event.product.flatMap { catalog.product($0) == nil ? nil : $0 }
    feature = event.feature.flatMap { catalog.feature($0)?.id }
    placement = event.placement.flatMap { catalog.paywalls[$0] == nil ? nil : $0 }
    (error, assignment, isTrial, isPaid) = (event.error, event.assignment, event.isTrial, event.isPaid)
    let types = catalog.events?.custom[event.name.rawValue] ?? [:]
    let shared = event.properties.compactMap { key, value in types[key]?.shared(value).map { (key, $0) } }
    properties = Dictionary(shared) { first, _ in first }
  }
}
