// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Combine
public import Foundation

// MARK: Properties that the system keeps and fills in

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public protocol DynamicProperty {
  mutating func update()
}
extension DynamicProperty {
  public mutating func update() {}
}

/// What the host fills in before it asks a view for its body.
@MainActor protocol InstalledProperty {
  func install(_ context: DrawContext, at path: String)
}

/// The value of a `@State`, kept by the host for as long as its view is shown.
final class StateBox {
  var value: Any
  init(_ value: Any) { self.value = value }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@propertyWrapper public struct State<Value>: DynamicProperty {
  final class Link {
    var box: StateBox
    var invalidate: () -> Void = {}
    init(_ value: Value) { box = StateBox(value) }
  }
  let link: Link
  public init(wrappedValue value: Value) { link = Link(value) }
  public init(initialValue value: Value) { link = Link(value) }
  public var wrappedValue: Value {
    get { link.box.value as! Value }
    nonmutating set {
      link.box.value = newValue
      link.invalidate()
    }
  }
  public var projectedValue: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }
}
extension State: InstalledProperty {
  func install(_ context: DrawContext, at path: String) {
    link.box = context.host.box(at: path) { link.box }
    link.invalidate = { [weak host = context.host] in MainActor.assumeIsolated { host?.invalidate() } }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (read, write) = (get, set) }
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(get: { read()[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
  }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency @propertyWrapper public struct StateObject<ObjectType>: DynamicProperty where ObjectType: ObservableObject {
  final class Link {
    let make: () -> ObjectType
    lazy var box = StateBox(make())
    init(_ make: @escaping () -> ObjectType) { self.make = make }
  }
  nonisolated(unsafe) let link: Link
  nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { link = Link(thunk) }
  public var wrappedValue: ObjectType { link.box.value as! ObjectType }
  public var projectedValue: ObservedObject<ObjectType>.Wrapper { .init(object: wrappedValue) }
}
extension StateObject: InstalledProperty {
  func install(_ context: DrawContext, at path: String) {
    link.box = context.host.box(at: path) { link.box }
    context.host.observe(wrappedValue)
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@MainActor @preconcurrency @propertyWrapper public struct ObservedObject<ObjectType>: DynamicProperty where ObjectType: ObservableObject {
  @MainActor @preconcurrency @dynamicMemberLookup public struct Wrapper {
    let object: ObjectType
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<Subject> {
      let object = object
      return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
    }
  }
  public var wrappedValue: ObjectType
  public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
  public init(initialValue: ObjectType) { wrappedValue = initialValue }
  public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
}
extension ObservedObject: InstalledProperty {
  func install(_ context: DrawContext, at path: String) { context.host.observe(wrappedValue) }
}

// MARK: The environment

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Self.Value { get }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]
  public init() {}
  public subscript<K>(key: K.Type) -> K.Value where K: EnvironmentKey {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  private var plain: [String: Any] = [:]
  private func own<Value>(_ name: String, _ value: Value) -> Value { plain[name] as? Value ?? value }

  public var isEnabled: Bool {
    get { own("isEnabled", true) }
    set { plain["isEnabled"] = newValue }
  }
  public var layoutDirection: LayoutDirection {
    get { own("layoutDirection", .leftToRight) }
    set { plain["layoutDirection"] = newValue }
  }
  public var locale: Locale {
    get { own("locale", Locale(identifier: "en_US")) }
    set { plain["locale"] = newValue }
  }
  public var timeZone: TimeZone {
    get { own("timeZone", TimeZone(secondsFromGMT: 0) ?? .current) }
    set { plain["timeZone"] = newValue }
  }
  public var colorScheme: ColorScheme {
    get { own("colorScheme", .light) }
    set { plain["colorScheme"] = newValue }
  }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  public var dynamicTypeSize: DynamicTypeSize {
    get { own("dynamicTypeSize", .large) }
    set { plain["dynamicTypeSize"] = newValue }
  }
  public var colorSchemeContrast: ColorSchemeContrast { own("colorSchemeContrast", .standard) }
  public var accessibilityReduceMotion: Bool { own("accessibilityReduceMotion", false) }
  @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
  public var openURL: OpenURLAction {
    get { own("openURL", OpenURLAction { _ in .systemAction }) }
    set { plain["openURL"] = newValue }
  }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  public var dismiss: DismissAction { own("dismiss", DismissAction {}) }
  @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
  public var scenePhase: ScenePhase {
    get { own("scenePhase", .active) }
    set { plain["scenePhase"] = newValue }
  }

  /// For the host: values that only the system sets.
  mutating func set(_ name: String, _ value: Any) { plain[name] = value }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  final class Link { var values = EnvironmentValues() }
  let link = Link()
  let keyPath: KeyPath<EnvironmentValues, Value>
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
  public var wrappedValue: Value { link.values[keyPath: keyPath] }
}
extension Environment: InstalledProperty {
  func install(_ context: DrawContext, at path: String) { link.values = context.environment }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public enum LayoutDirection: Hashable, CaseIterable, Sendable { case leftToRight, rightToLeft }

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public enum ColorScheme: CaseIterable, Sendable { case light, dark }

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public enum ColorSchemeContrast: CaseIterable, Sendable { case standard, increased }

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
public enum ScenePhase: Comparable, Hashable, Sendable { case background, inactive, active }

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
  case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
  case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
  public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public struct OpenURLAction {
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  public struct Result: Sendable {
    let isHandled: Bool
    public static let handled = Result(isHandled: true)
    public static let discarded = Result(isHandled: true)
    public static let systemAction = Result(isHandled: false)
  }
  nonisolated(unsafe) let handler: (URL) -> Result
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  nonisolated public init(handler: @escaping (URL) -> OpenURLAction.Result) { self.handler = handler }
  public func callAsFunction(_ url: URL) { _ = handler(url) }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
@MainActor @preconcurrency public struct DismissAction {
  nonisolated(unsafe) let action: () -> Void
  nonisolated init(_ action: @escaping () -> Void) { self.action = action }
  public func callAsFunction() { action() }
}

extension View {
  @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
  nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
    Changed(content: self) { $0[keyPath: keyPath] = value }
  }
}

/// A view in another environment.
struct Changed<Content> {
  let content: Content
  let change: (inout EnvironmentValues) -> Void
}
extension Changed: View, PrimitiveView where Content: View {
  typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var inner = context
    change(&inner.environment)
    return inner.draw(content, at: "environment")
  }
}
