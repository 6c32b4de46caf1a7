// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct VStack<Content> where Content: View {
  let alignment: HorizontalAlignment
  let spacing: CGFloat?
  let content: Content
}
extension VStack: View, PrimitiveView {
  public typealias Body = Never
  nonisolated public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    (self.alignment, self.spacing, self.content) = (alignment, spacing, content())
  }
  func nodes(_ context: DrawContext) -> [ViewNode] {
    [
      ViewNode(.column, children: context.draw(content, at: "column")).styled("align", alignment.name)
        .styled("spacing", "\(spacing ?? 8)")
    ]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct HStack<Content> where Content: View {
  let alignment: VerticalAlignment
  let spacing: CGFloat?
  let content: Content
}
extension HStack: View, PrimitiveView {
  public typealias Body = Never
  nonisolated public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    (self.alignment, self.spacing, self.content) = (alignment, spacing, content())
  }
  func nodes(_ context: DrawContext) -> [ViewNode] {
    [ViewNode(.row, children: context.draw(content, at: "row")).styled("align", alignment.name).styled("spacing", "\(spacing ?? 8)")]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct ZStack<Content> where Content: View {
  let alignment: Alignment
  let content: Content
}
extension ZStack: View, PrimitiveView {
  public typealias Body = Never
  nonisolated public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    (self.alignment, self.content) = (alignment, content())
  }
  func nodes(_ context: DrawContext) -> [ViewNode] {
    [ViewNode(.layers, children: context.draw(content, at: "layers")).styled("align", alignment.name)]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Spacer {
  public var minLength: CGFloat?
  public init(minLength: CGFloat? = nil) { self.minLength = minLength }
}
extension Spacer: PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.spacer)] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Divider {
  public init() {}
}
extension Divider: PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.divider)] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct ScrollView<Content> where Content: View {
  let content: Content
  let axes: Axis.Set
}
extension ScrollView: View, PrimitiveView {
  public typealias Body = Never
  nonisolated public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
    (self.axes, self.content) = (axes, content())
  }
  func nodes(_ context: DrawContext) -> [ViewNode] {
    [ViewNode(.scroll, children: context.draw(content, at: "scroll")).styled("axes", axes == .horizontal ? "horizontal" : "vertical")]
  }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
public struct GridItem: Sendable {
  public enum Size: Sendable {
    case fixed(CGFloat)
    case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
    case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
  }
  public var size: GridItem.Size
  public var spacing: CGFloat?
  public init(_ size: GridItem.Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
    (self.size, self.spacing) = (size, spacing)
  }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
public struct LazyVGrid<Content> where Content: View {
  let columns: [GridItem]
  let spacing: CGFloat?
  let content: Content
}
extension LazyVGrid: View, PrimitiveView {
  public typealias Body = Never
  nonisolated public init(
    columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    (self.columns, self.spacing, self.content) = (columns, spacing, content())
  }
  func nodes(_ context: DrawContext) -> [ViewNode] {
    let tracks = columns.map { column in
      switch column.size {
      case .fixed(let width): "\(width)px"
      case .flexible: "1fr"
      case .adaptive(let minimum, _): "adaptive \(minimum)"
      }
    }
    return [
      ViewNode(.grid, children: context.draw(content, at: "grid")).styled("columns", tracks.joined(separator: " "))
        .styled("spacing", "\(spacing ?? 8)")
    ]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct ForEach<Data, ID, Content> where Data: RandomAccessCollection, ID: Hashable {
  public var data: Data
  public var content: (Data.Element) -> Content
  let id: (Data.Element) -> ID
}
extension ForEach: View, PrimitiveView where Content: View {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var seen: Set<ID> = []
    return data.flatMap { element -> [ViewNode] in
      let id = id(element)
      precondition(seen.insert(id).inserted, "ForEach: the id \(id) occurs twice.")
      return context.draw(content(element), at: "\(id)")
    }
  }
}
extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  nonisolated public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    (self.data, self.content, id) = (data, content, { $0.id })
  }
}
extension ForEach where Content: View {
  nonisolated public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    (self.data, self.content, self.id) = (data, content, { $0[keyPath: id] })
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct List<SelectionValue, Content> where SelectionValue: Hashable, Content: View {
  let content: Content
}
extension List: View, PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.list, children: context.draw(content, at: "list"))] }
}
extension List where SelectionValue == Never {
  nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Section<Parent, Content, Footer> {
  let header: Parent?
  let content: Content
}
extension Section: View, PrimitiveView where Parent: View, Content: View, Footer: View {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.section, children: context.draw(content, at: "section"))
    node.background = header.map { context.draw($0, at: "header") } ?? []
    return [node]
  }
}
extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
  nonisolated public init(@ViewBuilder content: () -> Content) { (header, self.content) = (nil, content()) }
}
extension Section where Parent == Text, Content: View, Footer == EmptyView {
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    (header, self.content) = (Text(titleKey), content())
  }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  @_disfavoredOverload nonisolated public init<S>(_ title: S, @ViewBuilder content: () -> Content) where S: StringProtocol {
    (header, self.content) = (Text(title), content())
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct GeometryProxy {
  public var size: CGSize
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct GeometryReader<Content> where Content: View {
  let make: (GeometryProxy) -> Content
}
extension GeometryReader: View, PrimitiveView {
  public typealias Body = Never
  nonisolated public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { make = content }
  func nodes(_ context: DrawContext) -> [ViewNode] {
    let size = CGSize(width: context.size.width, height: context.size.height)
    return [ViewNode(.box, children: context.draw(make(GeometryProxy(size: size)), at: "geometry")).styled("fills", "true")]
  }
}

// MARK: Apps and previews

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: Scene {}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
@resultBuilder public struct SceneBuilder {
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: Scene { content }
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
public struct WindowGroup<Content> where Content: View {
  let view: Content
}
extension WindowGroup: Scene {
  public var body: Never { fatalError("A primitive scene has no body.") }
  /// For tests: what the window shows.
  public var content: Content { view }
  nonisolated public init(@ViewBuilder content: () -> Content) { view = content() }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
  @MainActor @preconcurrency init()
}
extension App {
  @MainActor @preconcurrency public static func main() { print("\(Self.self) is compiled against stand-ins and does not run here.") }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
@MainActor @preconcurrency public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}
