// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

extension StoreKitFile {
  /// The mistakes in a file, each with its line and column: those that make Xcode show an empty list of products, and others.
  ///
  /// An error is a mistake in the structure, for which Xcode refuses the whole file without a message. A warning is something that Xcode
  /// opens and that was probably not intended. Messages never contain the values of signing keys. O(length of the text).
  public static func check(_ data: Data) -> [Diagnostic] {
    let source: StoreKitSource
    do throws(Diagnostic) { source = try StoreKitSource([UInt8](data)) } catch { return [error] }
    var check = StoreKitCheck(reader: JSONReader(source.document))
    check.file(source.document.root)
    if source.hasMark {
      check.reader.report(
        .warning, "byte-order-mark", at: source.document.root,
        "The text begins with a byte order mark, which Xcode does not write. Save the file as UTF-8 without one.")
    }
    return check.reader.diagnostics
  }
}

/// One pass over a file.
struct StoreKitCheck {
  /// The type of a value.
  enum Kind: String {
    case text = "a text in quotes"
    case number = "a whole number"
    case truth = "true or false"
    case object = "an object: { … }"
    case array = "a list: [ … ]"

    func fits(_ value: JSONValue) -> Bool {
      switch self {
      case .text: value.kind == .string
      case .number: value.int != nil
      case .truth: value.kind == .bool
      case .object: value.kind == .object
      case .array: value.kind == .array
      }
    }
  }

  let reader: JSONReader
  /// The first position of each product's id.
  var productIDs: [String: SourcePosition] = [:]
  /// The first position of each of Xcode's own ids.
  var internalIDs: [String: SourcePosition] = [:]

  /// Missing keys whose misspelling has been reported.
  private var misspelt: Set<Misspelt> = []
  /// Missing keys of each object, reported together at the end.
  private var missing: [Missing] = []
  private var missingIndex: [JSONValue: Int] = [:]

  init(reader: JSONReader) { self.reader = reader }

  private struct Misspelt: Hashable {
    var object: Int
    var key: String
  }

  private struct Missing {
    var object: JSONValue
    var keys: [(key: String, mend: String)] = []
  }

  mutating func file(_ root: JSONValue) {
    guard root.kind == .object else {
      return reader.report("not-an-object", at: root, "A .storekit file is one object: { … }. This may be another file.")
    }
    if let (key, message) = StoreKitSource.other(root) { return reader.report("other-file", at: key, message) }
    guessKeys(root, Self.fileKeys)
    version(root)
    for key in StoreKitLists.plain { for element in list(root, key) { product(element, key) } }
    for element in list(root, "subscriptionGroups") { group(element) }
    settings(root)
    _ = expect(root, "identifier", .text)
    keyPair(root)
    reportMissing()
    strangeLists(root)
    if productIDs.isEmpty && !reader.hasErrors(in: root) {
      reader.report(
        .warning, "no-products", at: root,
        "The list is empty because the file has no products where Xcode reads them. Add one in Xcode, or export a catalog.")
    }
  }

  static let fileKeys = [
    "version", "identifier", "products", "nonRenewingSubscriptions", "subscriptionGroups", "settings", "appPolicies",
    "subscriptionOffersKeyPair",
  ]

  /// Reports products under a key of another tool or of an author's own.
  private func strangeLists(_ root: JSONValue) {
    for list in root.members where !Self.fileKeys.contains(list.key) && list.value.elements.contains(where: { $0["productID"] != nil }) {
      reader.report(
        .warning, "unread-products", at: list,
        "Xcode reads no products under \(quoted(list.key)). Write subscriptions into a group under \"subscriptionGroups\", passes under "
          + "\"nonRenewingSubscriptions\", and other products under \"products\".")
    }
  }

  private func keyPair(_ root: JSONValue) {
    guard let pair = root["subscriptionOffersKeyPair"], !pair.isNull else { return }
    guard pair.kind == .object else {
      return reader.report("wrong-type", at: pair, "\"subscriptionOffersKeyPair\" is \(Kind.object.rawValue). Its value is not shown here.")
    }
    reader.report(
      .note, "signing-key", at: pair,
      "The file holds a key that signs offers in tests. It is never printed here; do not use it for anything else.")
  }

