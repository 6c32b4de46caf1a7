// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Names that Combine exports and the package does not use: one of ours that is the same has to be written with its module in NameTests.

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol Cancellable {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol CustomCombineIdentifierConvertible {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {}

@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct Record<Output, Failure> where Failure: Error {}
