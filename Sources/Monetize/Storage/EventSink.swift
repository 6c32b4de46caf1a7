// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A receiver of events. The catalog's `events.sinks` lists the allowed reaches; other sinks get no events.
public enum EventSink: Sendable {
  /// Receives events that stay on the device: one at a time, in order, on the thread that caused the event.
  case local(_ receive: @Sendable (EventRecord) -> Void)
  /// Sends events off the device; `thirdParty` to a server that is not the app's own. The type of the events has no field for personal data.
  /// Called on the thread that caused the event, so it must not block: send the event from another thread.
  case sending(thirdParty: Bool = false, _ send: @Sendable (SharedEvent) -> Void)

  /// Appends JSON lines to a file, which is created if necessary and which only its owner can read and write (mode 600). Events that cannot
  /// be written are dropped.
  public static func file(_ url: URL) -> EventSink {
    .local { event in try? SystemFiles().append(Array((event.line() + "\n").utf8), to: url.path) }
  }

  var reach: EventVocabulary.Reach {
    switch self {
    case .local: .local
    case .sending(let isThirdParty, _): isThirdParty ? .thirdParty : .firstParty
    }
  }
}

/// Keeps events in memory, for tests and previews.
public final class MemoryEventSink: Sendable {
  private let kept = Locked<[EventRecord]>([])
  /// Makes an empty sink.
  public init() {}
  /// All received events, in order.
  public var events: [EventRecord] { kept.copy }
  /// Keeps an event. Use it as `.local(sink.receive)`.
  public func receive(_ event: EventRecord) { kept.withLock { $0.append(event) } }
}
