// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// Writes records of uses: that of a spend, with the time, and that of many packed uses. `JSONEncoder` writes the same text in ten times as
/// long, and a spend waits for both.
struct UseRecord {
  private var json = JSONWriter()

  /// The record of these facts; `nil` when one is neither a use nor the time, or has an infinite date.
  static func of(_ facts: [Fact]) -> Data? {
    var record = UseRecord()
    record.json.open("[")
    for fact in facts { guard record.add(fact) else { return nil } }
    record.json.close("]")
    return Data(record.json.bytes)
  }

  /// The record of packed uses; `nil` when one has an infinite date.
  static func of(_ packed: [PackedUses]) -> Data? {
    var record = UseRecord()
    record.json.open("[")
    for uses in packed {
      guard uses.dates.allSatisfy(\.isFinite) else { return nil }
      record.json.separate()
      record.object("uses") { record in
        record.add("dates", uses.dates) { $0.json.literal(Self.text($1)) }
        record.add("days", uses.days) { $0.json.literal(String($1)) }
        record.add("keys", uses.keys) { $0.json.string($1) }
        record.member("like") { $0.add(uses.like) }
      }
    }
    record.json.close("]")
    return Data(record.json.bytes)
  }

  private mutating func add<Element>(_ key: String, _ elements: [Element], _ write: (inout Self, Element) -> Void) {
    json.key(key)
    json.open("[")
    for element in elements {
      json.separate()
      write(&self, element)
    }
    json.close("]")
  }

  /// Returns `false` for a fact of another sort.
  private mutating func add(_ fact: Fact) -> Bool {
    json.separate()
    switch fact.sort {
    case .use(let use) where use.value.date.isFinite: object("use") { $0.add(use.value) }
    case .time(let time) where time.latest.isFinite && time.corrected?.isFinite != false: object("time") { $0.add(time) }
    default: return false
    }
    return true
  }

  private mutating func object(_ name: String, _ fields: (inout Self) -> Void) {
    json.open("{")
    member(name, fields)
    json.close("}")
  }

  private mutating func member(_ key: String, _ fields: (inout Self) -> Void) {
    json.key(key)
    json.open("{")
    fields(&self)
    json.close("}")
  }

  // The keys are in alphabetical order, as in any other record.
  private mutating func add(_ use: Use) {
    add("amount", use.amount)
    add("attempt", use.attempt)
    add("counted", use.counted)
    add("date", use.date)
    add("day", use.day)
    if let environment = use.environment { add("environment", environment.rawValue) }
    add("feature", use.feature.rawValue)
    if let credits = use.fromCredits { add("fromCredits", credits) }
    add("key", use.key)
    if let refusals = use.refusals { add("refusals", refusals) }
    add("run", use.run)
    add("source", use.source.rawValue)
    add("status", use.status.rawValue)
    add("subject", use.subject.rawValue)
    add("zone", use.zone)
  }

  private mutating func add(_ time: TimeSeen) {
    if let corrected = time.corrected { add("corrected", corrected) }
    add("correction", time.correction)
    add("latest", time.latest)
  }

  private mutating func add(_ key: String, _ text: String) {
    json.key(key)
    json.string(text)
  }

  private mutating func add(_ key: String, _ number: Int) {
    json.key(key)
    json.literal(String(number))
  }

  private mutating func add(_ key: String, _ isTrue: Bool) {
    json.key(key)
    json.literal(isTrue ? "true" : "false")
  }

  /// Writes a date as `JSONEncoder` does: in seconds since 2001.
  private mutating func add(_ key: String, _ date: Date) {
    json.key(key)
    json.literal(Self.text(date.timeIntervalSinceReferenceDate))
  }

  /// A number as `JSONEncoder` writes it: a whole one without a fraction.
  private static func text(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Date {
  fileprivate var isFinite: Bool { timeIntervalSinceReferenceDate.isFinite }
}
