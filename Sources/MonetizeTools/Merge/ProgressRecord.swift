// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// A record of a player's progress, as in a file: values by the fields of `sync.merge`.
///
/// A field has one type, so that the merged record does not depend on the order: true or false with the rule `or`; with `max` and `min` whole
/// numbers or dates.
public struct ProgressRecord: Sendable {
  /// A value. A date is in milliseconds since 1970.
  enum Value: Sendable, Hashable {
    case number(Int), flag(Bool), date(Int)

    /// The number that a merge rule compares.
    var compared: Int {
      switch self {
      case .number(let number), .date(let number): number
      case .flag(let flag): flag ? 1 : 0
      }
    }

    /// The value of the same type with another number.
    func with(_ number: Int) -> Self {
      switch self {
      case .number: .number(number)
      case .flag: .flag(number != 0)
      case .date: .date(number)
      }
    }

    var isDate: Bool { if case .date = self { true } else { false } }
  }

  private let policy: SyncPolicy
  private let values: [String: Value]
  private let places: [String: SourcePosition]

  /// Reads a JSON object of fields with their values: a whole number, true or false, a date such as `2026-01-02`, or null for none.
  /// - Throws: `CatalogError` with every mistake and its place.
  public init(_ json: Data, policy: SyncPolicy) throws(CatalogError) {
    let root = try JSONDocument(catalog: json).root
    guard root.kind == .object else {
      throw CatalogError(diagnostics: [
        Diagnostic(
          .error, "not-a-record", path: "", position: root.position, message: "A record is a JSON object, such as { \"stars\": 2 }.")
      ])
    }
    var (values, places): ([String: Value], [String: SourcePosition]) = ([:], [:])
    var mistakes: [Diagnostic] = []
    for member in root.members {
      do throws(Mistake) {
        if places[member.key] != nil { throw Mistake("repeated-key", "\"\(member.key)\" appears twice. Keep one of them.") }
        places[member.key] = member.keyPosition
        values[member.key] = try Self.value(member.value, of: member.key, policy)
      } catch {
        mistakes.append(
          Diagnostic(
            .error, error.code, path: member.key, position: error.isKey ? member.keyPosition : member.value.position, message: error.message
          ))
      }
    }
    if !mistakes.isEmpty { throw CatalogError(diagnostics: mistakes) }
    (self.policy, self.values, self.places) = (policy, values, places)
  }

  private struct Mistake: Error {
    let code: Diagnostic.Code
    let message: String
    init(_ code: Diagnostic.Code, _ message: String) { (self.code, self.message) = (code, message) }
    var isKey: Bool { code != "wrong-value" }
  }

  /// The last millisecond of the year 9999. A later one cannot be written so that it can be read.
  private static let latest = 253_402_300_799_999.0

  private static func value(_ json: JSONValue, of field: String, _ policy: SyncPolicy) throws(Mistake) -> Value? {
    guard let rule = policy.merge[field] else {
      throw Mistake(
        "unknown-field",
        "\"\(field)\" has no rule under \"sync.merge\" in the catalog. It has: \(policy.merge.keys.sorted().joined(separator: ", ")).")
    }
    if json.isNull { return nil }
    if rule.way == .or {
      if let flag = json.bool { return .flag(flag) }
      throw Mistake("wrong-value", "\"\(field)\" is true or false, because its rule is \"or\". Write true, false or null.")
    }
    if field == SyncPolicy.coins {
      if let number = json.int, number >= 0 { return .number(number) }
      throw Mistake("wrong-value", "\"coins\" counts coins. Write a whole number from 0, or null.")
    }
    if let number = json.int { return .number(number) }
    if let text = json.string, let date = ISODate.parse(text, in: Calendar.storeCalendar.timeZone) {
      return .date(Int(min((date.timeIntervalSince1970 * 1000).rounded(), Self.latest)))
    }
    throw Mistake(
      "wrong-value",
      "\"\(field)\" has a value that cannot be merged with \"\(rule.way.rawValue)\". Write a whole number, a date such as \"2026-01-02\", or "
        + "null.")
  }

  /// Merges two records. The result is the same in both orders.
  /// - Throws: `CatalogError` with the places in `other` of the fields that are dates in one record and numbers in the other.
  public func merged(with other: ProgressRecord) throws(CatalogError) -> ProgressRecord {
    var (merged, mistakes): ([String: Value], [Diagnostic]) = ([:], [])
    for (field, rule) in policy.merge.sorted(by: { $0.key < $1.key }) {
      let (a, b) = (values[field], other.values[field])
      if let a, let b, a.isDate != b.isDate {
        mistakes.append(
          Diagnostic(
            .error, "wrong-value", path: field, position: other.places[field],
            message: "\"\(field)\" is a \(b.isDate ? "date" : "number") here, but a \(a.isDate ? "date" : "number") in the other record. "
              + "Write the same type in both."))
      }
      if let number = rule.joined(a?.compared, b?.compared) { merged[field] = (a ?? b)?.with(number) }
    }
    if !mistakes.isEmpty { throw CatalogError(diagnostics: mistakes) }
    return ProgressRecord(policy: policy, values: merged, places: places)
  }

  private init(policy: SyncPolicy, values: [String: Value], places: [String: SourcePosition]) {
    (self.policy, self.values, self.places) = (policy, values, places)
  }

  /// The record as JSON. A date at midnight in UTC is a day; another date has its time in UTC.
  public var json: String { ToolJSON.text(values) }
}

extension ProgressRecord.Value: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .date(let milliseconds):
      let (seconds, rest) = (Int((Double(milliseconds) / 1000).rounded(.down)), ((milliseconds % 1000) + 1000) % 1000)
      let text = ISODate.text(Date(timeIntervalSince1970: TimeInterval(seconds)))
      let fraction = rest == 0 ? "" : "." + "00\(rest)".suffix(3)
      try container.encode(text.hasSuffix("T00:00:00Z") && rest == 0 ? String(text.prefix(10)) : text.dropLast() + fraction + "Z")
    }
  }
}
