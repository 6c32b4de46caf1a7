// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms-SwiftUI.md lists it; StandInTableTests compares the two.

// Names that SwiftUI exports and the root package does not use: NameTests fails if a public name of ours is one of them.

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct Transaction {
  public init() {}
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, visionOS 1.0, *)
nonisolated public struct Menu<Label, Content> where Label: View, Content: View {}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
@frozen public struct Grid<Content> where Content: View {}
