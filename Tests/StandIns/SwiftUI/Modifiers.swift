// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// A view in a box that is drawn in some way.
struct Boxed<Content> {
  let content: Content
  let style: [(String, String)]
}
extension Boxed: View, PrimitiveView where Content: View {
  typealias Body = Never
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
  typealias Body = Never
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
    edited { nodes, context in
      if nodes.isEmpty { return }
      if nodes.count > 1 { nodes = [ViewNode(.box, children: nodes)] }
      edit(&nodes[0], context)
    }
  }
  /// Changes the one accessible element of a view: the control, text or image in its boxes.
  nonisolated func editedElement(_ edit: @escaping @MainActor (inout ViewNode) -> Void) -> Edited<Self> {
    editedAsOne { node, _ in Self.innermost(&node, edit) }
  }

  private static func innermost(_ node: inout ViewNode, _ edit: @MainActor (inout ViewNode) -> Void) {
    if node.kind == .box, node.element == nil, node.children.count == 1 { innermost(&node.children[0], edit) } else { edit(&node) }
  }
}

// MARK: Layout

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
extension View {
  nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    boxed(("padding", "\(edges.name) \(length ?? 16)"))
  }
  nonisolated public func padding(_ length: CGFloat) -> some View { boxed(("padding", "all \(length)")) }
  nonisolated public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
    boxed(("width", width.map { "\($0)" } ?? ""), ("height", height.map { "\($0)" } ?? ""), ("align", alignment.name))
  }
  nonisolated public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil,
    maxHeight: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View {
    boxed(
      ("minWidth", minWidth.map { "\($0)" } ?? ""), ("maxWidth", maxWidth.map { "\($0)" } ?? ""),
      ("minHeight", minHeight.map { "\($0)" } ?? ""), ("maxHeight", maxHeight.map { "\($0)" } ?? ""), ("align", alignment.name))
  }
  nonisolated public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { boxed(("fixed", "\(horizontal) \(vertical)")) }
  nonisolated public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { boxed(("textAlign", "\(alignment)")) }
  nonisolated public func lineLimit(_ number: Int?) -> some View { boxed(("lineLimit", number.map { "\($0)" } ?? "")) }
  nonisolated public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }
  nonisolated public func scaledToFit() -> some View { self }
  nonisolated public func clipShape<S>(_ shape: S) -> some View where S: Shape { boxed(("clip", shape.cssName)) }
  nonisolated public func opacity(_ opacity: Double) -> some View { boxed(("opacity", "\(opacity)")) }
  nonisolated public func font(_ font: Font?) -> some View { boxed(("font", font?.name ?? "")) }
  nonisolated public func foregroundColor(_ color: Color?) -> some View { boxed(("color", color?.name ?? "")) }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
extension View {
  nonisolated public func foregroundStyle<S>(_ style: S) -> some View where S: ShapeStyle { boxed(("color", style.styleName)) }
  nonisolated public func tint(_ tint: Color?) -> some View { boxed(("tint", tint?.name ?? "")) }
  nonisolated public func background<S, T>(_ style: S, in shape: T, fillStyle: FillStyle = FillStyle()) -> some View
  where S: ShapeStyle, T: InsettableShape {
    boxed(("fill", style.styleName), ("shape", shape.cssName))
  }
  nonisolated public func background<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View where V: View {
    let behind = content()
    return boxed().editedAsOne { node, context in node.background = context.draw(behind, at: "background") }
  }
  nonisolated public func overlay<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View where V: View {
    let front = content()
    return boxed(("overlay", alignment.name)).editedAsOne { node, context in node.overlay = context.draw(front, at: "overlay") }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct FillStyle: Equatable, Sendable {
  public init(eoFill: Bool = false, antialiased: Bool = true) {}
}

@available(iOS 15.0, macOS 12.0, watchOS 9.0, *)
@available(tvOS, unavailable)
public enum ControlSize: CaseIterable, Sendable { case mini, small, regular, large }

extension View {
  @available(iOS 15.0, macOS 10.15, watchOS 9.0, *)
  @available(tvOS, unavailable)
  nonisolated public func controlSize(_ controlSize: ControlSize) -> some View { boxed(("controlSize", "\(controlSize)")) }

  @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
  nonisolated public func disabled(_ disabled: Bool) -> some View {
    Changed(content: self) { if disabled { $0.isEnabled = false } }
  }
}

// MARK: Identity

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
extension View {
  nonisolated public func id<ID>(_ id: ID) -> some View where ID: Hashable { Identified(content: self, id: id.hashValue) }
}

/// A view whose state ends when its id changes.
struct Identified<Content> {
  let content: Content
  let id: Int
}
extension Identified: View, PrimitiveView where Content: View {
  typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] { context.draw(content, at: "id \(id)") }
}

// MARK: What happens

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
extension View {
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    edited { _, context in context.host.appear(at: context.path + "#appear") { action?() } }
  }
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    edited { _, context in context.host.disappear(at: context.path + "#disappear") { action?() } }
  }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