  private mutating func version(_ root: JSONValue) {
    guard let version = need(root, "version", .object, "such as { \"major\" : 4, \"minor\" : 0 }"), version.kind == .object else { return }
    _ = need(version, "major", .number, "such as 4")
    _ = need(version, "minor", .number, "such as 0")
  }

  private mutating func group(_ value: JSONValue) {
    guard isObject(value, "a group of subscriptions") else { return }
    guessKeys(value, ["id", "name", "localizations", "subscriptions"])
    let id = need(value, "id", .text, "such as \"21A4C6E8\"")
    _ = expectUsual(value, "name", .text, "the name that you give the group")
    if let id { internalID(id) }
    localizations(value)
    for element in need(value, "subscriptions", .array, "empty if there is none: []")?.elements ?? [] {
      checkSubscription(element, group: id?.string)
    }
  }

  private mutating func settings(_ root: JSONValue) {
    guard let settings = expect(root, "settings", .object) else { return }
    for key in ["_storefront", "_locale"] { _ = expect(settings, key, .text) }
    for key in Self.switches { _ = expect(settings, key, .truth) }
    _ = expect(settings, "_timeRate", .number)
    if let date = settings["_lastSynchronizedDate"], date.kind != .number, !date.isNull {
      reader.report("wrong-type", at: date, "\"_lastSynchronizedDate\" is a number of seconds since 2001. Remove it if there is none.")
    }
    for element in list(settings, "_storeKitErrors") where isObject(element, "an error to simulate") {
      _ = need(element, "name", .text, "such as \"Purchase\"")
      _ = expect(element, "enabled", .truth)
    }
    if let id = settings["_applicationInternalID"], Self.isSynchronized(settings) {
      reader.report(.note, "synced-file", at: id, "The file is synchronised with App Store Connect: Xcode opens it read-only.")
    }
  }

  /// Whether the three marks of a synchronised file are real values, and not placeholders such as `0` and `YOUR_TEAM_ID`.
  private static func isSynchronized(_ settings: JSONValue) -> Bool {
    let (app, team) = (settings["_applicationInternalID"]?.string ?? "", settings["_developerTeamID"]?.string ?? "")
    let date = settings["_lastSynchronizedDate"]?.numberText.flatMap(Double.init) ?? 0
    return date > 0 && UInt64(app) ?? 0 > 0 && team.count == 10 && team.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
  }

  private static let switches = [
    "_askToBuyEnabled", "_failTransactionsEnabled", "_billingIssuesEnabled", "_renewalBillingIssuesEnabled", "_billingGracePeriodEnabled",
    "_disableDialogs",
  ]

  // MARK: Shared checks

  /// A text of the file in a message.
  func quoted(_ text: String) -> String { KeyMaterial.isIn(text) ? "this text" : JSONWriter.quoted(text) }

  /// Keys that Xcode requires.
  private static let needed: Set<String> = [
    "version", "type", "productID", "referenceName", "displayPrice", "internalID", "localizations", "id", "subscriptions",
    "subscriptionGroupID", "groupNumber", "recurringSubscriptionPeriod", "paymentMode", "subscriptionPeriod", "offerID", "locale",
    "displayName", "description",
  ]

  /// The elements of a list, empty without one. Reports a value of another type.
  mutating func list(_ object: JSONValue, _ key: String) -> [JSONValue] { expect(object, key, .array)?.elements ?? [] }

  /// The value of a key, if it has the right type. Reports another type. `null` counts as absent: Xcode writes it for some keys.
  func expect(_ object: JSONValue, _ key: String, _ kind: Kind) -> JSONValue? {
    guard let value = object[key], !value.isNull else { return nil }
    if kind.fits(value) { return value }
    reader.report("wrong-type", at: value, "\"\(key)\" is \(kind.rawValue), not \(value.shortDescription).")
    return nil
  }

