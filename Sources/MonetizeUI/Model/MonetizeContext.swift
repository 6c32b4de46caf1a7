// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import Foundation
  public import Monetize
  public import SwiftUI

  /// The values of the monetizer that views read, in the environment.
  struct MonetizeContext {
    var model: MonetizerModel?
    /// The latest snapshot. Views that read this value are drawn again when it changes.
    var snapshot: Snapshot?
    /// The presenter of paywalls in this part of the app.
    var presenter: Presenter?
    /// The place of the confirmation of purchases.
    var place: StoreObject?

    /// What to show for a request. Reads the monetizer itself, so that no view shows an older answer. Without a monetizer nothing is open,
    /// and nothing is offered.
    @MainActor func access(to request: AccessRequest) -> FeatureAccess {
      guard let model else {
        MissingMonetizer.report()
        return .waiting(.denied(.unknown))
      }
      return model.monetizer.access(to: request)
    }
  }

  enum MissingMonetizer {
    @MainActor private static var isReported = false

    /// Prints a message for developers once, in debug builds.
    @MainActor static func report() {
      #if DEBUG
        if isReported { return }
        isReported = true
        FileHandle.standardError.write(
          Data(
            "Monetize: a view uses a feature but has no monetizer in its environment. Add .monetizer(_:) to the app's first view.\n"
              .utf8))
      #endif
    }
  }

  private enum MonetizeContextKey: EnvironmentKey {
    static var defaultValue: MonetizeContext { MonetizeContext() }
  }

  extension EnvironmentValues {
    var monetize: MonetizeContext {
      get { self[MonetizeContextKey.self] }
      set { self[MonetizeContextKey.self] = newValue }
    }

    /// The app's monetizer, from ``SwiftUI/View/monetizer(_:confirmIn:)``; `nil` without one.
    public var monetizer: Monetizer? { monetize.model?.monetizer }

    /// The latest snapshot of the app's monetizer; `nil` without one. A view that reads it is drawn again after each change.
    public var monetizerSnapshot: Snapshot? { monetize.snapshot }
  }
#endif
