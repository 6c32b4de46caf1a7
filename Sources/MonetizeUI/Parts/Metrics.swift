// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import Foundation
  import SwiftUI

  /// Lengths of the default views, in points.
  enum Metrics {
    #if os(watchOS)
      static let margin: CGFloat = 8
      static let spacing: CGFloat = 10
      static let key: CGFloat = 28
    #else
      static let margin: CGFloat = 24
      static let spacing: CGFloat = 20
      static let key: CGFloat = 36
    #endif
    static let corner: CGFloat = 14
    /// The largest width of a column of text.
    static let column: CGFloat = 520
    static let keys: CGFloat = 320
    /// The smallest width at which a paywall in landscape has two columns.
    static let wide: CGFloat = 700
  }

  extension View {
    /// Large controls, if the system has them.
    func largeControls() -> some View {
      #if os(tvOS) || os(watchOS)
        self
      #else
        controlSize(.large)
      #endif
    }

    /// A size for a sheet, on systems whose sheets fit their content.
    func sheetSize() -> some View {
      #if os(macOS)
        frame(minWidth: 480, idealWidth: 560, minHeight: 560, idealHeight: 680)
      #else
        self
      #endif
    }
  }
#endif
