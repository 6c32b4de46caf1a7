// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms-SwiftUI.md lists it; StandInTableTests compares the two.

public import Foundation

// MARK: Colours, fonts and shapes

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol ShapeStyle: Sendable {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct Color: Hashable, Sendable {
  let name: String
  public static let red: Color = Color(name: "red")
  public static let orange: Color = Color(name: "orange")
  public static let green: Color = Color(name: "green")
  public static let blue: Color = Color(name: "blue")
  public static let white: Color = Color(name: "white")
  public static let clear: Color = Color(name: "clear")
  public static let primary: Color = Color(name: "primary")
  public static let secondary: Color = Color(name: "secondary")
  public static var accentColor: Color { Color(name: "accent") }
  public func opacity(_ opacity: Double) -> Color { Color(name: "\(name)/\(opacity)") }
}
extension Color: ShapeStyle, NamedStyle {}
extension Color: PrimitiveView {
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.shape).styled("fill", name)] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct Font: Hashable, Sendable {
  let name: String
  public static let largeTitle: Font = Font(name: "largeTitle")
  public static let title: Font = Font(name: "title")
  @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
  public static let title2: Font = Font(name: "title2")
  @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
  public static let title3: Font = Font(name: "title3")
  public static let headline: Font = Font(name: "headline")
  public static let subheadline: Font = Font(name: "subheadline")
  public static let body: Font = Font(name: "body")
  public static let footnote: Font = Font(name: "footnote")
  public static let caption: Font = Font(name: "caption")
  public func weight(_ weight: Font.Weight) -> Font { Font(name: name + " " + weight.name) }
  public func bold() -> Font { Font(name: name + " bold") }
  @frozen public struct Weight: Hashable, Sendable {
    let name: String
    public static let semibold: Font.Weight = Font.Weight(name: "semibold")
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol Animatable {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
nonisolated public protocol Shape: Sendable, Animatable, View {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
nonisolated public protocol InsettableShape: Shape {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public enum RoundedCornerStyle: Sendable {
  case continuous
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct RoundedRectangle {
  let cornerRadius: CGFloat
  public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) { self.cornerRadius = cornerRadius }
}
extension RoundedRectangle: InsettableShape, NamedShape, PrimitiveView {
  nonisolated var shapeName: String { "rounded \(cornerRadius)" }
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.shape).styled("shape", shapeName).styled("fill", "primary")] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct Capsule {
  public init(style: RoundedCornerStyle = .continuous) {}
}
extension Capsule: InsettableShape, NamedShape, PrimitiveView {
  nonisolated var shapeName: String { "capsule" }
  @MainActor func nodes(_ context: DrawContext) -> [ViewNode] { [ViewNode(.shape).styled("shape", shapeName).styled("fill", "primary")] }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension InsettableShape {
  public func strokeBorder<S>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true) -> some View where S: ShapeStyle { DrawnShape(style: [("shape", cssName), ("border", "\(lineWidth) \(content.styleName)")]) }
}

// MARK: Geometry

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct HorizontalAlignment: Equatable, Sendable {
  let name: String
  public static let leading: HorizontalAlignment = HorizontalAlignment(name: "leading")
  public static let center: HorizontalAlignment = HorizontalAlignment(name: "center")
  public static let trailing: HorizontalAlignment = HorizontalAlignment(name: "trailing")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct VerticalAlignment: Equatable, Sendable {
  let name: String
  public static let top: VerticalAlignment = VerticalAlignment(name: "top")
  public static let center: VerticalAlignment = VerticalAlignment(name: "center")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct Alignment: Equatable, Sendable {
  let name: String
  public static let center: Alignment = Alignment(name: "center center")
  public static let leading: Alignment = Alignment(name: "leading center")
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public enum TextAlignment: Hashable, CaseIterable, Sendable {
  case leading
  case center
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public enum Axis: Sendable {
  @frozen public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let vertical: Axis.Set = Axis.Set(rawValue: 2)
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public enum Edge: Sendable {
  @frozen public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let all: Edge.Set = Edge.Set(rawValue: 15)
    public static let horizontal: Edge.Set = Edge.Set(rawValue: 10)
    public static let vertical: Edge.Set = Edge.Set(rawValue: 5)
    var name: String { self == .all ? "all" : self == .horizontal ? "horizontal" : "vertical" }
  }
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct EdgeInsets: Equatable, Sendable {
  public init() {}
}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
@frozen public struct Animation: Equatable, Sendable {}
@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension Animation {
  public static let `default`: Animation = Animation()
}
