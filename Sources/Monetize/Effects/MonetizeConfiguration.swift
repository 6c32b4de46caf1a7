// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The dependencies and options of a monetizer, each replaceable.
public struct MonetizeConfiguration: Sendable {
  // MARK: Dependencies

  /// The store that sells. Default: a store without products.
  public var store: any StoreBackend = EmptyStore()
  /// The storage of facts. Default: in memory.
  public var storage: any StateStorage = .memory
  /// Storage that survives a reinstallation, such as `.keychain(service:)` on Apple's systems. Also keeps bought credits, uses of features
  /// with `survivesReinstall`, and what is needed to judge them; they are merged back at launch. Default: `nil`. Credits are then lost with
  /// the app, and such features start over.
  public var secureStorage: (any StateStorage)?
  /// The sorts of facts that the app defines. Default: none.
  public var facts: FactSorts = .standard
  /// The source of time. Default: the system.
  public var time: any TimeSource = .system
  /// Verifies that an adult is present. Default: a gate that always fails.
  public var parentalGate: any ParentalGate = ClosedGate()
  /// Makes unique names for runs of the process and for uses without a key. They must be unique across runs and devices. Default: random
  /// names.
  public var makeID: @Sendable () -> String = { UUID.random().uuidString }
  /// Called for every event in order, one at a time, after the answers have changed. Runs on the thread that caused an event. Events caused
  /// by the handler follow after it returns. Default: `nil`.
  public var onEvent: (@Sendable (MonetizeEvent) -> Void)?
  /// Passes a verified purchase on, such as to the app's server, after it is on disk and before it is finished. Returns whether it was
  /// passed on. Otherwise the store keeps it, and it comes again with the next refresh and the next launch. Nothing waits for it, so a server
  /// may take its time. Default: `nil`.
  public var beforeFinishing: (@Sendable (SignedTransaction) async -> Bool)?
  /// Decides about a purchase that a person began in the store, and may wait for a good moment. After `true` the parental gate is shown, if
  /// the catalog has one that covers purchases, and the purchase is made. Default: `true` at once.
  public var acceptsIntent: @Sendable (PurchaseRequest) async -> Bool = { _ in true }
  /// Other receivers of events, as far as the catalog's `events.sinks` allows them. Default: none.
  public var sinks: [EventSink] = []
  /// Called once for each mistake in how the app uses Monetize: a feature or entitlement that the catalog lacks, with the intended name, or
  /// purchases that are finished but kept only in memory.
  /// Default: prints to standard error in debug builds; otherwise `nil`.
  public var onUnknownName: (@Sendable (String) -> Void)? = UnknownNames.standard

  // MARK: Options

  /// Returns the device's time zone. Called at launch, in the foreground, and whenever answers are computed again.
  /// Default: the system's.
  public var zone: @Sendable () -> TimeZone = { .current }
  /// Returns attributes for the app's own conditions, such as `region`. Called each time they are needed. Default: none.
  public var attributes: @Sendable () -> [String: String] = { [:] }
  /// The app's account. Purchases made for another account do not count. Default: `nil`.
  public var account: String?
  /// The name of this device among the customer's devices. Its counts add up with those of the others. Default: a random name for this
  /// installation, stored with the first fact and never shared.
  public var source: SourceID?
  /// How long the store's list may omit a purchase that was just made before it is checked at the store, in seconds. Default: 60.
  ///
  /// StoreKit lists a purchase up to seconds late.
  public var listingGrace: TimeInterval = 60
  /// How long a pending purchase stays pending, in seconds. Default: one day, the lifetime of an Ask to Buy request.
  public var pendingLasts: TimeInterval = 86400
  /// Whether the store is read right after the start. In tests, set it to `false` and call ``Monetizer/start()``.
  public var startsByItself = true
  /// The state of the store at the start. A test without a store begins with an answer.
  package var knownStore = StoreKnowledge.waiting
}
