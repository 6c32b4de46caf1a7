// SPDX-License-Identifier: Apache-2.0
import Foundation

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
  /// The number of events kept for a reader that is slow or starts late.
  static let buffer = 1000

  private struct State: Sendable {
    var waiting: [MonetizeEvent] = []
    var isDelivering = false
    var watchers = Watchers<MonetizeEvent>()
    var latest: [MonetizeEvent] = []
  }
  private let state = Locked(State())
  /// Returns the store's environment and the catalog with its overlays, for new events.
  let now = Locked<(@Sendable () -> (environment: StoreEnvironment?, catalog: Catalog)?)?>(nil)
  private let catalog: Catalog
  private let isSimulated: Bool
  /// The app's handler and its sinks.
  private let receivers: [@Sendable (MonetizeEvent) -> Void]

  init(_ configuration: MonetizeConfiguration, _ catalog: Catalog) {
    (self.catalog, isSimulated) = (catalog, configuration.store.isSimulated)
    let allowed = catalog.events?.sinks ?? [.local]
    let isForKids = catalog.app.audience == .kids
    let sinks = configuration.sinks.filter { allowed.contains($0.reach) && !(isForKids && $0.reach == .thirdParty) }
    receivers =
      [configuration.onEvent].compactMap { $0 }
      + sinks.map { [now] sink in
        switch sink {
        case .local(let receive): { receive(EventRecord($0)) }
        case .sending(_, let send): { send(SharedEvent($0, now.copy?()?.catalog ?? catalog)) }
        }
      }
  }

  /// Whether anything listens, so that expensive events are computed only when needed.
  var hasListeners: Bool { !receivers.isEmpty || !state.copy.watchers.isEmpty }

  /// Delivers events. Events caused by the app's handler are delivered after it returns; one thread delivers until the queue is empty.
  func send(_ events: [MonetizeEvent]) {
    if events.isEmpty { return }
    let environment = now.copy?()?.environment
    let events = events.flatMap { event in
      var event = event
      (event.environment, event.isSimulated) = (environment, isSimulated)
      return catalog.events?.named(event) ?? [event]
    }
    let delivers = state.withLock { state in
      for event in events { state.watchers.yield(event) }
      state.latest += events
      // Removes half of them at once, so that each event is moved about once.
      if state.latest.count > 2 * Self.buffer { state.latest.removeFirst(state.latest.count - Self.buffer) }
      if receivers.isEmpty { return false }
      state.waiting += events
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard delivers else { return }
    while true {
      let events = state.withLock { state -> [MonetizeEvent] in
        defer { (state.waiting, state.isDelivering) = ([], !state.waiting.isEmpty) }
        return state.waiting
      }
      if events.isEmpty { return }
      for event in events { for receive in receivers { receive(event) } }
    }
  }

  /// A stream of the events since the start, at most the latest ``buffer``, and of all events from now on.
  func stream() -> AsyncStream<MonetizeEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MonetizeEvent.self, bufferingPolicy: .bufferingNewest(Self.buffer))
    state.withLock { state in
      for event in state.latest.suffix(Self.buffer) { continuation.yield(event) }
      state.watchers.add(continuation)
    }
    return stream
  }

  /// Whether an event of this name is among the latest ones, after `date`.
  func hasHappened(_ name: MonetizeEvent.Name, after date: Date) -> Bool {
    state.copy.latest.reversed().contains { $0.name == name && $0.date > date }
  }

  func end() { for continuation in state.withLock({ $0.watchers.end() }) { continuation.finish() } }
}
