// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// How the stand-in's views become nodes. Not part of SwiftUI: no source of a product may name anything in it.

/// A view that draws nodes itself.
@MainActor protocol PrimitiveView: View where Body == Never {
  func nodes(_ context: DrawContext) -> [ViewNode]
}

extension Never: View, Scene, WidgetConfiguration {
  public typealias Body = Never
  @MainActor public var body: Never { return fatalError("There is no such view.") }
}
extension View where Body == Never {
  public var body: Never { fatalError("A primitive view has no body.") }
}
extension Scene where Body == Never {
  public var body: Never { fatalError("A primitive scene has no body.") }
}
extension WidgetConfiguration where Body == Never {
  public var body: Never { fatalError("A primitive configuration has no body.") }
}
extension WindowGroup {
  public typealias Body = Never
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

/// A view in another environment.
struct Changed<Content> {
  let content: Content
  let change: (inout EnvironmentValues) -> Void
}
extension Changed: View, PrimitiveView where Content: View {
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var inner = context
    change(&inner.environment)
    return inner.draw(content, at: "environment")
  }
}

/// A view whose state ends when its id changes.
struct Identified<Content> {
  let content: Content
  let id: Int
}
extension Identified: View, PrimitiveView where Content: View {
  func nodes(_ context: DrawContext) -> [ViewNode] { context.draw(content, at: "id \(id)") }
}

// MARK: Styles and shapes by their names

protocol NamedStyle { var name: String { get } }
extension ShapeStyle {
  var styleName: String { (self as? any NamedStyle)?.name ?? "\(self)" }
}
protocol NamedShape { var shapeName: String { get } }
extension Shape {
  var cssName: String { (self as? any NamedShape)?.shapeName ?? "rectangle" }
}

/// A shape that is filled, or whose border is drawn.
struct DrawnShape: PrimitiveView {
  let style: [(String, String)]
  nonisolated init(style: [(String, String)]) { self.style = style }
  func nodes(_ context: DrawContext) -> [ViewNode] { [style.reduce(ViewNode(.shape)) { $0.styled($1.0, $1.1) }] }
}

/// The name of the style of buttons.
enum ButtonStyleKey: EnvironmentKey {
  static var defaultValue: String { "automatic" }
}
extension EnvironmentValues {
  subscript(button _: Int) -> String {
    get { self[ButtonStyleKey.self] }
    set { self[ButtonStyleKey.self] = newValue }
  }
}

// MARK: Views around views

/// A view in a box that is drawn in some way.
struct Boxed<Content> {
  let content: Content
  let style: [(String, String)]
}
extension Boxed: View, PrimitiveView where Content: View {
  func nodes(_ context: DrawContext) -> [ViewNode] {
    [style.reduce(ViewNode(.box, children: context.draw(content, at: "box"))) { $0.styled($1.0, $1.1) }]
  }
}

/// A view whose nodes are changed.
struct Edited<Content> {
  let content: Content
  let edit: @MainActor (inout [ViewNode], DrawContext) -> Void
}
extension Edited: View, PrimitiveView where Content: View {
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var nodes = context.draw(content, at: "edited")
    edit(&nodes, context)
    return nodes
  }
}

extension View {
  nonisolated func boxed(_ style: (String, String)...) -> Boxed<Self> { Boxed(content: self, style: style) }
  nonisolated func edited(_ edit: @escaping @MainActor (inout [ViewNode], DrawContext) -> Void) -> Edited<Self> {
    Edited(content: self, edit: edit)
  }
  /// Changes the one node of a view; several are put into a box first.
  nonisolated func editedAsOne(_ edit: @escaping @MainActor (inout ViewNode, DrawContext) -> Void) -> Edited<Self> {
    edited { nodes, context in Self.asOne(&nodes) { edit(&$0, context) } }
  }
  nonisolated func attaching(
    _ edit: @escaping @MainActor (inout ViewNode) -> Void
  ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
    modifier(AccessibilityAttachmentModifier(edit: edit))
  }
  static func asOne(_ nodes: inout [ViewNode], _ edit: (inout ViewNode) -> Void) {
    if nodes.isEmpty { return }
    if nodes.count > 1 { nodes = [ViewNode(.box, children: nodes)] }
    edit(&nodes[0])
  }
  static func show(
    _ content: some View, at place: String, _ nodes: inout [ViewNode], _ context: DrawContext, close: @escaping () -> Void
  ) {
    var inner = context
    inner.environment.set("dismiss", DismissAction(close))
    inner.environment.isEnabled = true
    var sheet = ViewNode(.sheet, children: inner.draw(content, at: place))
    sheet.action = { close() }
    // The system gives each of several views a sheet of its own, and in a list each row of a section.
    let views = nodes.count == 1 && nodes[0].kind == .section ? nodes[0].children.count : nodes.count
    nodes += Array(repeating: sheet, count: max(1, views))
  }
}

/// A modifier that changes nodes itself.
@MainActor protocol PrimitiveModifier: ViewModifier where Body == Never {
  func nodes(of content: some View, _ context: DrawContext) -> [ViewNode]
}
extension ViewModifier where Body == Never {
  public func body(content: Self.Content) -> Never { fatalError("A primitive modifier has no body.") }
}

extension AccessibilityAttachmentModifier: ViewModifier, PrimitiveModifier {
  /// Changes the one accessible element of a view: the control, text or image in its boxes.
  @MainActor func nodes(of content: some View, _ context: DrawContext) -> [ViewNode] {
    var nodes = context.draw(content, at: "attached")
    AnyView.asOne(&nodes) { Self.innermost(&$0, edit) }
    return nodes
  }
  @MainActor private static func innermost(_ node: inout ViewNode, _ edit: @MainActor (inout ViewNode) -> Void) {
    if node.kind == .box, node.element == nil, node.children.count == 1 { innermost(&node.children[0], edit) } else { edit(&node) }
  }
}

/// What `task` runs.
struct Work: @unchecked Sendable {
  let run: @isolated(any) () async -> Void
}

extension AccessibilityTraits: SetAlgebra {
  public init() { self.init(names: []) }
  public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { .init(names: names.union(other.names)) }
  public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits { .init(names: names.intersection(other.names)) }
  public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
    .init(names: names.symmetricDifference(other.names))
  }
  public mutating func formUnion(_ other: AccessibilityTraits) { self = union(other) }
  public mutating func formIntersection(_ other: AccessibilityTraits) { self = intersection(other) }
  public mutating func formSymmetricDifference(_ other: AccessibilityTraits) { self = symmetricDifference(other) }
  public func contains(_ member: AccessibilityTraits) -> Bool { member.names.isSubset(of: names) }
  public mutating func insert(_ member: AccessibilityTraits) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
    defer { formUnion(member) }
    return (!contains(member), member)
  }
  public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
    defer { names.subtract(member.names) }
    return contains(member) ? member : nil
  }
  public mutating func update(with member: AccessibilityTraits) -> AccessibilityTraits? {
    defer { formUnion(member) }
    return contains(member) ? member : nil
  }
}
