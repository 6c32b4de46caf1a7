// SPDX-License-Identifier: Apache-2.0

/// The streams of those who watch something. One that ended is forgotten with the next value.
struct Watchers<Element: Sendable>: Sendable {
  private var continuations: [AsyncStream<Element>.Continuation] = []
  private var isOver = false

  var isEmpty: Bool { continuations.isEmpty }

  mutating func add(_ continuation: AsyncStream<Element>.Continuation) {
    if isOver { continuation.finish() } else { continuations.append(continuation) }
  }

  mutating func yield(_ element: Element) {
    continuations.removeAll { if case .terminated = $0.yield(element) { true } else { false } }
  }

  /// Ends all streams, also those of watchers who come later. They are ended by the caller, outside its lock.
  mutating func end() -> [AsyncStream<Element>.Continuation] {
    defer { (continuations, isOver) = ([], true) }
    return continuations
  }
}

/// Tells what has happened: one event after another, in order, and outside of all locks.
final class EventQueue: Sendable {
  /// How many events a stream keeps for a slow reader.
  static let buffer = 1000

  private struct State: Sendable {
    var waiting: [MonetizeEvent] = []
    var isTelling = false
    var watchers = Watchers<MonetizeEvent>()
  }
  private let state = Locked(State())
  private let onEvent: (@Sendable (MonetizeEvent) -> Void)?

  init(_ onEvent: (@Sendable (MonetizeEvent) -> Void)?) { self.onEvent = onEvent }

  /// Whether anybody listens, so that what is costly to find out is found out.
  var isHeard: Bool { onEvent != nil || !state.copy.watchers.isEmpty }

  /// Tells events. What the app does in its handler comes after them: a thread that tells goes on until nothing waits.
  func tell(_ events: [MonetizeEvent]) {
    let tells = state.withLock { state in
      for event in events { state.watchers.yield(event) }
      guard onEvent != nil, !events.isEmpty else { return false }
      state.waiting += events
      defer { state.isTelling = true }
      return !state.isTelling
    }
    guard tells else { return }
    while true {
      let events = state.withLock { state -> [MonetizeEvent] in
        defer { (state.waiting, state.isTelling) = ([], !state.waiting.isEmpty) }
        return state.waiting
      }
      if events.isEmpty { return }
      for event in events { onEvent?(event) }
    }
  }

  /// Everything that happens from now on.
  func stream() -> AsyncStream<MonetizeEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MonetizeEvent.self, bufferingPolicy: .bufferingNewest(Self.buffer))
    state.withLock { $0.watchers.add(continuation) }
    return stream
  }

  func end() { for continuation in state.withLock({ $0.watchers.end() }) { continuation.finish() } }
}
