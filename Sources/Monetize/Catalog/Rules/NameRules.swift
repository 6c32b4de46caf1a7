// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogDraft {
  func checkNames() {
    checkUniqueNames()
    for name in names { checkUsable(name) }
    checkRetiredNames()
    checkModules()
    checkMisspeltNames()
  }

  /// Identifiers must be unique: products, modules, the items and parts of a collection, and the entries of a paywall's lists. An alias must
  /// not be another feature's name.
  private func checkUniqueNames() {
    unique(
      products.map(\.value.id), { "Another product already has the id \"\($0)\". Remove one, or rename it." },
      at: { products[$0].source.at("id") })
    unique(
      catalog.modules.map(\.id), { "There is already a module \"\($0)\". Remove one, or rename it." }, at: { root.at("modules", $0, "id") })
    var names = Set(features.map(\.value.id))
    for feature in features {
      for (index, alias) in feature.value.aliases.enumerated() where !names.insert(alias).inserted {
        reader.report(
          "repeated-id", at: feature.source.at("aliases", index),
          "\"\(alias)\" is already the name or an alias of another feature. Remove one of them.")
      }
    }
    for collection in collections {
      let items = collection.source["items"]?.elements ?? []
      unique(
        collection.value.items.map(\.id), { "This collection already has an item \"\($0)\". Rename one of them." }, at: { items[$0] })
      unique(
        collection.value.parts, { "This collection already has a part \"\($0)\". Remove one." }, at: { collection.source.at("parts", $0) })
    }
    // A list on a screen identifies its rows by these names.
    for paywall in paywalls.values {
      func check(_ key: String, _ names: [String]?) {
        unique(names ?? [], { "This paywall already lists \"\($0)\". Remove one." }, at: { paywall.source.at(key, $0) })
      }
      check("products", paywall.value.products?.map(\.rawValue))
      check("actions", paywall.value.actions?.map(\.rawValue))
    }
  }

  /// Every identifier must be usable: not empty, no slash where paths are written with slashes, no control character where the store compares
  /// ids. Items are checked while they are read.
  private func checkUsable(_ name: Name) {
    switch name.what {
    case "a part":
      require(
        !name.text.isEmpty && !name.text.contains("/"), "bad-value", at: name.place(),
        "A part needs a name without a slash: paths are written collection/item/part.")
      return
    case "an item": return
    case "a collection":
      require(
        !name.text.contains("/"), "bad-id", at: name.place(),
        "A collection's id must not have a slash: paths are written collection/item/part. Rename \"\(name.text)\".")
    case "a product":
      require(
        !name.text.unicodeScalars.contains(where: Self.isUnwritable), "bad-id", at: name.place(),
        "A product's id contains an invisible character or a line end, which no store accepts. Use letters, digits, dots and underscores.")
    default: break
    }
    require(!name.text.allSatisfy(\.isWhitespace), "empty-id", at: name.place(), "The id of \(name.what) is empty. Write one.")
  }

  private static func isUnwritable(_ scalar: Unicode.Scalar) -> Bool {
    // Most ids are ASCII, and looking up a category takes longer than reading the id.
    if scalar.isASCII { return scalar.value < 32 || scalar.value == 127 }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// A retired identifier must not be used again, in any case: not as a name of anything, as a level, nor offered as a choice.
  private func checkRetiredNames() {
    let retired = Set(retired.map { $0.lowercased() })
    if retired.isEmpty { return }
    for name in names where retired.contains(name.text.lowercased()) && name.what != "the app" {
      reader.report(
        "retired-id", at: name.place(), "\"\(name.text)\" is retired and cannot be used as \(name.what) again. Choose another name.")
    }
    for place in features.flatMap({ $0.source["levels"]?.elements ?? [] }) {
      guard let level = place.string, retired.contains(level.lowercased()) else { continue }
      reader.report("retired-id", at: place, "\"\(level)\" is retired and cannot be used as a level again. Choose another name.")
    }
    for step in onboarding {
      for (index, choice) in step.value.choices.enumerated() where retired.contains(choice.lowercased()) {
        reader.report(
          "retired-id", at: step.source.at("choices", index), "\"\(choice)\" is retired and cannot be offered as a choice. Remove it.")
      }
    }
  }

  /// When a file declares modules, every dotted feature id or alias must begin with one of them.
  private func checkModules() {
    let modules = catalog.modules.map(\.id)
    let known = Set(modules)
    // The module may be one whose id is empty.
    if modules.contains(where: { $0.allSatisfy(\.isWhitespace) }) { return }
    for name in names where !known.isEmpty && ["a feature", "an alias"].contains(name.what) {
      guard let dot = name.text.firstIndex(of: "."), !known.contains(String(name.text[..<dot])) else { continue }
      reader.reportUnknown("module", String(name.text[..<dot]), among: modules, at: name.place())
    }
  }

  /// Roles, paywall actions, domains, devices and orientations are open sets: an app may define its own. A name one typo away from a known
  /// one (a letter missing, added or replaced, two swapped, or different case) is reported as misspelt. A choice of the onboarding that is
  /// one typo away from a part of the collections is reported as well.
  private func checkMisspeltNames() {
    func check(_ name: String, _ what: String, _ known: [String], at source: @autoclosure () -> JSONValue) {
      guard !known.contains(name), let meant = closestMatch(to: name, in: known, within: 1) else { return }
      reader.report(.init(rawValue: "unknown-\(what)"), at: source(), "There is no \(what) \"\(name)\". Did you mean \"\(meant)\"?")
    }
    func check(_ names: [String]?, _ what: String, _ known: [String], at place: (Int) -> JSONValue) {
      for (index, name) in (names ?? []).enumerated() { check(name, what, known, at: place(index)) }
    }
    // Devices and orientations are compared without case and spaces, as in "Apple Watch".
    func letters(_ name: String) -> String { name.lowercased().filter(\.isLetter) }
    let place = root.at("app")
    if let domain = app?.domain { check(domain, "domain", ["health"], at: place.at("domain")) }
    let devices = ["iphone", "ipad", "ipod", "mac", "watch", "applewatch", "appletv", "vision", "applevision"]
    check(app?.devices?.map(letters), "device", devices) { place.at("devices", $0) }
    check(app?.orientations?.map(letters), "orientation", ["portrait", "landscape"]) { place.at("orientations", $0) }
    let parts = parts ?? Set(collections.flatMap(\.value.parts)).sorted()
    for step in onboarding { check(step.value.choices, "part", parts) { step.source.at("choices", $0) } }
    let roles = [Member.Role.customer, .parent, .child, .guest, .demo].map(\.rawValue)
    for feature in features where feature.source["roles"] != nil {
      check(feature.value.roles?.map(\.rawValue), "role", roles) { feature.source.at("roles", $0) }
    }
    let actions = [PaywallAction.purchase, .upgrade, .restore, .manage, .redeem, .dismiss].map(\.rawValue)
    for paywall in paywalls.values {
      check(paywall.value.actions?.map(\.rawValue), "action", actions) { paywall.source.at("actions", $0) }
      for action in (paywall.value.labels ?? [:]).keys { check(action, "action", actions, at: paywall.source.at("labels", action)) }
    }
  }
}
