// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Apple's SwiftUI on Linux: only what the root package uses, with Apple's declarations; what a view draws is a `ViewNode`.
// Docs/ApplePlatforms-SwiftUI.md lists every symbol with its source. Never a product.

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
extension Never: View {
  public typealias Body = Never
}

/// A view that draws nodes itself.
@MainActor protocol PrimitiveView: View where Body == Never {
  func nodes(_ context: DrawContext) -> [ViewNode]
}

extension View where Body == Never {
  public var body: Never { fatalError("A primitive view has no body.") }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }
  public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  where repeat each Content: View {
    TupleView((repeat each content))
  }
  public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }
  public static func buildEither<TrueContent, FalseContent>(first: TrueContent) -> _ConditionalContent<TrueContent, FalseContent>
  where TrueContent: View, FalseContent: View { .init(content: .first(first)) }
  public static func buildEither<TrueContent, FalseContent>(second: FalseContent) -> _ConditionalContent<TrueContent, FalseContent>
  where TrueContent: View, FalseContent: View { .init(content: .second(second)) }
  public static func buildLimitedAvailability<Content>(_ content: Content) -> AnyView where Content: View { AnyView(content) }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct EmptyView {
  public init() {}
}
extension EmptyView: PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] { [] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct TupleView<T> {
  public var value: T
  public init(_ value: T) { self.value = value }
}
extension TupleView: View, PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    Mirror(reflecting: value).children.enumerated().flatMap { number, child in
      (child.value as? any View).map { context.draw($0, at: "\(number)") } ?? []
    }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct _ConditionalContent<TrueContent, FalseContent> {
  enum Content {
    case first(TrueContent)
    case second(FalseContent)
  }
  let content: Content
}
extension _ConditionalContent: View, PrimitiveView where TrueContent: View, FalseContent: View {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    switch content {
    case .first(let view): context.draw(view, at: "then")
    case .second(let view): context.draw(view, at: "else")
    }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
extension Optional: View where Wrapped: View {
  public typealias Body = Never
}
extension Optional: PrimitiveView where Wrapped: View {
  func nodes(_ context: DrawContext) -> [ViewNode] { map { context.draw($0, at: "some") } ?? [] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct AnyView {
  let view: any View
  public init<V>(_ view: V) where V: View { self.view = view }
}
extension AnyView: PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] { context.draw(view, at: "any") }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Group<Content> {
  let content: Content
}
extension Group: View, PrimitiveView where Content: View {
  public typealias Body = Never
  nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func nodes(_ context: DrawContext) -> [ViewNode] { context.draw(content, at: "group") }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
  typealias Content = _ViewModifier_Content<Self>
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct _ViewModifier_Content<Modifier> where Modifier: ViewModifier {
  let view: any View
}
extension _ViewModifier_Content: View, PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] { context.draw(view, at: "content") }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct ModifiedContent<Content, Modifier> {
  public var content: Content
  public var modifier: Modifier
  public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}
extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    let inner = context.entering(String(describing: Modifier.self))
    inner.install(modifier)
    return inner.draw(modifier.body(content: _ViewModifier_Content(view: content)), at: "modified")
  }
}

extension View {
  @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { ModifiedContent(content: self, modifier: modifier) }
}
