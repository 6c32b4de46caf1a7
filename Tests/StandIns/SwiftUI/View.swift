// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms-SwiftUI.md lists it; StandInTableTests compares the two.
// A stand-in for Apple's SwiftUI on Linux: only what the root package uses, with Apple's declarations; what a view draws is a `ViewNode`.
// Never a product. What is not SwiftUI's stands in Drawn.swift, Node.swift and Host.swift.

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }
  @_disfavoredOverload public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)> where repeat each Content: View { TupleView(value: (repeat each content)) }
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension ViewBuilder {
  public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }
  public static func buildEither<TrueContent, FalseContent>(first: TrueContent) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View { .init(content: .first(first)) }
  public static func buildEither<TrueContent, FalseContent>(second: FalseContent) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View { .init(content: .second(second)) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct EmptyView {
  public init() {}
}
extension EmptyView: PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { [] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct TupleView<T> {
  let value: T
}
extension TupleView: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    Mirror(reflecting: value).children.enumerated().flatMap { number, child in
      (child.value as? any View).map { context.draw($0, at: "\(number)") } ?? []
    }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct _ConditionalContent<TrueContent, FalseContent> {
  @usableFromInline enum Content {
    case first(TrueContent)
    case second(FalseContent)
  }
  let content: Content
}
extension _ConditionalContent: View, PrimitiveView where TrueContent: View, FalseContent: View {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    switch content {
    case .first(let view): context.draw(view, at: "then")
    case .second(let view): context.draw(view, at: "else")
    }
  }
}

extension Optional: View, PrimitiveView where Wrapped: View {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { map { context.draw($0, at: "some") } ?? [] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct AnyView {
  let view: any View
  public init<V>(_ view: V) where V: View { self.view = view }
}
extension AnyView: PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { context.draw(view, at: "any") }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct Group<Content> {
  let content: Content
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension Group where Content: View {
  nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}
extension Group: View, PrimitiveView where Content: View {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { context.draw(content, at: "group") }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
  typealias Content = _ViewModifier_Content<Self>
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct _ViewModifier_Content<Modifier> where Modifier: ViewModifier {
  let view: any View
}
extension _ViewModifier_Content: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { context.draw(view, at: "content") }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct ModifiedContent<Content, Modifier> {
  let content: Content
  let modifier: Modifier
}
extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    if let own = modifier as? any PrimitiveModifier { return own.nodes(of: content, context) }
    let inner = context.entering(String(describing: Modifier.self))
    inner.install(modifier)
    return inner.draw(modifier.body(content: _ViewModifier_Content(view: content)), at: "modified")
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension View {
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { ModifiedContent(content: self, modifier: modifier) }
}
