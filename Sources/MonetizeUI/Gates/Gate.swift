// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  public import Monetize
  public import SwiftUI

  /// The access to a feature, in a view. The view is drawn again whenever the answer changes.
  ///
  /// ```swift
  /// @Gate(.export) private var export
  ///
  /// if export.isOpen { ExportButton() }
  /// Button("Export") { $export.open { share() } }     // content, gate and paywall, or nothing while the answer is unknown
  /// ```
  @propertyWrapper public struct Gate: DynamicProperty {
    @Environment(\.monetize) private var context
    private let request: AccessRequest

    /// Makes a gate for a feature, or for one of its items.
    public init(_ feature: FeatureID, item: ItemPath? = nil) { request = AccessRequest(feature, item: item) }
    /// Makes a gate for a feature of a generated catalog.
    public init(_ feature: NamedFeature<some Any>) { request = feature.request }
    /// Makes a gate for a request with parameters.
    public init(_ request: AccessRequest) { self.request = request }

    /// What to show now.
    @MainActor public var wrappedValue: FeatureAccess { context.access(to: request) }
    /// The action of a tap.
    @MainActor public var projectedValue: GateTap { GateTap(context: context, request: request) }
  }

  // Reads the environment of its view, which belongs to the main actor.
  @available(*, unavailable) extension Gate: Sendable {}

  /// A tap on a feature: its content, the parental gate and the paywall, or nothing while the answer is unknown.
  @MainActor public struct GateTap {
    let context: MonetizeContext
    let request: AccessRequest

    /// Handles a tap: runs `content` if the feature is open, or presents the parental gate and the paywall if a purchase helps.
    public func open(_ content: @escaping @MainActor () -> Void = {}) {
      guard let monetizer = context.model?.monetizer, let presenter = context.presenter else { return }
      Task { await presenter.open(monetizer, request, content: content) }
    }

    /// Runs work that uses the feature, for a button such as "Create a story"; see `Monetizer.perform(_:item:count:key:_:)`. Presents
    /// the paywall when nothing is left.
    /// - Parameters:
    ///   - key: The name of the use. A second tap or a retry with the same key counts once.
    ///   - work: The work.
    /// - Returns: The result; `nil` without a monetizer in the environment.
    @discardableResult
    public func perform<Value>(key: String? = nil, _ work: () async throws -> Value) async -> WorkOutcome<Value>? {
      guard let monetizer = context.model?.monetizer, let presenter = context.presenter else { return nil }
      return await presenter.perform(monetizer, request.feature, item: request.item, key: key, work)
    }
  }
#endif
