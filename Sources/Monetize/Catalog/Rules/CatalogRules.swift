// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Requirements on a catalog beyond its structure. One file per subject. All are checked, so that one pass shows all mistakes.
extension CatalogDraft {
  func check() {
    checkNames()
    checkFeatures()
    checkProducts()
    checkClaims()
    checkPaywalls()
    checkApp()
    checkEvents()
    checkOnboarding()
    checkExperiments()
  }

  // MARK: Helpers

  /// Whether a mistake was found in a value or anything inside it. Consequences of such a mistake are not reported.
  func isBroken(_ value: JSONValue) -> Bool { reader.hasErrors(in: value) }

  /// Whether the values of these keys in an object were read. An absent one counts only in an object without mistakes: its key may be
  /// misspelt.
  func isKnown(_ object: JSONValue, _ keys: String...) -> Bool {
    keys.allSatisfy { key in !isBroken(object[key] ?? object) }
  }

  func require(_ isMet: Bool, _ code: Diagnostic.Code, at place: @autoclosure () -> JSONValue, _ message: @autoclosure () -> String) {
    if !isMet { reader.report(code, at: place(), message()) }
  }

  /// Reports each name that stood in a list before. `place` is the place of the name with an index.
  func unique<Name: Hashable>(_ names: [Name], _ message: (Name) -> String, at place: (Int) -> JSONValue) {
    var seen = Set<Name>(minimumCapacity: names.count)
    for (index, name) in names.enumerated() where !seen.insert(name).inserted {
      reader.report("repeated-id", at: place(index), message(name))
    }
  }

  /// Whether an identifier is or may be declared. Reports one that is certainly undeclared.
  @discardableResult
  func isDeclared(_ id: (some StringIdentifier)?, _ what: Declared, at place: @autoclosure () -> JSONValue) -> Bool {
    guard let name = id?.rawValue, let known = declared[what], !known.contains(name) else { return true }
    let fix = what == .placement ? "Declare it under \"paywalls\"." : nil
    reader.reportUnknown(what.rawValue, name, among: known.sorted(), at: place(), or: fix)
    return false
  }

  /// Reports the identifiers of a list that are certainly undeclared. `place` is the place of the one with an index.
  func areDeclared(_ ids: [some StringIdentifier]?, _ what: Declared, at place: (Int) -> JSONValue) {
    for (index, id) in (ids ?? []).enumerated() { isDeclared(id, what, at: place(index)) }
  }
}
