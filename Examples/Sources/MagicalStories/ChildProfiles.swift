// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A child that stories are made for.
public struct ChildProfile: Sendable, Hashable, Identifiable {
  /// What names it.
  public let id: Int
  /// When a story was last made for the child.
  public var lastUsed: Date

  /// Makes a profile.
  public init(id: Int, lastUsed: Date) {
    self.id = id
    self.lastUsed = lastUsed
  }
}

/// The child profiles of a family: a value. However many there are, all are shown and none is deleted; how many stories are made for, the
/// snapshot says.
public struct ChildProfiles: Sendable, Hashable {
  /// All profiles, in the order in which they were added.
  public private(set) var all: [ChildProfile]

  /// Makes profiles from what is stored.
  public init(_ all: [ChildProfile] = []) { self.all = all }

  /// Whether there is room for one more, and if not, why and what makes room.
  public func room(in snapshot: Snapshot) -> Decision { snapshot.decision(for: AccessRequest(.childProfiles, held: all.count)) }

  /// Adds a profile where there is room.
  /// - Throws: ``Monetize/AccessDenied``, and nothing is added.
  public mutating func add(_ profile: ChildProfile, in snapshot: Snapshot) throws(AccessDenied) {
    let decision = room(in: snapshot)
    guard decision.isAllowed else { throw AccessDenied(decision: decision) }
    all.append(profile)
  }

  /// Deletes a profile because a parent says so; then there is room again.
  public mutating func delete(_ id: ChildProfile.ID) { all.removeAll { $0.id == id } }

  /// The profiles that stories are made for: as many as there may be, those used last, in their order on screen.
  public func active(in snapshot: Snapshot) -> [ChildProfile] {
    guard let limit = snapshot.decision(for: .childProfiles).limit, limit < all.count else { return all }
    let active = Set(all.sorted { ($0.lastUsed, $0.id) > ($1.lastUsed, $1.id) }.prefix(limit).map(\.id))
    return all.filter { active.contains($0.id) }
  }
}
