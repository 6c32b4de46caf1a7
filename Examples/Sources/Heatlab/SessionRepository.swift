// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A recorded workout. Its measurements stay in the app.
public struct Session: Sendable, Hashable, Identifiable {
  /// The id of the session.
  public let id: Int
  /// The start of the session.
  public let start: Date

  /// Makes a session.
  public init(id: Int, start: Date) {
    self.id = id
    self.start = start
  }
}

/// The storage of all sessions, for paying customers and others alike.
public protocol SessionStore: Sendable {
  /// All sessions, newest first.
  func sessions() -> [Session]
}

/// The purpose of a fetch. The window limits what a person sees; the baseline and the sync need everything.
public enum SessionPurpose: Sendable, Hashable, CaseIterable {
  /// The list of past sessions.
  case history
  /// Trends over time.
  case trends
  /// The baseline of a session.
  case baseline
  /// Other devices.
  case sync

  /// The feature whose limit applies.
  public var feature: FeatureID {
    switch self {
    case .history: .history
    case .trends: .trends
    case .baseline: .baselineComparison
    case .sync: .cloudSync
    }
  }
}

/// The window of visible sessions. Only a decision makes one, so no caller can claim to be Pro.
public struct SessionWindow: Sendable, Hashable {
  /// Sessions from this time on are shown; `nil` shows all.
  public let cutoff: Date?
  /// Whether any session is shown.
  public let isOpen: Bool

  /// The window of a decision.
  public init(_ decision: Decision) {
    cutoff = decision.cutoff
    isOpen = decision.isAllowed
  }

  /// Whether a session is shown.
  public func shows(_ session: Session) -> Bool { isOpen && session.start >= cutoff ?? .distantPast }
}

/// The fetched sessions, and the number of hidden ones.
public struct FetchedSessions: Sendable, Hashable {
  /// The visible sessions, newest first.
  public let sessions: [Session]
  /// The number of older sessions that are stored but hidden: a reason for a soft prompt, and never for deleting.
  public let hidden: Int
}

/// Fetches sessions. Asks for the cutoff each time, and deletes nothing.
public struct SessionRepository: Sendable {
  private let store: any SessionStore
  private let monetizer: Monetizer

  /// Makes a repository.
  public init(_ store: any SessionStore, for monetizer: Monetizer) {
    self.store = store
    self.monetizer = monetizer
  }

  /// The present window for a purpose.
  public func window(for purpose: SessionPurpose) -> SessionWindow { SessionWindow(monetizer.decision(for: purpose.feature)) }

  /// The sessions for a purpose.
  public func sessions(for purpose: SessionPurpose) -> FetchedSessions {
    let (all, window) = (store.sessions(), window(for: purpose))
    let shown = all.filter(window.shows)
    return FetchedSessions(sessions: shown, hidden: all.count - shown.count)
  }
}
