// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import SwiftUI

  private enum BrowserKey: EnvironmentKey {
    static var defaultValue: Bool {
      #if os(tvOS) || os(watchOS)
        false
      #else
        true
      #endif
    }
  }

  private enum CodeEntryKey: EnvironmentKey {
    static var defaultValue: Bool {
      #if os(iOS) || os(visionOS) || STAND_INS
        if #available(iOS 16.0, visionOS 1.0, *) { true } else { false }
      #else
        false
      #endif
    }
  }

  extension EnvironmentValues {
    /// Whether the system has an entry of offer codes. Elsewhere a code is redeemed in the App Store.
    var hasCodeEntry: Bool {
      get { self[CodeEntryKey.self] }
      set { self[CodeEntryKey.self] = newValue }
    }

    /// Whether the system opens web pages. tvOS and watchOS have no browser: a tap on a link does nothing there, so its address is shown.
    var hasBrowser: Bool {
      get { self[BrowserKey.self] }
      set { self[BrowserKey.self] = newValue }
    }
  }
#endif
