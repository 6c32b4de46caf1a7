// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms-SwiftUI.md lists it; StandInTableTests compares the two.

public import Foundation

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen nonisolated public struct VStack<Content> where Content: View {
  let alignment: HorizontalAlignment
  let spacing: CGFloat?
  let content: Content
  nonisolated public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) { (self.alignment, self.spacing, self.content) = (alignment, spacing, content()) }
}
extension VStack: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    [
      ViewNode(.column, children: context.draw(content, at: "column")).styled("align", alignment.name)
        .styled("spacing", "\(spacing ?? 8)")
    ]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen nonisolated public struct HStack<Content> where Content: View {
  let alignment: VerticalAlignment
  let spacing: CGFloat?
  let content: Content
  nonisolated public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) { (self.alignment, self.spacing, self.content) = (alignment, spacing, content()) }
}
extension HStack: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    [ViewNode(.row, children: context.draw(content, at: "row")).styled("align", alignment.name).styled("spacing", "\(spacing ?? 8)")]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct Spacer {
  public init(minLength: CGFloat? = nil) {}
}
extension Spacer: PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.spacer)] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
nonisolated public struct Divider {
  nonisolated public init() {}
}
extension Divider: PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.divider)] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
nonisolated public struct ScrollView<Content> where Content: View {
  let content: Content
  nonisolated public init(_ axes: Axis.Set = .vertical, @ViewBuilder content: () -> Content) { self.content = content() }
}
extension ScrollView: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.scroll, children: context.draw(content, at: "scroll")).styled("axes", "vertical")] }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
public struct GridItem: Sendable {
  public enum Size: Sendable {
    case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
    case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
  }
  let size: GridItem.Size
  public init(_ size: GridItem.Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) { self.size = size }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
public struct PinnedScrollableViews: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
nonisolated public struct LazyVGrid<Content> where Content: View {
  let columns: [GridItem]
  let spacing: CGFloat?
  let content: Content
  nonisolated public init(columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content) { (self.columns, self.spacing, self.content) = (columns, spacing, content()) }
}
extension LazyVGrid: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    let tracks = columns.map { column in
      switch column.size {
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

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct ForEach<Data, ID, Content> where Data: RandomAccessCollection, ID: Hashable {
  let data: Data
  let content: (Data.Element) -> Content
  let id: (Data.Element) -> ID
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) { (self.data, self.content, id) = (data, content, { $0.id }) }
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension ForEach where Content: View {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) { (self.data, self.content, self.id) = (data, content, { $0[keyPath: id] }) }
}
extension ForEach: View, PrimitiveView where Content: View {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    var seen: Set<ID> = []
    return data.flatMap { element -> [ViewNode] in
      let id = id(element)
      precondition(seen.insert(id).inserted, "ForEach: the id \(id) occurs twice.")
      return context.draw(content(element), at: "\(id)")
    }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
nonisolated public struct List<SelectionValue, Content> where SelectionValue: Hashable, Content: View {
  let content: Content
}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension List where SelectionValue == Never {
  nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}
extension List: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.list, children: context.draw(content, at: "list"))] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct Section<Parent, Content, Footer> {
  let header: Parent
  let content: Content
}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Section where Parent == Text, Content: View, Footer == EmptyView {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) { (header, self.content) = (Text(titleKey), content()) }
  @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: () -> Content) where S: StringProtocol { (header, self.content) = (Text(title), content()) }
}
extension Section: View, PrimitiveView where Parent: View, Content: View, Footer: View {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    var node = ViewNode(.section, children: context.draw(content, at: "section"))
    node.background = context.draw(header, at: "header")
    return [node]
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct GeometryProxy {
  let frame: CGSize
  public var size: CGSize { frame }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen nonisolated public struct GeometryReader<Content> where Content: View {
  let make: (GeometryProxy) -> Content
  nonisolated public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { make = content }
}
extension GeometryReader: View, PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] {
    let size = CGSize(width: context.size.width, height: context.size.height)
    return [ViewNode(.box, children: context.draw(make(GeometryProxy(frame: size)), at: "geometry")).styled("fills", "true")]
  }
}

// MARK: Apps and previews

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
nonisolated public struct WindowGroup<Content> where Content: View {
  /// For tests: what the window shows.
  package let content: () -> Content
  nonisolated public init(@ViewBuilder makeContent: @escaping () -> Content) { content = makeContent }
}
extension WindowGroup: Scene {}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
  @MainActor @preconcurrency init()
}
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
extension App {
  @MainActor @preconcurrency public static func main() { print("\(Self.self) is compiled against stand-ins and does not run here.") }
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 1.0, *)
@MainActor @preconcurrency public protocol WidgetConfiguration {
  associatedtype Body: WidgetConfiguration
  @MainActor @preconcurrency var body: Self.Body { get }
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 1.0, *)
@MainActor @preconcurrency public protocol Widget {
  associatedtype Body: WidgetConfiguration
  @MainActor @preconcurrency var body: Self.Body { get }
  @MainActor @preconcurrency init()
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol _PreviewProvider {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@MainActor @preconcurrency public protocol PreviewProvider: _PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}
