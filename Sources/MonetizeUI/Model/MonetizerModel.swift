// SPDX-License-Identifier: Apache-2.0
#if canImport(Combine) && canImport(SwiftUI)
  public import Combine
  public import Monetize
  public import Observation

  /// The owner of a monetizer in an app with views. Follows every change, so that views are drawn again. Make one per monetizer.
  ///
  /// ```swift
  /// @StateObject private var shop = MonetizerModel(catalog: catalog) { $0.store = .appStore }
  /// var body: some Scene { WindowGroup { ContentView().monetizer(shop) } }
  /// ```
  ///
  /// From iOS 17 on it is `Observable` as well: keep it in a `@State`, and a view that reads ``snapshot`` is drawn again after each change.
  @MainActor public final class MonetizerModel: ObservableObject {
    /// The monetizer.
    public let monetizer: Monetizer
    /// The latest snapshot. Each change is a new value.
    public var snapshot: Snapshot {
      if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) { registrar?.access(self, keyPath: \.snapshot) }
      return latest
    }
    @Published private var latest: Snapshot
    /// An `ObservationRegistrar`, if the system has that type.
    private let observation: (any Sendable)?
    let prompt: ParentalPrompt?
    private var following: Task<Void, Never>?

    /// Makes a monetizer whose parental gate shows its task in a sheet, and its owner.
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - configure: Changes the configuration, such as the store and the storage. Another parental gate replaces the task in a sheet.
    public convenience init(catalog: Catalog, _ configure: (inout MonetizeConfiguration) -> Void = { _ in }) {
      let prompt = ParentalPrompt()
      self.init(
        Monetizer(catalog: catalog) {
          $0.parentalGate = prompt
          configure(&$0)
        }, prompt: prompt)
    }

    /// Makes the owner of a monetizer.
    /// - Parameters:
    ///   - monetizer: The monetizer.
    ///   - prompt: The monetizer's parental gate, to show its task in a sheet.
    public init(_ monetizer: Monetizer, prompt: ParentalPrompt? = nil) {
      (self.monetizer, self.prompt) = (monetizer, prompt)
      latest = monetizer.snapshot
      if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
        observation = ObservationRegistrar()
      } else {
        observation = nil
      }
      following = Task { [weak self, snapshots = monetizer.snapshots] in
        for await snapshot in snapshots { self?.update(snapshot) }
      }
    }

    deinit { following?.cancel() }

    private func update(_ snapshot: Snapshot) {
      guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *), let registrar else {
        latest = snapshot
        return
      }
      registrar.withMutation(of: self, keyPath: \.snapshot) { latest = snapshot }
    }
  }

  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
  extension MonetizerModel: Observable {
    private var registrar: ObservationRegistrar? { observation as? ObservationRegistrar }
  }
#endif
