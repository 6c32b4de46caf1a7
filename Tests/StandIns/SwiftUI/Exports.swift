// SPDX-License-Identifier: Apache-2.0

// Apple's SwiftUI re-exports CoreGraphics, with `CGFloat` and `CGSize`. On Linux those are Foundation's.
@_exported public import Foundation
