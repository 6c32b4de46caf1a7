// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON
import MonetizeSimulator

extension CatalogDocument {
  /// The answers to App Store Connect's privacy questions that follow from a catalog's file.
  /// - Throws: `CatalogError` for an invalid catalog.
  public static func privacy(of json: Data) throws(CatalogError) -> CatalogDocument {
    let catalog = try Catalog(json: json)
    guard let root = try? JSONDocument(parsing: [UInt8](json)).root else { throw CatalogError(diagnostics: []) }
    let subject = LintSubject(catalog, root)
    let declared = subject.root["privacy"]?["collected"]?.strings ?? []
    let implied = Dictionary(LintRule.impliedLabels(subject).map { ($0.label, $0.why) }) { first, _ in first }
    let rows = Set(declared).union(implied.keys).sorted().map { name in
      let label = PrivacyLabel.all[name]
      return [
        label?.type ?? name, label?.category ?? "–", implied[name].map { "because \($0)" } ?? "declared",
        declared.contains(name) ? "yes" : "missing in the catalog",
      ]
    }
    let isTracking = subject.root["privacy"]?["tracking"]?.bool == true
    let ads = subject.root["privacy"]?["ads"]?.string ?? "none"
    return CatalogDocument(
      "Privacy labels of \(catalog.app.name)",
      [
        rows.isEmpty
          ? .text("Data Not Collected. Monetize keeps its data on the device, and nothing in this catalog sends it elsewhere.")
          : .table(head: ["Data type", "Category", "Why", "In the catalog"], rows: rows),
        .list(
          [
            "Used to track: \(isTracking ? "yes" : "no")", "Advertising: \(ads)",
            "Privacy policy: \(catalog.legal?.privacy ?? "missing in the catalog")",
          ] + promises(subject), isChecked: false),
        .text("This covers the catalog only. Add the data that the app and its libraries collect."),
      ])
  }

  /// What the file promises for children and for health values, or that `monetize lint` found the opposite.
  private static func promises(_ subject: LintSubject) -> [String] {
    func promise(_ rules: [LintRule], _ text: String) -> String {
      let codes = rules.filter { !$0.check(subject).isEmpty }.map(\.code.rawValue)
      return codes.isEmpty ? text : "NOT MET: \(text) (\(enumeration(codes)) of monetize lint)"
    }
    let (kids, health) = (subject.isForKids, subject.catalog.app.domain == "health")
    return (kids ? [promise(LintRule.kidsData, "For children: no third-party analytics or advertising, no personal data in events")] : [])
      + (health ? [promise([LintRule.healthData], "Health values are neither kept nor sent by monetization")] : [])
  }

  /// The tests before a submission, and the deadlines of the store.
  public static func testFlight(of catalog: Catalog) -> CatalogDocument {
    CatalogDocument(
      "TestFlight checklist for \(catalog.app.name)",
      [
        .heading("Builds"), .list(builds(of: catalog.app), isChecked: true), .heading("Dates"),
        .list(
          [
            "31 January 2026: the new age rating questions are answered", "April 2026: uploads are built with the iOS 26 SDK or later",
          ], isChecked: true),
        .heading("What to test"), .list(tests(of: catalog), isChecked: true), .heading("App Store Connect"),
        .list(submission(of: catalog), isChecked: true),
      ])
  }

  private static func builds(of app: AppInfo) -> [String] {
    let names = ["iphone": "iPhone", "ipad": "iPad"]
    let devices = (app.devices ?? []).map { names[$0] ?? $0 }.joined(separator: ", ")
    return [
      "Lowest system: \(app.minimumOS.map { "iOS \($0)" } ?? "not recorded in the catalog")\(devices.isEmpty ? "" : ", on \(devices)")",
      "Built with the iOS 26 SDK, and the watchOS 26 SDK for a watch app", "Tried on physical devices, the oldest and the newest system",
    ]
  }

  private static func tests(of catalog: Catalog) -> [String] {
    let words = CatalogWords(catalog)
    let isFree = catalog.products.isEmpty
    var tests = isFree ? ["All features are open without a purchase"] : ReviewPath(catalog).steps
    tests += catalog.products.filter(\.isOnSale).map { product in
      let result =
        product.isTip ? "nothing is unlocked" : product.credits.isEmpty ? "its content opens at once" : "the credits are added at once"
      return "Buy \(words.product(product.id)) (\(product.id)), \(words.terms(product)): \(result)"
    }
    if !isFree { tests.append("Cancel a purchase: nothing changes, and no error is shown") }
    if catalog.products.contains(where: { type(of: $0.kind).isListed }) {
      tests.append("Delete the app, install it again and restore: purchases are back")
    }
    if catalog.products.contains(where: { type(of: $0.kind).renews }) {
      tests.append("Let the subscription renew and lapse: access continues, then ends")
    }
    if catalog.parentalGate != nil { tests.append("Fail the parental gate: nothing is bought, restored or opened") }
    return tests + ["Use the app without a network: \(isFree ? "everything" : "what was bought") stays open"]
  }

  private static func submission(of catalog: Catalog) -> [String] {
    let sold = CatalogWords.counted(catalog.products.filter(\.isOnSale).count, "product")
    return [
      catalog.products.isEmpty ? nil : "Every product is approved, or submitted with the build: \(sold)",
      "Privacy policy: \(catalog.legal?.privacy ?? "missing in the catalog")",
      catalog.legal?.terms.map { "Terms of use in the description: \($0)" }, "Privacy labels as in: monetize show --as privacy",
      "Review notes as in: monetize show --as review-notes",
    ].compactMap { $0 }
  }
}
