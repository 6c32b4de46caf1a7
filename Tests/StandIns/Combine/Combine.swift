// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms-SwiftUI.md lists it; StandInTableTests compares the two.
// A stand-in for Apple's Combine on Linux: only what MonetizeUI and MonetizePreview use, with Apple's declarations. Never a product.

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public final class AnyCancellable {
  private let end: () -> Void
  public init(_ cancel: @escaping () -> Void) { end = cancel }
  deinit { end() }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher where Self.ObjectWillChangePublisher.Failure == Never
  var objectWillChange: Self.ObjectWillChangePublisher { get }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension ObservableObject where Self.ObjectWillChangePublisher == ObservableObjectPublisher {
  public var objectWillChange: ObservableObjectPublisher { Publishers.of(self) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public final class ObservableObjectPublisher {
  private var subscribers: [(id: Int, action: () -> Void)] = []
  private var count = 0
  func send() { for subscriber in subscribers { subscriber.action() } }
  func subscribe(_ action: @escaping () -> Void) -> AnyCancellable {
    count += 1
    let id = count
    subscribers.append((id, action))
    return AnyCancellable { [weak self] in self?.subscribers.removeAll { $0.id == id } }
  }
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@propertyWrapper public struct Published<Value> {
  private var value: Value
  public init(wrappedValue: Value) { value = wrappedValue }
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value { get { value } set { value = newValue } }
  public static subscript<EnclosingSelf>(_enclosingInstance object: EnclosingSelf, wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>, storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>) -> Value where EnclosingSelf: AnyObject { get { object[keyPath: storageKeyPath].value } set { announce(object); object[keyPath: storageKeyPath].value = newValue } }
  private static func announce(_ object: AnyObject) {
    if let observable = object as? any ObservableObject { (observable.objectWillChange as? ObservableObjectPublisher)?.send() }
  }
}

/// For the host of views: runs an action whenever an object will change, for as long as what is returned lives.
package func observe(_ object: some ObservableObject, _ action: @escaping () -> Void) -> AnyCancellable? {
  (object.objectWillChange as? ObservableObjectPublisher)?.subscribe(action)
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
