// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  let text: String
  public init(_ value: String) { text = value }
  public init(stringLiteral value: String) { text = value }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Text: Equatable, Sendable {
  let text: String
  var style: [String: String] = [:]
  public init(verbatim content: String) { text = content }
  @_disfavoredOverload public init<S>(_ content: S) where S: StringProtocol { text = String(content) }
  public init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil) { text = key.text }
  public func bold() -> Text { with("weight", "bold") }
  public func font(_ font: Font?) -> Text { font.map { with("font", $0.name) } ?? self }
  public func foregroundColor(_ color: Color?) -> Text { color.map { with("color", $0.name) } ?? self }
  private func with(_ name: String, _ value: String) -> Text {
    var copy = self
    copy.style[name] = value
    return copy
  }
}
extension Text: PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.text, text: text)
    node.style = style.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return [node]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Image: Equatable, Sendable {
  let name: String
  let isSymbol: Bool
  public init(_ name: String, bundle: Bundle? = nil) { (self.name, isSymbol) = (name, false) }
  @available(macOS 11.0, *)
  public init(systemName: String) { (name, isSymbol) = (systemName, true) }
  public func resizable() -> Image { self }
}
extension Image: PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.image, text: name).styled("symbol", "\(isSymbol)")] }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
public struct ButtonRole: Equatable, Sendable {
  let name: String
  public static let destructive = ButtonRole(name: "destructive")
  public static let cancel = ButtonRole(name: "cancel")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Button<Label> where Label: View {
  let action: @MainActor () -> Void
  let label: Label
  var role: ButtonRole?
}
extension Button: View, PrimitiveView {
  public typealias Body = Never
  @preconcurrency nonisolated public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    (self.action, self.label, role) = (action, label(), nil)
  }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  @preconcurrency nonisolated public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    (self.action, self.label, self.role) = (action, label(), role)
  }
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.button)
    node.isDisabled = !context.environment.isEnabled
    let configuration = ButtonStyleConfiguration(role: role, label: .init(view: label), isPressed: false)
    let style = context.environment[ButtonStyleKey.self]
    node.children = context.draw(style.makeBody(configuration), at: "label")
    node.style = [("button", style.name)] + (role.map { [("role", $0.name)] } ?? [])
    node.action = action
    return [node]
  }
}
extension Button where Label == Text {
  @preconcurrency nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(titleKey) }
  }
  @_disfavoredOverload @preconcurrency nonisolated public init<S>(_ title: S, action: @escaping @MainActor () -> Void)
  where S: StringProtocol {
    self.init(action: action) { Text(title) }
  }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  @preconcurrency nonisolated public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
    self.init(role: role, action: action) { Text(titleKey) }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct ButtonStyleConfiguration {
  public struct Label: PrimitiveView {
    public typealias Body = Never
    let view: any View
    func nodes(_ context: DrawContext) -> [ViewNode] { context.draw(view, at: "button") }
  }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  public let role: ButtonRole?
  public let label: ButtonStyleConfiguration.Label
  public let isPressed: Bool
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@MainActor @preconcurrency public protocol ButtonStyle {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Self.Configuration) -> Self.Body
  typealias Configuration = ButtonStyleConfiguration
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
  associatedtype Body: View
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct PlainButtonStyle: PrimitiveButtonStyle {
  public typealias Body = Never
  nonisolated public init() {}
}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
public struct BorderedButtonStyle: PrimitiveButtonStyle {
  public typealias Body = Never
  nonisolated public init() {}
}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
  public typealias Body = Never
  nonisolated public init() {}
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
  nonisolated public static var plain: PlainButtonStyle { PlainButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  nonisolated public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  nonisolated public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

/// How buttons are drawn here.
struct AnyButtonStyle {
  let name: String
  let makeBody: @MainActor (ButtonStyleConfiguration) -> any View
}
enum ButtonStyleKey: EnvironmentKey {
  static var defaultValue: AnyButtonStyle { AnyButtonStyle(name: "automatic") { $0.label } }
}

extension View {
  @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
  nonisolated public func buttonStyle<S>(_ style: S) -> some View where S: ButtonStyle {
    environment(\.[button: 0], AnyButtonStyle(name: "custom") { style.makeBody(configuration: $0) })
  }
  @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
  nonisolated public func buttonStyle<S>(_ style: S) -> some View where S: PrimitiveButtonStyle {
    let name = "\(S.self)".replacingOccurrences(of: "ButtonStyle", with: "").lowercased()
    return environment(\.[button: 0], AnyButtonStyle(name: name) { $0.label })
  }
}
extension EnvironmentValues {
  subscript(button _: Int) -> AnyButtonStyle {
    get { self[ButtonStyleKey.self] }
    set { self[ButtonStyleKey.self] = newValue }
  }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
public struct Label<Title, Icon> where Title: View, Icon: View {
  let title: Title
  let icon: Icon
}
extension Label: View, PrimitiveView {
  public typealias Body = Never
  nonisolated public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { (self.title, self.icon) = (title(), icon()) }
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var icons = context.draw(icon, at: "icon")
    for index in icons.indices { icons[index].isHidden = true }
    return [ViewNode(.row, children: icons + context.draw(title, at: "title")).styled("spacing", "8")]
  }
}
extension Label where Title == Text, Icon == Image {
  nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
    self.init(title: { Text(titleKey) }, icon: { Image(systemName: name) })
  }
  @_disfavoredOverload nonisolated public init<S>(_ title: S, systemImage name: String) where S: StringProtocol {
    self.init(title: { Text(title) }, icon: { Image(systemName: name) })
  }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
public struct ProgressView<Label, CurrentValueLabel> where Label: View, CurrentValueLabel: View {
  let progress: Double?
  let label: Label?
}
extension ProgressView: View, PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.progress, children: label.map { context.draw($0, at: "label") } ?? [])
    node.progress = progress
    return [node]
  }
}
extension ProgressView where CurrentValueLabel == EmptyView {
  nonisolated public init() where Label == EmptyView { (progress, label) = (nil, nil) }
  nonisolated public init(@ViewBuilder label: () -> Label) { (progress, self.label) = (nil, label()) }
  nonisolated public init<V>(value: V?, total: V = 1.0) where Label == EmptyView, V: BinaryFloatingPoint {
    (progress, label) = (value.map { Double($0) / Double(total) }, nil)
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct TextField<Label> where Label: View {
  let title: String
  let text: Binding<String>
}
extension TextField: View, PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.field, text: title)
    node.value = text.wrappedValue
    node.isDisabled = !context.environment.isEnabled
    let binding = text
    node.type = { binding.wrappedValue = $0 }
    return [node]
  }
}
extension TextField where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { (title, self.text) = (titleKey.text, text) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Toggle<Label> where Label: View {
  let isOn: Binding<Bool>
  let title: String
}
extension Toggle: View, PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.toggle, text: title)
    node.isOn = isOn.wrappedValue
    node.isDisabled = !context.environment.isEnabled
    let binding = isOn
    node.action = { binding.wrappedValue.toggle() }
    return [node]
  }
}
extension Toggle where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { (title, self.isOn) = (titleKey.text, isOn) }
  @_disfavoredOverload nonisolated public init<S>(_ title: S, isOn: Binding<Bool>) where S: StringProtocol {
    (self.title, self.isOn) = (String(title), isOn)
  }
}
