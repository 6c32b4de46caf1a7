// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms-SwiftUI.md lists it; StandInTableTests compares the two.
// A stand-in for Apple's WidgetKit on Linux: only what the example widget uses. Never a product.

public import Foundation
public import SwiftUI

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
public protocol TimelineEntry {
  var date: Date { get }
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
public struct TimelineReloadPolicy: Equatable {
  let name: String
  public static let atEnd: TimelineReloadPolicy = TimelineReloadPolicy(name: "atEnd")
  public static let never: TimelineReloadPolicy = TimelineReloadPolicy(name: "never")
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
public struct Timeline<EntryType> where EntryType: TimelineEntry {
  public let entries: [EntryType]
  public let policy: TimelineReloadPolicy
  public init(entries: [EntryType], policy: TimelineReloadPolicy) { (self.entries, self.policy) = (entries, policy) }
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
public struct TimelineProviderContext {
  /// For tests.
  package init() {}
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
public protocol TimelineProvider {
  associatedtype Entry: TimelineEntry
  typealias Context = TimelineProviderContext
  func placeholder(in context: Self.Context) -> Self.Entry
  @preconcurrency func getSnapshot(in context: Self.Context, completion: @escaping @Sendable (Self.Entry) -> Void)
  @preconcurrency func getTimeline(in context: Self.Context, completion: @escaping @Sendable (Timeline<Self.Entry>) -> Void)
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
@MainActor @preconcurrency public struct StaticConfiguration<Content> where Content: View {
  /// For tests: what an entry looks like, by its type.
  package let content: (Any) -> Content?
  @MainActor @preconcurrency public init<Provider>(kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content) where Provider: TimelineProvider { self.content = { ($0 as? Provider.Entry).map(content) } }
}
extension StaticConfiguration: WidgetConfiguration {}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
@preconcurrency public enum WidgetFamily: Hashable, Sendable {
  @available(iOS 14.0, macOS 11.0, visionOS 26.0, *)
  case systemSmall
  @available(iOS 14.0, macOS 11.0, visionOS 26.0, *)
  case systemMedium
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
extension WidgetConfiguration {
  @MainActor @preconcurrency public func configurationDisplayName(_ displayNameKey: LocalizedStringKey) -> some WidgetConfiguration { self }
  @MainActor @preconcurrency public func description(_ descriptionKey: LocalizedStringKey) -> some WidgetConfiguration { self }
  @MainActor @preconcurrency public func supportedFamilies(_ families: [WidgetFamily]) -> some WidgetConfiguration { self }
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
extension Widget {
  @MainActor @preconcurrency public static func main() { print("\(Self.self) is compiled against stand-ins and does not run here.") }
}

@available(iOS 14.0, macOS 11.0, watchOS 9.0, visionOS 26.0, *)
public class WidgetCenter {
  public static let shared: WidgetCenter = WidgetCenter()
  /// For tests.
  package private(set) var reloaded: [String] = []
  public func reloadTimelines(ofKind kind: String) { reloaded.append(kind) }
}

@available(iOS 17.0, macOS 14.0, watchOS 10.0, visionOS 26.0, *)
extension ContainerBackgroundPlacement {
  public static let widget: ContainerBackgroundPlacement = ContainerBackgroundPlacement()
}
