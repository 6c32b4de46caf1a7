// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Takes events that stay on the device. They come one after another, in order, on a thread where something happened.
public protocol LocalEventSink: Sendable {
  /// Takes an event.
  func receive(_ event: EventRecord)
}

/// Sends events off the device. What it is given has no place for anything personal.
public protocol RemoteEventSink: Sendable {
  /// Whether it sends to a server that is not the app's own.
  var isThirdParty: Bool { get }
  /// Takes an event. It comes on a thread where something happened: hand it on, and send it elsewhere.
  func receive(_ event: SharedEvent)
}

/// A receiver of events. The catalog's `events.sinks` lists the allowed reaches; a sink of another reach gets nothing.
public enum EventSink: Sendable {
  /// One that stays on the device.
  case local(any LocalEventSink)
  /// One that sends.
  case remote(any RemoteEventSink)

  /// Calls a closure with what stays on the device.
  public static func calling(_ body: @escaping @Sendable (EventRecord) -> Void) -> EventSink { .local(LocalClosure(body: body)) }
  /// Calls a closure that sends.
  public static func sending(thirdParty: Bool = false, _ body: @escaping @Sendable (SharedEvent) -> Void) -> EventSink {
    .remote(RemoteClosure(isThirdParty: thirdParty, body: body))
  }
  /// Appends JSON lines to a file, which is made where it is missing. What cannot be written is dropped.
  public static func file(_ url: URL) -> EventSink { .local(EventFile(url)) }

  var reach: EventVocabulary.Reach {
    switch self {
    case .local: .local
    case .remote(let sink): sink.isThirdParty ? .thirdParty : .firstParty
    }
  }
}

private struct LocalClosure: LocalEventSink {
  let body: @Sendable (EventRecord) -> Void
  func receive(_ event: EventRecord) { body(event) }
}

private struct RemoteClosure: RemoteEventSink {
  let isThirdParty: Bool
  let body: @Sendable (SharedEvent) -> Void
  func receive(_ event: SharedEvent) { body(event) }
}

/// Keeps events in memory, for tests and previews.
public final class MemoryEventSink: LocalEventSink {
  private let kept = Locked<[EventRecord]>([])
  /// Makes an empty one.
  public init() {}
  /// All that it was given, in order.
  public var events: [EventRecord] { kept.copy }
  /// Keeps an event.
  public func receive(_ event: EventRecord) { kept.withLock { $0.append(event) } }
}

/// A file of JSON lines.
private struct EventFile: LocalEventSink {
  private let url: URL
  init(_ url: URL) { self.url = url }

  func receive(_ event: EventRecord) {
    let data = Data((event.line() + "\n").utf8)
    guard let file = try? FileHandle(forWritingTo: url) else {
      _ = FileManager.default.createFile(atPath: url.path, contents: data)
      return
    }
    defer { try? file.close() }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: data)
  }
}
