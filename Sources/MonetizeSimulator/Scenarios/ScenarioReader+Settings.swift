// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// What a setting may be is known before anything happens, but for what the catalog says.
extension ScenarioReader {
  /// The world as an object of settings says it is.
  func settings(_ value: JSONValue, _ reader: JSONReader) -> WorldSettings? {
    guard let settings = reader.decode(WorldSettings.self, from: value) else { return nil }
    if let period = settings.gracePeriod, !period.isZero, GraceDays(period) == nil, let place = value["gracePeriod"] {
      reader.report("bad-value", at: place, "\"\(period)\" is no grace period. Apple has \"P3D\", \"P16D\" and \"P28D\"; \"P0D\" is none.")
    }
    if let storefront = settings.storefront, !Self.isStorefront(storefront), let place = value["storefront"] {
      reader.report(
        "bad-value", at: place, "\"\(storefront)\" is no storefront. Write its ISO 3166-1 code of three capitals, such as \"USA\".")
    }
    if let environment = settings.environment, let place = value["environment"] {
      check(environment, among: [StoreEnvironment.production, .sandbox, .xcode].map(\.rawValue), "environment", place, reader)
    }
    if let name = settings.timeZone, TimeZone(identifier: name) == nil, let place = value["timeZone"] {
      reader.report("bad-value", at: place, "There is no time zone \"\(name)\". Write one such as \"Europe/Berlin\".")
    }
    if let clock = settings.clock, clock != "true", let place = value["clock"] { _ = instant(clock, place, reader) }
    if let text = settings.originalPurchaseDate, let place = value["originalPurchaseDate"] { _ = instant(text, place, reader) }
    for member in Self.members(value["quirks"]) { checkKey(member, among: StoreQuirk.all.map(\.rawValue), "quirk", reader) }
    checkErrors(value["errors"], settings.errors ?? [:], reader)
    checkProducts(value, reader)
    return settings
  }

  private func checkErrors(_ value: JSONValue?, _ errors: [String: WorldSettings.InjectedError], _ reader: JSONReader) {
    for member in Self.members(value) {
      checkKey(member, among: StoreAPI.all.map(\.rawValue), "API", reader)
      guard let error = errors[member.key] else { continue }
      if let place = member.value["error"] { check(error.error, among: WorldSettings.errorNames + ["none"], "error", place, reader) }
      if let times = error.times, times < 1, let place = member.value["times"] {
        reader.report("bad-value", at: place, "An error happens 1 or more times, and this is \(times). \"error\": \"none\" ends it.")
      }
    }
  }

  /// Amounts and terms of products.
  private func checkProducts(_ value: JSONValue, _ reader: JSONReader) {
    var amounts = Self.members(value["codes"]).flatMap { Self.members($0.value).map(\.value) }
    if let amount = value["price"]?["amount"] { amounts.append(amount) }
    for place in amounts {
      guard let text = place.string, Money.amount(text).map({ $0 < 0 }) ?? true else { continue }
      reader.report("bad-value", at: place, "\"\(text)\" is no price. Write a decimal string such as \"9.99\".")
    }
    if let price = value["price"], let storefront = price["storefront"], let text = storefront.string, !Self.isStorefront(text) {
      reader.report(
        "bad-value", at: storefront, "\"\(text)\" is no storefront. Write its ISO 3166-1 code of three capitals, such as \"USA\".")
    }
    for member in Self.members(value["commitment"]) {
      guard let payments = member.value.int, !(0...120).contains(payments) else { continue }
      reader.report(
        "bad-value", at: member.value, "A commitment is to 120 payments at most, and this is \(payments). Write such as 12, or 0 for none.")
    }
    for audience in Self.members(value["codeFor"]).flatMap(\.value.elements) {
      let known = SimulatedProduct.OfferRule.Audience.allCases.map(\.rawValue)
      if let text = audience.string { check(text, among: known, "audience", audience, reader) }
    }
  }

  private static func members(_ value: JSONValue?) -> [JSONMember] { value?.members.filter { $0.key != "$comment" } ?? [] }

  private static func isStorefront(_ text: String) -> Bool { text.utf8.count == 3 && text.utf8.allSatisfy { (65...90).contains($0) } }

  // MARK: Names

  /// Tells of a name that is none of a few.
  func check(_ text: String, among known: [String], _ what: String, _ value: JSONValue, _ reader: JSONReader) {
    if let sentence = unknown(text, among: known, what) { reader.report("bad-value", at: value, sentence) }
  }

  private func checkKey(_ member: JSONMember, among known: [String], _ what: String, _ reader: JSONReader) {
    if let sentence = unknown(member.key, among: known, what) { reader.report("unknown-key", at: member, sentence) }
  }

  private func unknown(_ text: String, among known: [String], _ what: String) -> String? {
    guard !known.contains(text) else { return nil }
    let guess = closestMatch(to: text, in: known).map { "Did you mean \"\($0)\"?" } ?? "Known are \(known.joined(separator: ", "))."
    return "There is no \(what) \"\(text)\". \(guess)"
  }

  /// The device that a key names.
  func device(_ fields: JSONFields, _ reader: JSONReader, key: String = "on", isRequired: Bool = false) -> String? {
    let name = isRequired ? fields.required(key, as: String.self) : fields.optional(key, as: String.self)
    if let value = fields.value(key) { checkDevice(name, value, reader) }
    return name
  }

  func checkDevice(_ name: String?, _ value: JSONValue, _ reader: JSONReader) {
    if let name { check(name, among: deviceNames, "device", value, reader) }
  }
}
