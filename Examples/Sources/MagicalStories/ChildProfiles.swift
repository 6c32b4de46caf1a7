// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A child with a profile for stories.
public struct ChildProfile: Sendable, Hashable, Identifiable {
  /// The id of the profile.
  public let id: Int
  /// The date of the last story for the child.
  public var lastUsed: Date

  /// Makes a profile.
  public init(id: Int, lastUsed: Date) {
    self.id = id
    self.lastUsed = lastUsed
  }
}

/// The child profiles of a family: a value. All profiles are shown and none is deleted. The snapshot limits the number of profiles that
/// stories are made for.
public struct ChildProfiles: Sendable, Hashable {
  /// All profiles, in the order of addition.
  public private(set) var all: [ChildProfile]

  /// Makes profiles from stored ones.
  public init(_ all: [ChildProfile] = []) { self.all = all }

  /// The decision about one more profile, with the reason of a denial and what allows one more.
  public func room(in snapshot: Snapshot) -> Decision { snapshot.decision(for: AccessRequest(.childProfiles, held: all.count)) }

  /// Adds a profile if there is room.
  /// - Throws: ``Monetize/AccessDenied``, and nothing is added.
  public mutating func add(_ profile: ChildProfile, in snapshot: Snapshot) throws(AccessDenied) {
    let decision = room(in: snapshot)
    guard decision.isAllowed else { throw AccessDenied(decision: decision) }
    all.append(profile)
  }

  /// Deletes a profile at a parent's request, which makes room for another.
  public mutating func delete(_ id: ChildProfile.ID) { all.removeAll { $0.id == id } }

  /// The profiles that stories are made for: those used last, up to the limit, in their order on screen.
  public func active(in snapshot: Snapshot) -> [ChildProfile] {
    guard let limit = snapshot.decision(for: .childProfiles).limit, limit < all.count else { return all }
    let active = Set(all.sorted { ($0.lastUsed, $0.id) > ($1.lastUsed, $1.id) }.prefix(limit).map(\.id))
    return all.filter { active.contains($0.id) }
  }
}
