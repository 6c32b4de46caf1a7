// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// MARK: Colours, fonts and shapes

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public protocol ShapeStyle: Sendable {}

extension ShapeStyle {
  var styleName: String { (self as? any NamedStyle)?.name ?? "\(self)" }
}
protocol NamedStyle { var name: String { get } }

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Color: Hashable, Sendable, ShapeStyle, NamedStyle {
  let name: String
  public static let red = Color(name: "red")
  public static let orange = Color(name: "orange")
  public static let green = Color(name: "green")
  public static let blue = Color(name: "blue")
  public static let yellow = Color(name: "yellow")
  public static let purple = Color(name: "purple")
  public static let pink = Color(name: "pink")
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  public static let indigo = Color(name: "indigo")
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  public static let teal = Color(name: "teal")
  public static let white = Color(name: "white")
  public static let black = Color(name: "black")
  public static let clear = Color(name: "clear")
  public static let primary = Color(name: "primary")
  public static let secondary = Color(name: "secondary")
  public static let accentColor = Color(name: "accent")
  public func opacity(_ opacity: Double) -> Color { Color(name: "\(name)/\(opacity)") }
}
extension Color: View, PrimitiveView {
  public typealias Body = Never
  func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.shape).styled("fill", name)] }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
public struct BackgroundStyle: ShapeStyle, NamedStyle {
  var name: String { "background" }
  public init() {}
}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
extension ShapeStyle where Self == BackgroundStyle {
  public static var background: BackgroundStyle { BackgroundStyle() }
}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
extension ShapeStyle where Self == Color {
  public static var red: Color { Color.red }
  public static var orange: Color { Color.orange }
  public static var green: Color { Color.green }
  public static var blue: Color { Color.blue }
  public static var white: Color { Color.white }
  public static var primary: Color { Color.primary }
  public static var secondary: Color { Color.secondary }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Font: Hashable, Sendable {
  let name: String
  public static let largeTitle = Font(name: "largeTitle")
  public static let title = Font(name: "title")
  @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
  public static let title2 = Font(name: "title2")
  @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
  public static let title3 = Font(name: "title3")
  public static let headline = Font(name: "headline")
  public static let subheadline = Font(name: "subheadline")
  public static let body = Font(name: "body")
  public static let callout = Font(name: "callout")
  public static let footnote = Font(name: "footnote")
  public static let caption = Font(name: "caption")
  public func weight(_ weight: Font.Weight) -> Font { Font(name: name + " " + weight.name) }
  public func bold() -> Font { Font(name: name + " bold") }
  @frozen public struct Weight: Hashable, Sendable {
    let name: String
    public static let regular = Font.Weight(name: "regular")
    public static let medium = Font.Weight(name: "medium")
    public static let semibold = Font.Weight(name: "semibold")
    public static let bold = Font.Weight(name: "bold")
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public protocol Shape: Sendable, View {}
protocol NamedShape { var shapeName: String { get } }
extension Shape {
  nonisolated var cssName: String { (self as? any NamedShape)?.shapeName ?? "rectangle" }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public protocol InsettableShape: Shape {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public enum RoundedCornerStyle: Sendable { case circular, continuous }

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct RoundedRectangle: Sendable, InsettableShape, NamedShape, PrimitiveView {
  public typealias Body = Never
  let cornerRadius: CGFloat
  public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .circular) { self.cornerRadius = cornerRadius }
  nonisolated var shapeName: String { "rounded \(cornerRadius)" }
  func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.shape).styled("shape", shapeName).styled("fill", "primary")] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Capsule: Sendable, InsettableShape, NamedShape, PrimitiveView {
  public typealias Body = Never
  public init(style: RoundedCornerStyle = .circular) {}
  nonisolated var shapeName: String { "capsule" }
  func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.shape).styled("shape", shapeName).styled("fill", "primary")] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Circle: Sendable, InsettableShape, NamedShape, PrimitiveView {
  public typealias Body = Never
  public init() {}
  nonisolated var shapeName: String { "circle" }
  func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.shape).styled("shape", shapeName).styled("fill", "primary")] }
}

/// A shape that is filled, or whose border is drawn.
struct DrawnShape: PrimitiveView {
  typealias Body = Never
  let style: [(String, String)]
  func nodes(_ context: DrawContext) -> [ViewNode] { [style.reduce(ViewNode(.shape)) { $0.styled($1.0, $1.1) }] }
}

extension Shape {
  @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
  nonisolated public func fill<S>(_ content: S) -> some View where S: ShapeStyle {
    DrawnShape(style: [("shape", cssName), ("fill", content.styleName)])
  }
}
extension InsettableShape {
  @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
  nonisolated public func strokeBorder<S>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true) -> some View where S: ShapeStyle {
    DrawnShape(style: [("shape", cssName), ("border", "\(lineWidth) \(content.styleName)")])
  }
}

// MARK: Geometry

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct HorizontalAlignment: Equatable, Sendable {
  let name: String
  public static let leading = HorizontalAlignment(name: "leading")
  public static let center = HorizontalAlignment(name: "center")
  public static let trailing = HorizontalAlignment(name: "trailing")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct VerticalAlignment: Equatable, Sendable {
  let name: String
  public static let top = VerticalAlignment(name: "top")
  public static let center = VerticalAlignment(name: "center")
  public static let bottom = VerticalAlignment(name: "bottom")
  public static let firstTextBaseline = VerticalAlignment(name: "baseline")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Alignment: Equatable, Sendable {
  let name: String
  public static let center = Alignment(name: "center center")
  public static let leading = Alignment(name: "leading center")
  public static let trailing = Alignment(name: "trailing center")
  public static let top = Alignment(name: "center top")
  public static let bottom = Alignment(name: "center bottom")
  public static let topLeading = Alignment(name: "leading top")
  public static let topTrailing = Alignment(name: "trailing top")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public enum TextAlignment: Hashable, CaseIterable, Sendable { case leading, center, trailing }

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public enum Axis: Int8, CaseIterable, Sendable {
  case horizontal, vertical
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let horizontal = Axis.Set(rawValue: 1)
    public static let vertical = Axis.Set(rawValue: 2)
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public enum Edge: Int8, CaseIterable, Sendable {
  case top, leading, bottom, trailing
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let top = Edge.Set(rawValue: 1)
    public static let leading = Edge.Set(rawValue: 2)
    public static let bottom = Edge.Set(rawValue: 4)
    public static let trailing = Edge.Set(rawValue: 8)
    public static let all: Edge.Set = [.top, .leading, .bottom, .trailing]
    public static let horizontal: Edge.Set = [.leading, .trailing]
    public static let vertical: Edge.Set = [.top, .bottom]
    var name: String {
      self == .all ? "all" : self == .horizontal ? "horizontal" : self == .vertical ? "vertical" : "\(rawValue)"
    }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
public struct Animation: Equatable, Sendable {
  let name: String
  public static let `default` = Animation(name: "default")
  public static let easeInOut = Animation(name: "easeInOut")
}
