// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms-SwiftUI.md lists it; StandInTableTests compares the two.

public import Foundation

// MARK: Layout

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension View {
  nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { boxed(("padding", "\(edges.name) \(length ?? 16)")) }
  nonisolated public func padding(_ length: CGFloat) -> some View { boxed(("padding", "all \(length)")) }
  nonisolated public func frame(minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center) -> some View {
    boxed(
      ("minWidth", minWidth.map { "\($0)" } ?? ""), ("maxWidth", maxWidth.map { "\($0)" } ?? ""),
      ("minHeight", minHeight.map { "\($0)" } ?? ""), ("maxHeight", maxHeight.map { "\($0)" } ?? ""), ("align", alignment.name))
  }
  nonisolated public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { boxed(("fixed", "\(horizontal) \(vertical)")) }
  nonisolated public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { boxed(("textAlign", "\(alignment)")) }
  nonisolated public func scaledToFit() -> some View { self }
  nonisolated public func font(_ font: Font?) -> some View { boxed(("font", font?.name ?? "")) }
  nonisolated public func foregroundColor(_ color: Color?) -> some View { boxed(("color", color?.name ?? "")) }
  nonisolated public func disabled(_ disabled: Bool) -> some View { Changed(content: self) { if disabled { $0.isEnabled = false } } }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension View {
  nonisolated public func tint(_ tint: Color?) -> some View { boxed(("tint", tint?.name ?? "")) }
  nonisolated public func background<S, T>(_ style: S, in shape: T, fillStyle: FillStyle = FillStyle()) -> some View where S: ShapeStyle, T: InsettableShape { boxed(("fill", style.styleName), ("shape", shape.cssName)) }
  nonisolated public func overlay<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View where V: View {
    let front = content()
    return boxed(("overlay", alignment.name)).editedAsOne { node, context in node.overlay = context.draw(front, at: "overlay") }
  }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct ContainerBackgroundPlacement: Sendable, Hashable {
  package init() {}
}
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension View {
  nonisolated public func containerBackground<S>(_ style: S, for container: ContainerBackgroundPlacement) -> some View where S: ShapeStyle { boxed(("fill", style.styleName)) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct FillStyle: Equatable, Sendable {
  public init(eoFill: Bool = false, antialiased: Bool = true) {}
}

@available(iOS 15.0, macOS 10.15, tvOS 15.0, watchOS 9.0, visionOS 1.0, *)
public enum ControlSize: Sendable {
  @available(iOS 15.0, macOS 11.0, tvOS 15.0, watchOS 9.0, visionOS 1.0, *)
  case large
}

@available(iOS 15.0, macOS 10.15, tvOS 15.0, watchOS 9.0, visionOS 1.0, *)
extension View {
  nonisolated public func controlSize(_ controlSize: ControlSize) -> some View { boxed(("controlSize", "\(controlSize)")) }
}

// MARK: What happens

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension View {
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    edited { _, context in context.host.appear(at: context.path + "#appear") { action?() } }
  }
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    edited { _, context in context.host.disappear(at: context.path + "#disappear") { action?() } }
  }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension View {
  nonisolated public func task(name: String? = nil, priority: TaskPriority = .userInitiated, file: String = #fileID, line: Int = #line, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void) -> some View {
    let work = Work(run: action)
    return edited { _, context in context.host.run(at: context.path + "#task", work) }
  }
  nonisolated public func task<T>(id: T, name: String? = nil, priority: TaskPriority = .userInitiated, file: String = #fileID, line: Int = #line, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void) -> some View where T: Equatable {
    let work = Work(run: action)
    return edited { _, context in context.host.run(at: context.path + "#task \(id)", work) }
  }
  nonisolated public func animation<V>(_ animation: Animation?, value: V) -> some View where V: Equatable {
    editedAsOne { node, _ in if animation != nil { node.style.append(("animated", "true")) } }
  }
}

// MARK: Identity

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension View {
  nonisolated public func id<ID>(_ id: ID) -> some View where ID: Hashable { Identified(content: self, id: id.hashValue) }
}

// MARK: Sheets

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension View {
  nonisolated public func sheet<Content>(isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content) -> some View where Content: View {
    edited { nodes, context in
      guard isPresented.wrappedValue else { return }
      Self.show(content(), at: "sheet", &nodes, context) {
        isPresented.wrappedValue = false
        onDismiss?()
      }
    }
  }
  nonisolated public func sheet<Item, Content>(item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content) -> some View where Item: Identifiable, Content: View {
    edited { nodes, context in
      guard let shown = item.wrappedValue else { return }
      Self.show(content(shown), at: "sheet \(shown.id)", &nodes, context) {
        item.wrappedValue = nil
        onDismiss?()
      }
    }
  }
}

// MARK: For screen readers

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
extension View {
  @_disfavoredOverload nonisolated public func accessibilityLabel<S>(_ label: S) -> ModifiedContent<Self, AccessibilityAttachmentModifier> where S: StringProtocol { attaching { [label = String(label)] in $0.label = label } }
  @_disfavoredOverload nonisolated public func accessibilityValue<S>(_ value: S) -> ModifiedContent<Self, AccessibilityAttachmentModifier> where S: StringProtocol { attaching { [value = String(value)] in $0.value = value } }
  @_disfavoredOverload nonisolated public func accessibilityHint<S>(_ hint: S) -> ModifiedContent<Self, AccessibilityAttachmentModifier> where S: StringProtocol { attaching { [hint = String(hint)] in $0.hint = hint } }
  nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { attaching { $0.traits.formUnion(traits.names) } }
  nonisolated public func accessibilityHidden(_ hidden: Bool) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { attaching { $0.isHidden = hidden } }
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension View {
  nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { boxed().editedAsOne { node, _ in node.element = children.name } }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
nonisolated public struct AccessibilityAttachmentModifier {
  let edit: @MainActor (inout ViewNode) -> Void
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct AccessibilityChildBehavior: Hashable, Sendable {
  let name: String
  public static let ignore: AccessibilityChildBehavior = AccessibilityChildBehavior(name: "ignore")
  public static let combine: AccessibilityChildBehavior = AccessibilityChildBehavior(name: "combine")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct AccessibilityTraits: Equatable, Sendable {
  var names: Set<String>
  public static let isHeader: AccessibilityTraits = AccessibilityTraits(names: ["header"])
  public static let isSelected: AccessibilityTraits = AccessibilityTraits(names: ["selected"])
  public static let isLink: AccessibilityTraits = AccessibilityTraits(names: ["link"])
  public static let updatesFrequently: AccessibilityTraits = AccessibilityTraits(names: ["updates"])
}
