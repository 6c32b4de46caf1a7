// SPDX-License-Identifier: Apache-2.0

// UIKit's names that StoreKit's signatures mention. They are here, because a module named UIKit would be seen by every target of the build.

/// UIKit's scene.
@MainActor open class UIScene {
  /// Makes a scene.
  public init() {}
}

/// UIKit's scene of windows.
@MainActor public final class UIWindowScene: UIScene {}

/// UIKit's view controller.
@MainActor open class UIViewController {
  /// Makes a view controller.
  public init() {}
}
