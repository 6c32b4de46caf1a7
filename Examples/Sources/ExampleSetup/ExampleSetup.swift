// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeStoreKit
public import MonetizeUI

/// What the example apps share: the catalog from the app's bundle, and where the state is kept.
public enum ExampleSetup: Sendable {
  /// The catalog of an app in the customer's language, from its bundle; from this repository when the app runs without a bundle.
  /// - Throws: ``Monetize/CatalogError`` with every mistake of the file.
  public static func catalog(_ name: String) throws -> Catalog {
    let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = Bundle.main.url(forResource: name, withExtension: "json") ?? repository.appendingPathComponent("Products/\(name).json")
    return try Catalog(contentsOf: file).localized(in: file.deletingLastPathComponent().appendingPathComponent("strings/\(name)"))
  }

  /// The app group of the fitness app and its widget.
  public static let heatlabGroup = "group.com.heatlab"
  /// The name by which the fitness app reloads its widget.
  public static let heatlabWidget = "com.heatlab.insight"

  /// The state file of an app: in the container of its app group, if it has one.
  public static func state(of catalog: Catalog, group: String? = nil) -> URL {
    #if os(tvOS)
      let place = FileManager.SearchPathDirectory.cachesDirectory  // the only one that an app may write there
    #else
      let place = FileManager.SearchPathDirectory.applicationSupportDirectory
    #endif
    var folder = FileManager.default.urls(for: place, in: .userDomainMask).first ?? FileManager.default.temporaryDirectory
    #if canImport(Darwin)
      if let group, let shared = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) { folder = shared }
    #endif
    return folder.appendingPathComponent("\(catalog.app.id).state")
  }

  /// The owner of an app's monetizer: it sells in the App Store and keeps its state in a file. Make it once, when the app is launched: the
  /// store's updates arrive from then on, in every window.
  @MainActor public static func model(_ catalog: Catalog, group: String? = nil) -> MonetizerModel {
    MonetizerModel(catalog: catalog) {
      $0.store = .appStore
      $0.storage = .file(state(of: catalog, group: group))
    }
  }
}
