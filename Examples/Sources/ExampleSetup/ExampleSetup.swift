// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeStoreKit
public import MonetizeUI

/// What the example apps share: the catalog from the app's bundle, and where the state is kept.
public enum ExampleSetup: Sendable {
  /// The catalog of an app: from its bundle, and from this repository where there is no bundle.
  /// - Throws: ``Monetize/CatalogError`` with every mistake of the file.
  public static func catalog(_ name: String) throws -> Catalog {
    let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try Catalog(
      contentsOf: Bundle.main.url(forResource: name, withExtension: "json")
        ?? repository.appendingPathComponent("Products/\(name).json"))
  }

  /// The owner of an app's monetizer: it sells in the App Store and keeps its state in a file.
  @MainActor public static func model(_ catalog: Catalog) -> MonetizerModel {
    #if os(tvOS)
      let place = FileManager.SearchPathDirectory.cachesDirectory  // the only one that an app may write there
    #else
      let place = FileManager.SearchPathDirectory.applicationSupportDirectory
    #endif
    let folder = FileManager.default.urls(for: place, in: .userDomainMask).first ?? FileManager.default.temporaryDirectory
    return MonetizerModel(catalog: catalog) {
      $0.store = .appStore
      $0.storage = .file(folder.appendingPathComponent("\(catalog.app.id).state"))
    }
  }
}
