// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A catalog while it is read: values with their sources in the text, for the rules to point at.
struct CatalogDraft {
  /// A class, because a dozen rules walk over all products, and each would copy every one with all its texts.
  final class Placed<Value> {
    let value: Value
    let source: JSONValue

    init(value: Value, source: JSONValue) {
      self.value = value
      self.source = source
    }
  }

  var app: AppInfo?
  var features: [Placed<Feature>] = []
  var collections: [Placed<CatalogCollection>] = []
  /// The parts that every item of every collection has.
  var parts: [String]?
  var freeTier: [FeatureID: Granted] = [:]
  var freeTierTitle = "Free"
  var freeTierKind: any ProductKind = FreeTier()
  var entitlements: [Placed<Entitlement>] = []
  var products: [Placed<CatalogProduct>] = []
  var paywalls: [PlacementID: PaywallDefinition] = [:]
  var parentalGate: ParentalGatePolicy?
  var legal: LegalInfo?
  var billing: BillingPolicy?
  var sync: SyncPolicy?
  var releases: [String] = []
  var modules: [CatalogModule] = []
  var isMonetized = true
  var claims: [String] = []
  var retired: [String] = []
  let root: JSONValue
  /// Whether reading a value, or anything in it, found a mistake. What follows from such a mistake is not reported as well.
  let isBroken: (JSONValue) -> Bool

  /// All that is granted anywhere, with the object that it is written in.
  var grants: [(grants: [FeatureID: Granted], source: JSONValue?)] {
    [(freeTier, root["freeTier"]?["grants"])] + entitlements.map { ($0.value.grants, $0.source["grants"]) }
      + products.map { ($0.value.grants, $0.source["grants"]) }
  }
}

extension JSONValue {
  /// The names that a section of a catalog declares, those of broken values included: the keys of an object, the ids of a list. `nil` where
  /// they are not all known, because the section is of another type, its key is misspelt, or an id cannot be read.
  func declared(_ section: String) -> Set<String>? {
    guard let value = self[section] else {
      return members.contains { closestMatch(to: $0.key, in: [section]) != nil } ? nil : []
    }
    if section != "products" { return value.kind == .object ? Set(value.members.map(\.key)).subtracting(["$comment"]) : nil }
    let ids = value.elements.compactMap { $0["id"]?.string }
    return value.kind == .array && ids.count == value.count ? Set(ids) : nil
  }
}

/// One thing that has to be true of a catalog beyond its structure. One rule a file; all of them run, so that a person sees all mistakes at once.
protocol CatalogRule {
  /// Everything that breaks the rule.
  static func findings(in draft: CatalogDraft) -> [CatalogFinding]
}

/// One thing that a rule found.
struct CatalogFinding {
  let severity: Diagnostic.Severity
  let code: Diagnostic.Code
  let source: JSONValue
  /// The member whose key it is about; `nil` for one about a value.
  var member: JSONMember?
  let message: String

  init(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, at source: JSONValue, _ message: String) {
    (self.severity, self.code, self.source, self.message) = (severity, code, source, message)
  }

  init(_ code: Diagnostic.Code, at source: JSONValue, _ message: String) { self.init(.error, code, at: source, message) }

  init(_ code: Diagnostic.Code, atKey member: JSONMember, _ message: String) {
    self.init(code, at: member.value, message)
    self.member = member
  }

  /// An error where a requirement is not met; `nil` where it is.
  init?(unless isRight: Bool, _ code: Diagnostic.Code, at source: @autoclosure () -> JSONValue, _ message: @autoclosure () -> String) {
    if isRight { return nil }
    self.init(code, at: source(), message())
  }

  func report(to reader: JSONReader) {
    if let member { return reader.report(severity, code, atKey: member, message) }
    reader.report(severity, code, at: source, message)
  }
}