  /// The same for a required key.
  mutating func need(_ object: JSONValue, _ key: String, _ kind: Kind, _ mend: String) -> JSONValue? {
    if let value = object[key], value.isNull {
      reader.report("wrong-type", at: value, "\"\(key)\" is \(kind.rawValue), not null.")
      return nil
    }
    if object[key] == nil, !misspelt.contains(Misspelt(object: object.offset, key: key)) {
      let index = missingIndex[object] ?? missing.count
      if index == missing.count { missing.append(Missing(object: object)) }
      missingIndex[object] = index
      missing[index].keys.append((key, mend))
    }
    return expect(object, key, kind)
  }

  /// The same for a key that is in every file of Xcode, where it is unknown whether Xcode opens a file without it.
  func expectUsual(_ object: JSONValue, _ key: String, _ kind: Kind, _ mend: String) -> JSONValue? {
    if object[key] == nil, !misspelt.contains(Misspelt(object: object.offset, key: key)) {
      reader.report(
        .warning, "missing-key", at: object, "\"\(key)\" is missing, and Xcode may refuse the file without it. Add it, \(mend).")
    }
    return expect(object, key, kind)
  }

  /// Reports the missing keys of each object in one sentence.
  private func reportMissing() {
    for missing in missing {
      let names = missing.keys.map { "\"\($0.key)\"" }
      guard let last = names.last else { continue }
      let isOne = names.count == 1
      reader.report(
        "missing-key", at: missing.object,
        isOne
          ? "\(last) is missing. Add it, \(missing.keys[0].mend)."
          : "\(names.dropLast().joined(separator: ", ")) and \(last) are missing. Add them.")
    }
  }

  func isObject(_ value: JSONValue, _ what: String) -> Bool {
    if value.kind == .object { return true }
    reader.report("wrong-type", at: value, "Expected \(what), an object: { … }, but found \(value.shortDescription).")
    return false
  }

  /// Reports keys that are close to one that Xcode reads. Ignores other unknown keys, because newer versions of Xcode have more.
  mutating func guessKeys(_ object: JSONValue, _ known: [String], inventions: [String: String] = [:]) {
    for member in object.members where !known.contains(member.key) {
      let guess = inventions[member.key] ?? closestMatch(to: member.key, in: known.filter { object[$0] == nil }, within: 2)
      guard let guess else { continue }
      let key = quoted(member.key)
      let isNeeded = misspelt.insert(Misspelt(object: object.offset, key: guess)).inserted && Self.needed.contains(guess)
      reader.report(isNeeded ? .error : .warning, "misspelt-key", at: member, "Xcode does not read \(key). Did you mean \"\(guess)\"?")
    }
    let keys = object.members.map(\.key)
    guard Set(keys).count < keys.count else { return }
    var seen: Set<String> = []
    for member in object.members where !seen.insert(member.key).inserted {
      reader.report(
        .warning, "repeated-key", at: member, "\(quoted(member.key)) occurs twice in this object. Remove one of them.")
    }
  }

  mutating func internalID(_ value: JSONValue) {
    guard let id = value.string else { return }
    if let first = internalIDs[id] {
      reader.report(
        .warning, "repeated-internal-id", at: value,
        "Line \(first.line) already has the id \(quoted(id)). Change one of them.")
    }
    internalIDs[id] = internalIDs[id] ?? value.position
  }

  mutating func localizations(_ object: JSONValue, isNeeded: Bool = false) {
    let list = isNeeded ? need(object, "localizations", .array, "empty if there is none: []")?.elements : list(object, "localizations")
    for element in list ?? [] where isObject(element, "a localization") {
      let inventions = ["name": "displayName", "title": "displayName"].filter { element[$0.value] == nil }
      guessKeys(element, ["locale", "displayName", "description"], inventions: inventions)
      _ = need(element, "locale", .text, "such as \"en_US\"")
      for key in ["displayName", "description"] { _ = need(element, key, .text, "empty if there is none: \"\"") }
    }
  }
}
