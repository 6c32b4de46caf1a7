// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The watch has its own monetizer and reads the store itself. A message from the phone is a hint to read again and never an answer, so a
/// lost message or a long queue of workouts does no harm.
public struct HeatlabWatch: Sendable {
  /// The same questions as on the phone.
  public let pro: HeatlabPro

  /// Makes it from the watch's own monetizer.
  public init(_ monetizer: Monetizer) { pro = HeatlabPro(monetizer) }

  /// Reads the store again: the app came to the foreground, or the phone sent a hint.
  public func check() async {
    await pro.monetizer.start()
    await pro.monetizer.refresh()
  }
}
