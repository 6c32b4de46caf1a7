// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a monetizer works with: everything outside of it, each replaceable.
public struct MonetizeConfiguration: Sendable {
  // MARK: Dependencies

  /// Where purchases are made. Default: a store that sells nothing.
  public var store: any StoreBackend = EmptyStore()
  /// Where facts are kept. Default: in memory.
  public var storage: any StateStorage = .memory
  /// Where a reinstallation does not reach, such as `.keychain(service:)` on Apple's systems: bought credits, and uses of features that say
  /// `survivesReinstall`, are kept there as well, with what is needed to judge them, and are merged back at launch. Default: nowhere, so that
  /// credits are gone with the app and such features begin anew.
  public var secureStorage: (any StateStorage)?
  /// The sorts of facts that the app brings. Default: none.
  public var facts: FactSorts = .standard
  /// Where the time comes from. Default: the system.
  public var time: any TimeSource = .system
  /// Finds out whether an adult is there. Default: a gate that nobody passes.
  public var parentalGate: any ParentalGate = ClosedGate()
  /// Makes the names of this run of the process and of uses without a key of their own; two must never be the same, also of two runs and of two
  /// devices. Default: random ones.
  public var makeID: @Sendable () -> String = { UUID().uuidString }
  /// Called for every event, one after another and in order, on a thread where something happened, after the answers have changed. What it
  /// changes itself is told after the event that it handles. Default: `nil`.
  public var onEvent: (@Sendable (MonetizeEvent) -> Void)?
  /// Called once for each feature and entitlement that the app names and the catalog does not have, with a sentence that proposes what was
  /// meant. Default: where Monetize is built for debugging, standard error; else `nil`.
  public var onUnknownName: (@Sendable (String) -> Void)? = UnknownNames.standard

  // MARK: Options

  /// The device's time zone, asked for anew each time. Default: the system's.
  public var zone: @Sendable () -> TimeZone = { .current }
  /// What an app's own conditions look at, such as `region`; asked for anew each time, like the zone. Default: nothing.
  public var attributes: @Sendable () -> [String: String] = { [:] }
  /// The app's account; purchases made for another account do not count. Default: none.
  public var account: String?
  /// The name of this device among the customer's: what it counts adds up with what others count. Default: a random name of this installation,
  /// which is stored with the first fact and told to no other device.
  public var source: SourceID?
  /// For how long a purchase just made may be missing from the store's list without being asked about, in seconds. Default: 60.
  ///
  /// StoreKit lists a purchase up to seconds late.
  public var listingGrace: TimeInterval = 60
  /// For how long a pending purchase is waited for, in seconds. Default: a day, as Ask to Buy requests last.
  public var pendingLasts: TimeInterval = 86400
  /// Whether the store is asked right after the start. Turn it off to call ``Monetizer/start()`` yourself, in tests.
  public var startsByItself = true
  /// What is known of the store at the start. A test that asks no store begins with an answer.
  package var knownStore = StoreKnowledge.waiting
}