extension View {
  nonisolated public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  )
    -> some View
  {
    edited { _, context in context.host.run(at: context.path + "#task", action) }
  }
  nonisolated public func task<T>(
    id value: T, priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View where T: Equatable {
    edited { _, context in context.host.run(at: context.path + "#task \(value)", action) }
  }
  nonisolated public func animation<V>(_ animation: Animation?, value: V) -> some View where V: Equatable {
    editedAsOne { node, _ in if animation != nil { node.style.append(("animated", "true")) } }
  }
}

// MARK: Sheets

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
extension View {
  nonisolated public func sheet<Content>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View where Content: View {
    edited { nodes, context in
      guard isPresented.wrappedValue else { return }
      Self.show(content(), at: "sheet", &nodes, context) {
        isPresented.wrappedValue = false
        onDismiss?()
      }
    }
  }
  nonisolated public func sheet<Item, Content>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View where Item: Identifiable, Content: View {
    edited { nodes, context in
      guard let shown = item.wrappedValue else { return }
      Self.show(content(shown), at: "sheet \(shown.id)", &nodes, context) {
        item.wrappedValue = nil
        onDismiss?()
      }
    }
  }

  private static func show(
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

// MARK: For screen readers

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension View {
  nonisolated public func accessibilityLabel(_ label: Text) -> some View { editedElement { $0.label = label.text } }
  nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { accessibilityLabel(Text(labelKey)) }
  @_disfavoredOverload nonisolated public func accessibilityLabel<S>(_ label: S) -> some View where S: StringProtocol {
    accessibilityLabel(Text(label))
  }
  nonisolated public func accessibilityValue(_ valueDescription: Text) -> some View {
    editedElement { $0.value = valueDescription.text }
  }
  @_disfavoredOverload nonisolated public func accessibilityValue<S>(_ value: S) -> some View where S: StringProtocol {
    accessibilityValue(Text(value))
  }
  @_disfavoredOverload nonisolated public func accessibilityHint<S>(_ hint: S) -> some View where S: StringProtocol {
    let hint = String(hint)
    return editedElement { $0.hint = hint }
  }
  nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
    editedElement { $0.traits.formUnion(traits.names) }
  }
  nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View { editedElement { $0.isHidden = hidden } }
  nonisolated public func accessibilityIdentifier(_ identifier: String) -> some View {
    editedElement { $0.identifier = identifier }
  }
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
extension View {
  nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
    boxed().editedAsOne { node, _ in node.element = children.name }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct AccessibilityChildBehavior: Hashable, Sendable {
  let name: String
  public static let ignore = AccessibilityChildBehavior(name: "ignore")
  public static let contain = AccessibilityChildBehavior(name: "contain")
  public static let combine = AccessibilityChildBehavior(name: "combine")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct AccessibilityTraits: SetAlgebra, Sendable {
  var names: Set<String> = []
  public init() {}
  private init(_ name: String) { names = [name] }
  public static let isButton = AccessibilityTraits("button")
  public static let isHeader = AccessibilityTraits("header")
  public static let isSelected = AccessibilityTraits("selected")
  public static let isLink = AccessibilityTraits("link")
  public static let isModal = AccessibilityTraits("modal")
  public static let updatesFrequently = AccessibilityTraits("updates")

  public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { changed { $0.formUnion(other) } }
  public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits { changed { $0.formIntersection(other) } }
  public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits { changed { $0.formSymmetricDifference(other) } }
  public mutating func formUnion(_ other: AccessibilityTraits) { names.formUnion(other.names) }
  public mutating func formIntersection(_ other: AccessibilityTraits) { names.formIntersection(other.names) }
  public mutating func formSymmetricDifference(_ other: AccessibilityTraits) { names.formSymmetricDifference(other.names) }
  public func contains(_ member: AccessibilityTraits) -> Bool { member.names.isSubset(of: names) }
  @discardableResult
  public mutating func insert(_ newMember: AccessibilityTraits) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
    let isNew = !contains(newMember)
    formUnion(newMember)
    return (isNew, newMember)
  }
  @discardableResult
  public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
    let isThere = contains(member)
    names.subtract(member.names)
    return isThere ? member : nil
  }
  @discardableResult
  public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? {
    let isThere = contains(newMember)
    formUnion(newMember)
    return isThere ? newMember : nil
  }
  private func changed(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}
