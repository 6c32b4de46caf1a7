// SPDX-License-Identifier: Apache-2.0
import Monetize

/// The player in front of the hub.
public enum Player: Sendable, Hashable {
  /// A parent, signed in.
  case parent(String)
  /// A child, signed in by its own PIN. A PIN is no parental gate.
  case child(String)
  /// A guest without an account: plays everything, on this device only.
  case guest
  /// A demo for a parent: nothing is saved or tracked.
  case demo

  var member: Member {
    switch self {
    case .parent(let name): .parent(name)
    case .child(let name): .child(name)
    case .guest: .guest
    case .demo: .demo
    }
  }
}
