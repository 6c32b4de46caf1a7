// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms-SwiftUI.md lists it; StandInTableTests compares the two.

public import Combine
public import Foundation

// MARK: Properties that the system keeps and fills in

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol DynamicProperty {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen @propertyWrapper public struct State<Value>: DynamicProperty {
  @usableFromInline final class Link {
    var box: StateBox
    var invalidate: () -> Void = {}
    init(_ value: Value) { box = StateBox(value) }
  }
  let link: Link
  public init(wrappedValue value: Value) { link = Link(value) }
  public var wrappedValue: Value { get { link.box.value as! Value } nonmutating set { link.box.value = newValue; link.invalidate() } }
  public var projectedValue: Binding<Value> { Binding(read: { wrappedValue }, write: { wrappedValue = $0 }) }
}
extension State: InstalledProperty {
  func install(_ context: DrawContext, at path: String) {
    link.box = context.host.box(at: path) { link.box }
    link.invalidate = { [weak host = context.host] in MainActor.assumeIsolated { host?.invalidate() } }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@dynamicMemberLookup @frozen @propertyWrapper public struct Binding<Value> {
  let read: () -> Value
  let write: (Value) -> Void
  @preconcurrency public init(@_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value, @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void) { (read, write) = (unsafeBitCast(get, to: (() -> Value).self), unsafeBitCast(set, to: ((Value) -> Void).self)) }
  public var wrappedValue: Value { get { read() } nonmutating set { write(newValue) } }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { Binding<Subject>(read: { read()[keyPath: keyPath] }, write: { wrappedValue[keyPath: keyPath] = $0 }) }
}
extension Binding {
  init(read: @escaping () -> Value, write: @escaping (Value) -> Void) { (self.read, self.write) = (read, write) }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
@MainActor @frozen @propertyWrapper @preconcurrency public struct StateObject<ObjectType>: DynamicProperty where ObjectType: ObservableObject {
  @usableFromInline final class Link {
    let make: () -> ObjectType
    lazy var box = StateBox(make())
    init(_ make: @escaping () -> ObjectType) { self.make = make }
  }
  nonisolated(unsafe) let link: Link
  nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { link = Link(thunk) }
  @MainActor @preconcurrency public var wrappedValue: ObjectType { link.box.value as! ObjectType }
}
extension StateObject: InstalledProperty {
  func install(_ context: DrawContext, at path: String) {
    link.box = context.host.box(at: path) { link.box }
    context.host.observe(wrappedValue)
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@MainActor @frozen @propertyWrapper @preconcurrency public struct ObservedObject<ObjectType>: DynamicProperty where ObjectType: ObservableObject {
  @MainActor @preconcurrency public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
  @MainActor @preconcurrency public var wrappedValue: ObjectType
}
extension ObservedObject: InstalledProperty {
  func install(_ context: DrawContext, at path: String) { context.host.observe(wrappedValue) }
}

// MARK: The environment

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Self.Value { get }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]
  private var plain: [String: Any] = [:]
  init() {}
  private func own<Value>(_ name: String, _ value: Value) -> Value { plain[name] as? Value ?? value }
  /// For the host: values that only the system sets.
  mutating func set(_ name: String, _ value: Any) { plain[name] = value }
  var isEnabled: Bool { get { own("isEnabled", true) } set { plain["isEnabled"] = newValue } }

  public subscript<K>(key: K.Type) -> K.Value where K: EnvironmentKey { get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue } set { values[ObjectIdentifier(key)] = newValue } }
  public var layoutDirection: LayoutDirection { get { own("layoutDirection", .leftToRight) } set { plain["layoutDirection"] = newValue } }
  public var timeZone: TimeZone { get { own("timeZone", TimeZone(secondsFromGMT: 0) ?? .current) } set { plain["timeZone"] = newValue } }
  public var colorSchemeContrast: ColorSchemeContrast { own("colorSchemeContrast", .standard) }
  public var accessibilityReduceMotion: Bool { own("accessibilityReduceMotion", false) }
  @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
  public var scenePhase: ScenePhase { get { own("scenePhase", .active) } set { plain["scenePhase"] = newValue } }
  @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
  @MainActor @preconcurrency public var openURL: OpenURLAction { get { own("openURL", OpenURLAction { _ in .handled }) } set { plain["openURL"] = newValue } }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  public var dynamicTypeSize: DynamicTypeSize { get { own("dynamicTypeSize", .large) } set { plain["dynamicTypeSize"] = newValue } }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  public var dismiss: DismissAction { own("dismiss", DismissAction {}) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen @propertyWrapper public struct Environment<Value>: DynamicProperty {
  @usableFromInline final class Link { var values = EnvironmentValues() }
  let link: Link
  let keyPath: KeyPath<EnvironmentValues, Value>
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { (link, self.keyPath) = (Link(), keyPath) }
  public var wrappedValue: Value { link.values[keyPath: keyPath] }
}
extension Environment: InstalledProperty {
  func install(_ context: DrawContext, at path: String) { link.values = context.environment }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public enum LayoutDirection: Hashable, CaseIterable, Sendable {
  case leftToRight
  case rightToLeft
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public enum ColorSchemeContrast: CaseIterable, Sendable {
  case standard
  case increased
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
public enum ScenePhase: Hashable, Sendable {
  case background
  case active
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum DynamicTypeSize: Hashable, Sendable {
  case large
  case accessibility5
  public var isAccessibilitySize: Bool { self == .accessibility5 }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
@MainActor @preconcurrency public struct OpenURLAction {
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  public struct Result: Sendable {
    public static let handled: OpenURLAction.Result = .init()
  }
  let handler: (URL) -> Result
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  @MainActor @preconcurrency public init(handler: @escaping (URL) -> OpenURLAction.Result) { self.handler = handler }
  @MainActor @preconcurrency public func callAsFunction(_ url: URL) { _ = handler(url) }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
@MainActor @preconcurrency public struct DismissAction {
  nonisolated(unsafe) let action: () -> Void
  nonisolated init(_ action: @escaping () -> Void) { self.action = action }
  @MainActor @preconcurrency public func callAsFunction() { action() }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension View {
  nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { Changed(content: self) { $0[keyPath: keyPath] = value } }
}
