// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// A StoreKit configuration of Xcode.
enum StoreKitInput {
  static func run(_ input: Data) {
    _ = StoreKitCheckReport(input, path: "file").text
    _ = StoreKitFile.hidingKeys(in: input)
    guard var file = try? StoreKitFile(input) else { return }
    law(file.text.utf8.elementsEqual(input), "a file that is not changed is written in another way")
    _ = (file.products, file.prices, file.simulatedProducts)
    if let catalog = try? Catalog(json: Data(file.imported(appName: "App").json.utf8)) { update(&file, from: catalog) }
    for catalog in Seeds.selling { update(&file, from: catalog) }
  }

  /// An update makes the file that a second update leaves as it is.
  private static func update(_ file: inout StoreKitFile, from catalog: Catalog) {
    _ = StoreKitDifferenceReport(catalog, file).text
    file.update(from: catalog)
    law(file.differences(from: catalog).allSatisfy { $0.code == "not-in-catalog" }, "an updated file differs from its catalog")
    guard var again = try? StoreKitFile(Data(file.text.utf8)) else { return law(false, "an updated file cannot be read") }
    again.update(from: catalog)
    law(again.text == file.text, "a second update changes something")
  }
}
