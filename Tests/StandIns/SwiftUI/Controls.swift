// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms-SwiftUI.md lists it; StandInTableTests compares the two.

public import Foundation

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  let text: String
  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: LocalizedStringKey.StringInterpolation) { text = stringInterpolation.text }
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation(_ string: String) { text += string }
    public mutating func appendInterpolation<T>(_ value: T) where T: _FormatSpecifiable { text += "\(value)" }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol _FormatSpecifiable: Equatable {}
extension Int: _FormatSpecifiable {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct Text: Equatable, Sendable {
  let text: String
  var style: [String: String] = [:]
  public init(verbatim content: String) { text = content }
  @_disfavoredOverload public init<S>(_ content: S) where S: StringProtocol { text = String(content) }
  public init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil) { text = key.text }
  public func font(_ font: Font?) -> Text { font.map { with("font", $0.name) } ?? self }
  public func foregroundColor(_ color: Color?) -> Text { color.map { with("color", $0.name) } ?? self }
  private func with(_ name: String, _ value: String) -> Text {
    var copy = self
    copy.style[name] = value
    return copy
  }
}
extension Text: PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.text, text: text)
    node.style = style.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return [node]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct Image: Equatable, Sendable {
  let name: String
  let isSymbol: Bool
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension Image {
  public init(_ name: String, bundle: Bundle? = nil) { (self.name, isSymbol) = (name, false) }
  @available(iOS 13.0, macOS 11.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
  public init(systemName: String) { (name, isSymbol) = (systemName, true) }
  public enum ResizingMode: Sendable {
    case stretch
  }
  public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: Image.ResizingMode = .stretch) -> Image { self }
}
extension Image: PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.image, text: name).styled("symbol", "\(isSymbol)")] }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct ButtonRole: Equatable, Sendable {
  let name: String
  public static let destructive: ButtonRole = ButtonRole(name: "destructive")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
nonisolated public struct Button<Label> where Label: View {
  let role: ButtonRole?
  let action: @MainActor () -> Void
  let label: Label
  init(role: ButtonRole?, _ label: Label, _ action: @escaping @MainActor () -> Void) { (self.role, self.action, self.label) = (role, action, label) }
  @preconcurrency nonisolated public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { self.init(role: nil, label(), action) }
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension Button where Label == Text {
  @preconcurrency nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) { self.init(role: nil, Text(titleKey), action) }
  @_disfavoredOverload @preconcurrency nonisolated public init<S>(_ title: S, action: @escaping @MainActor () -> Void) where S: StringProtocol { self.init(role: nil, Text(title), action) }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
  @preconcurrency nonisolated public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) { self.init(role: role, Text(titleKey), action) }
}
extension Button: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.button)
    node.isDisabled = !context.environment.isEnabled
    node.children = context.draw(label, at: "label")
    node.style = [("button", context.environment[ButtonStyleKey.self])] + (role.map { [("role", $0.name)] } ?? [])
    node.action = action
    return [node]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@MainActor @preconcurrency public struct PlainButtonStyle: PrimitiveButtonStyle {}
@available(iOS 15.0, macOS 10.15, tvOS 13.0, watchOS 7.0, visionOS 1.0, *)
nonisolated public struct BorderedButtonStyle {}
extension BorderedButtonStyle: PrimitiveButtonStyle {}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
nonisolated public struct BorderedProminentButtonStyle {}
extension BorderedProminentButtonStyle: PrimitiveButtonStyle {}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
  @MainActor @preconcurrency public static var plain: PlainButtonStyle { PlainButtonStyle() }
}
@available(iOS 15.0, macOS 10.15, tvOS 13.0, watchOS 7.0, visionOS 1.0, *)
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  nonisolated public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  nonisolated public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension View {
  nonisolated public func buttonStyle<S>(_ style: S) -> some View where S: PrimitiveButtonStyle { environment(\.[button: 0], "\(S.self)".replacingOccurrences(of: "ButtonStyle", with: "").lowercased()) }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
nonisolated public struct Label<Title, Icon> where Title: View, Icon: View {
  let title: Title
  let icon: Icon
}
extension Label: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    var icons = context.draw(icon, at: "icon")
    for index in icons.indices { icons[index].isHidden = true }
    return [ViewNode(.row, children: icons + context.draw(title, at: "title")).styled("spacing", "8")]
  }
}
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
extension Label where Title == Text, Icon == Image {
  nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) { (title, icon) = (Text(titleKey), Image(systemName: name)) }
  @_disfavoredOverload nonisolated public init<S>(_ title: S, systemImage name: String) where S: StringProtocol { (self.title, icon) = (Text(title), Image(systemName: name)) }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
nonisolated public struct ProgressView<Label, CurrentValueLabel> where Label: View, CurrentValueLabel: View {
  let progress: Double?
}
extension ProgressView: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.progress)
    node.progress = progress
    return [node]
  }
}
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
extension ProgressView where CurrentValueLabel == EmptyView {
  nonisolated public init() where Label == EmptyView { progress = nil }
}
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
extension ProgressView {
  nonisolated public init<V>(value: V?, total: V = 1.0) where Label == EmptyView, CurrentValueLabel == EmptyView, V: BinaryFloatingPoint { progress = value.map { Double($0) / Double(total) } }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
nonisolated public struct TextField<Label> where Label: View {
  let title: String
  let text: Binding<String>
}
extension TextField: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.field, text: title)
    node.value = text.wrappedValue
    node.isDisabled = !context.environment.isEnabled
    let binding = text
    node.type = { binding.wrappedValue = $0 }
    return [node]
  }
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension TextField where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { (title, self.text) = (titleKey.text, text) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
nonisolated public struct Toggle<Label> where Label: View {
  let isOn: Binding<Bool>
  let title: String
}
extension Toggle: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.toggle, text: title)
    node.isOn = isOn.wrappedValue
    node.isDisabled = !context.environment.isEnabled
    let binding = isOn
    node.action = { binding.wrappedValue.toggle() }
    return [node]
  }
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension Toggle where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { (title, self.isOn) = (titleKey.text, isOn) }
}
