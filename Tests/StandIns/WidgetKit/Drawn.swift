// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Not part of WidgetKit: a configuration that the stand-in has no body for.

import SwiftUI

extension StaticConfiguration {
  public typealias Body = Never
}
