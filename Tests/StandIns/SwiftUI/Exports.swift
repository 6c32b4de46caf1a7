// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Apple's SwiftUI re-exports CoreGraphics, with `CGFloat` and `CGSize`. On Linux those are Foundation's.
@_exported public import Foundation
