// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Foundation
  public import Monetize

  /// The report of products that the App Store does not sell.
  public enum MissingProducts: Sendable {
    /// Prints to standard error in debug builds.
    public static let report: @Sendable ([ProductID]) -> Void = { ids in
      #if DEBUG
        let names = ids.map(\.rawValue).joined(separator: ", ")
        let text =
          "Monetize: The App Store does not sell \(names) here. Check the ids, the agreements in App Store Connect, and the storefront.\n"
        FileHandle.standardError.write(Data(text.utf8))
      #endif
    }
  }
#endif
