// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The clock of one device: a true clock, plus the device's error.
///
/// Wake-ups use the device's time. Setting the device's clock can make wake-ups due: these fire at the next move of the true clock, or at
/// once with the store's ``SimulatedStore/setClock(_:device:)``.
public final class DeviceClock: TimeSource {
  private struct Entry: Sendable {
    let date: Date
    let action: @Sendable () -> Void
    var wakeUp: WakeUp?
  }

  private struct State: Sendable {
    var offset: TimeInterval = 0
    var registered = 0
    var entries: [Int: Entry] = [:]
  }

  /// The true time.
  public let trueClock: ManualClock
  private let state = Locked(State())

  /// Makes a clock that shows the true time.
  public init(_ trueClock: ManualClock) { self.trueClock = trueClock }

  /// The time on the device.
  public var now: Date { trueClock.now.addingTimeInterval(offset) }

  /// How many seconds the device is ahead of the true time; negative when it is behind.
  public var offset: TimeInterval { state.withLock { $0.offset } }

  /// Calls `action` when the device's clock reaches `date`.
  public func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp {
    let (number, offset) = state.withLock { state in
      state.registered += 1
      state.entries[state.registered] = Entry(date: date, action: action)
      return (state.registered, state.offset)
    }
    arm(number, at: date.addingTimeInterval(-offset))
    return WakeUp { [weak self] in self?.forget(number) }
  }

  /// Sets the device's clock to an instant, from which it continues; `nil` corrects it.
  public func set(_ belief: Date?) {
    let offset = belief.map { $0.timeIntervalSince(trueClock.now) } ?? 0
    let pending = state.withLock { state -> [(Int, Date)] in
      state.offset = offset
      return state.entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value.date.addingTimeInterval(-offset)) }
    }
    for (number, date) in pending { arm(number, at: date) }
  }

  private func arm(_ number: Int, at date: Date) {
    let wakeUp = trueClock.wake(at: date) { [weak self] in self?.fire(number) }
    // The old wake-up is released outside the lock: releasing it takes the true clock's lock.
    let old = state.withLock { state -> WakeUp? in
      guard var entry = state.entries[number] else { return wakeUp }
      let old = entry.wakeUp
      entry.wakeUp = wakeUp
      state.entries[number] = entry
      return old
    }
    old?.cancel()
  }

  private func fire(_ number: Int) { state.withLock { $0.entries.removeValue(forKey: number) }?.action() }

  private func forget(_ number: Int) { state.withLock { $0.entries.removeValue(forKey: number) }?.wakeUp?.cancel() }
}
