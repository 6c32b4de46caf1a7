// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The difficulty of a quick game: one of ten presets, or custom settings.
public enum Preset: Sendable, Hashable {
  /// 1 to 10.
  case level(Int)
  /// Custom settings.
  case custom

  /// The item's path in the framework: `presets/3`, `presets/custom`.
  public var path: ItemPath {
    switch self {
    case .level(let number): ItemPath(collection: .presets, item: "\(number)")
    case .custom: ItemPath(collection: .presets, item: "custom")
    }
  }
}
