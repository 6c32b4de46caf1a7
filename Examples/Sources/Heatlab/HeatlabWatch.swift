// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The watch: it has a monetizer of its own and asks the store itself. What the phone sends is a hint to ask again, and never an answer, so
/// that a lost message or a long queue of workouts costs nothing.
public struct HeatlabWatch: Sendable {
  /// The same questions as on the phone.
  public let pro: HeatlabPro

  /// Makes it from the watch's own monetizer.
  public init(_ monetizer: Monetizer) { pro = HeatlabPro(monetizer) }

  /// The app came to the foreground, or the phone said that something may have changed.
  public func check() async {
    await pro.monetizer.start()
    await pro.monetizer.refresh()
  }
}
