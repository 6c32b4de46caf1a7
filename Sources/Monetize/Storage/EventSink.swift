// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Receives events that stay on the device: one at a time, in order, on the thread that caused the event.
public protocol LocalEventSink: Sendable {
  /// Receives an event.
  func receive(_ event: EventRecord)
}

/// Sends events off the device. The type of the events has no field for personal data.
public protocol RemoteEventSink: Sendable {
  /// Whether it sends to a server that is not the app's own.
  var isThirdParty: Bool { get }
  /// Receives an event, on the thread that caused it. Must not block: send the event from another thread.
  func receive(_ event: SharedEvent)
}

/// A receiver of events. The catalog's `events.sinks` lists the allowed reaches; other sinks get no events.
public enum EventSink: Sendable {
  /// A sink that keeps events on the device.
  case local(any LocalEventSink)
  /// A sink that sends events off the device.
  case remote(any RemoteEventSink)

  /// A sink that calls a closure, which sends the events.
  public static func sending(thirdParty: Bool = false, _ body: @escaping @Sendable (SharedEvent) -> Void) -> EventSink {
    .remote(RemoteClosure(isThirdParty: thirdParty, body: body))
  }
  /// Appends JSON lines to a file, which is created if necessary and which only its owner can read and write (mode 600). Events that cannot
  /// be written are dropped.
  public static func file(_ url: URL) -> EventSink { .local(EventFile(url)) }

  var reach: EventVocabulary.Reach {
    switch self {
    case .local: .local
    case .remote(let sink): sink.isThirdParty ? .thirdParty : .firstParty
    }
  }
}

private struct RemoteClosure: RemoteEventSink {
  let isThirdParty: Bool
  let body: @Sendable (SharedEvent) -> Void
  func receive(_ event: SharedEvent) { body(event) }
}

/// Keeps events in memory, for tests and previews.
public final class MemoryEventSink: LocalEventSink {
  private let kept = Locked<[EventRecord]>([])
  /// Makes an empty sink.
  public init() {}
  /// All received events, in order.
  public var events: [EventRecord] { kept.copy }
  /// Keeps an event.
  public func receive(_ event: EventRecord) { kept.withLock { $0.append(event) } }
}

private struct EventFile: LocalEventSink {
  private let path: String
  init(_ url: URL) { path = url.path }

  func receive(_ event: EventRecord) { try? SystemFiles().append(Array((event.line() + "\n").utf8), to: path) }
}
