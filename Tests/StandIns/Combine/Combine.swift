// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Apple's Combine on Linux: only what MonetizeUI, MonetizePreview and the SwiftUI stand-in use, with Apple's declarations.
// Docs/ApplePlatforms-SwiftUI.md lists every symbol with its source. Never a product.

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  func receive<S>(subscriber: S) where S: Subscriber, Self.Failure == S.Failure, Self.Output == S.Input
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public protocol Subscriber<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error
  func receive(_ input: Self.Input)
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public protocol Cancellable {
  func cancel()
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public final class AnyCancellable: Cancellable, Hashable {
  private var end: (() -> Void)?
  public init(_ cancel: @escaping () -> Void) { end = cancel }
  deinit { cancel() }
  public func cancel() {
    end?()
    end = nil
  }
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
extension Publisher where Self.Failure == Never {
  public func sink(receiveValue: @escaping ((Self.Output) -> Void)) -> AnyCancellable {
    let sink = Sink(receive: receiveValue)
    receive(subscriber: sink)
    return AnyCancellable { sink.receive = nil }
  }
}

private final class Sink<Input>: Subscriber {
  typealias Failure = Never
  var receive: ((Input) -> Void)?
  init(receive: @escaping (Input) -> Void) { self.receive = receive }
  func receive(_ input: Input) { receive?(input) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher where Self.ObjectWillChangePublisher.Failure == Never
  var objectWillChange: Self.ObjectWillChangePublisher { get }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
extension ObservableObject where Self.ObjectWillChangePublisher == ObservableObjectPublisher {
  public var objectWillChange: ObservableObjectPublisher { Publishers.of(self) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
final public class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never
  private var subscribers: [() -> Void] = []
  public init() {}
  final public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Void {
    subscribers.append { subscriber.receive(()) }
  }
  final public func send() { for subscriber in subscribers { subscriber() } }
}

/// The publishers of objects that declare none: one for each object, for as long as it lives. Used on the main thread only.
private enum Publishers {
  private final class Entry {
    weak var object: AnyObject?
    let publisher = ObservableObjectPublisher()
    init(_ object: AnyObject) { self.object = object }
  }
  nonisolated(unsafe) private static var entries: [ObjectIdentifier: Entry] = [:]

  static func of(_ object: AnyObject) -> ObservableObjectPublisher {
    if let known = entries[ObjectIdentifier(object)], known.object === object { return known.publisher }
    entries = entries.filter { $0.value.object != nil }
    let entry = Entry(object)
    entries[ObjectIdentifier(object)] = entry
    return entry.publisher
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@propertyWrapper public struct Published<Value> {
  private var value: Value
  public init(wrappedValue: Value) { value = wrappedValue }
  public init(initialValue: Value) { value = initialValue }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  public static subscript<EnclosingSelf>(
    _enclosingInstance object: EnclosingSelf, wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value where EnclosingSelf: AnyObject {
    get { object[keyPath: storageKeyPath].value }
    set {
      if let observable = object as? any ObservableObject { (observable.objectWillChange as? ObservableObjectPublisher)?.send() }
      object[keyPath: storageKeyPath].value = newValue
    }
  }
}
