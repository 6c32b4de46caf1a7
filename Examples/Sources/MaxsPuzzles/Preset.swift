// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// How hard a quick game is: one of ten presets, or settings of one's own.
public enum Preset: Sendable, Hashable {
  /// 1 to 10.
  case level(Int)
  /// Settings of one's own.
  case custom

  /// How the framework calls it: `presets/3`, `presets/custom`.
  public var path: ItemPath {
    switch self {
    case .level(let number): ItemPath(collection: .presets, item: "\(number)")
    case .custom: ItemPath(collection: .presets, item: "custom")
    }
  }
}
