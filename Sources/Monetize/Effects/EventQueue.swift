// SPDX-License-Identifier: Apache-2.0

/// A set of streams to observers. Removes an ended stream at the next value.
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

  /// Ends all streams, including those added later. The caller finishes them, outside its lock.
  mutating func end() -> [AsyncStream<Element>.Continuation] {
    defer { (continuations, isOver) = ([], true) }
    return continuations
  }
}

/// Delivers events one after another, in order and outside all locks.
final class EventQueue: Sendable {
  /// The number of events that a stream buffers for a slow reader.
  static let buffer = 1000

  private struct State: Sendable {
    var waiting: [MonetizeEvent] = []
    var isTelling = false
    var watchers = Watchers<MonetizeEvent>()
  }
  private let state = Locked(State())
  private let onEvent: (@Sendable (MonetizeEvent) -> Void)?

  init(_ onEvent: (@Sendable (MonetizeEvent) -> Void)?) { self.onEvent = onEvent }

  /// Whether there is a listener, so that expensive events are computed only when needed.
  var isHeard: Bool { onEvent != nil || !state.copy.watchers.isEmpty }

  /// Delivers events. Events caused by the app's handler are delivered after it returns; one thread delivers until the queue is empty.
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

  /// A stream of all events from now on.
  func stream() -> AsyncStream<MonetizeEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MonetizeEvent.self, bufferingPolicy: .bufferingNewest(Self.buffer))
    state.withLock { $0.watchers.add(continuation) }
    return stream
  }

  func end() { for continuation in state.withLock({ $0.watchers.end() }) { continuation.finish() } }
}
