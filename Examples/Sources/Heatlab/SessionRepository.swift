// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A recorded workout. Of the measurements, only the app knows.
public struct Session: Sendable, Hashable, Identifiable {
  /// What names it.
  public let id: Int
  /// When it began.
  public let start: Date

  /// Makes a session.
  public init(id: Int, start: Date) {
    self.id = id
    self.start = start
  }
}

/// Where sessions are stored, all of them, whoever pays or not.
public protocol SessionStore: Sendable {
  /// All sessions, newest first.
  func sessions() -> [Session]
}

/// What sessions are fetched for. The window is on what a person sees; the baseline and the sync need everything.
public enum SessionPurpose: Sendable, Hashable, CaseIterable {
  /// The list of past sessions.
  case history
  /// Trends over time.
  case trends
  /// What a session is compared with.
  case baseline
  /// Other devices.
  case sync

  /// The feature whose limit holds for it.
  public var feature: FeatureID {
    switch self {
    case .history: .history
    case .trends: .trends
    case .baseline: .baselineComparison
    case .sync: .cloudSync
    }
  }
}

/// How far back sessions are shown. Only a decision makes one, so that no caller can claim to be Pro.
public struct SessionWindow: Sendable, Hashable {
  /// Sessions that began at this moment or later are shown; `nil` shows all.
  public let cutoff: Date?
  /// Whether anything is shown.
  public let isOpen: Bool

  /// The window that a decision gives.
  public init(_ decision: Decision) {
    cutoff = decision.cutoff
    isOpen = decision.isAllowed
  }

  /// Whether a session is shown.
  public func shows(_ session: Session) -> Bool { isOpen && session.start >= cutoff ?? .distantPast }
}

/// Sessions that were fetched, and how many there are besides.
public struct FetchedSessions: Sendable, Hashable {
  /// What may be shown, newest first.
  public let sessions: [Session]
  /// How many older ones are stored and not shown: a reason for a soft prompt, and never for deleting anything.
  public let hidden: Int
}

/// Fetches sessions. It asks for its cutoff each time, and deletes nothing.
public struct SessionRepository: Sendable {
  private let store: any SessionStore
  private let monetizer: Monetizer

  /// Makes a repository.
  public init(_ store: any SessionStore, for monetizer: Monetizer) {
    self.store = store
    self.monetizer = monetizer
  }

  /// How far back sessions are fetched for a purpose, at this moment.
  public func window(for purpose: SessionPurpose) -> SessionWindow { SessionWindow(monetizer.decision(for: purpose.feature)) }

  /// The sessions for a purpose.
  public func sessions(for purpose: SessionPurpose) -> FetchedSessions {
    let (all, window) = (store.sessions(), window(for: purpose))
    let shown = all.filter(window.shows)
    return FetchedSessions(sessions: shown, hidden: all.count - shown.count)
  }
}
