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

  extension EnvironmentValues {
    /// Whether the system opens web pages. tvOS and watchOS have no browser: a tap on a link does nothing there, so its address is shown.
    var hasBrowser: Bool {
      get { self[BrowserKey.self] }
      set { self[BrowserKey.self] = newValue }
    }
  }
#endif
