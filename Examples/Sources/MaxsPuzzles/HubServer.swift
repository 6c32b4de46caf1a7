// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The family server: nine endpoints over HTTP. It is also a transport: records go through `POST /sync`.
public struct HubServer: SyncTransport {
  /// Sends a request and returns the body and the status. Throws when there is no answer.
  public typealias Send = @Sendable (URLRequest) async throws -> (Data, Int)

  private let base: URL
  private let session: SessionToken?
  private let send: Send

  /// Connects to a server at an address, with a session.
  public init(_ base: URL, session: SessionToken?, send: @escaping Send = HubServer.overURLSession) {
    (self.base, self.session, self.send) = (base, session, send)
  }

  /// Connects through the system's `URLSession`.
  public static let overURLSession: Send = { request in
    try await withCheckedThrowingContinuation { continuation in
      URLSession.shared.dataTask(with: request) { data, response, error in
        if let data, let response = response as? HTTPURLResponse {
          continuation.resume(returning: (data, response.statusCode))
        } else {
          continuation.resume(throwing: error ?? URLError(.badServerResponse))
        }
      }.resume()
    }
  }

  // MARK: Messages

  /// A child in the family's list.
  public struct Child: Sendable, Hashable, Codable {
    /// The permanent id of the child.
    public let id: String
    /// The child's name.
    public let name: String
  }

  /// A child's activity, for a parent.
  public struct Stats: Sendable, Hashable, Codable {
    /// Visits to modules.
    public let visits: Int
    /// Seconds of play.
    public let seconds: Int
    /// Solved levels.
    public let solved: Int
  }

  /// The body of `POST /sync` and of the other recording requests.
  struct Batch: Codable {
    var id: String?
    var child: String?
    var records: [SyncRecord] = []
    var cursor: String?
  }
  /// The answer.
  struct Taken: Codable {
    var refused: [String: String] = [:]
    var records: [SyncRecord] = []
    var cursor: String?
    var isLast = true
  }
  struct Login: Codable { let child, pin: String }
  struct Token: Codable { let token: String }
  struct Change: Codable { var name, pin: String? }

  // MARK: Endpoints

  /// Signs a child in by its PIN: a session of the child, which is not a parent's.
  public func logIn(child: String, pin: String) async throws(SyncError) -> SessionToken {
    SessionToken(try await call("POST", ["auth", "child-login"], Login(child: child, pin: pin), as: Token.self).token)
  }

  /// Transfers a guest's records to a child of the account. The id names the transfer: repeating it changes nothing.
  public func transfer(_ id: String, to child: String, _ records: [SyncRecord]) async throws(SyncError) -> [String: String] {
    try await call("POST", ["auth", "transfer-guest"], Batch(id: id, child: child, records: records), as: Taken.self).refused
  }

  /// Adds a child with a PIN.
  public func addChild(named name: String, pin: String) async throws(SyncError) -> Child {
    try await call("POST", ["family", "children"], Change(name: name, pin: pin), as: Child.self)
  }

  /// Changes a child's name, its PIN, or both.
  public func update(_ child: String, name: String? = nil, pin: String? = nil) async throws(SyncError) -> Child {
    try await call("PATCH", ["family", "children", child], Change(name: name, pin: pin), as: Child.self)
  }

  /// Reports a completed level.
  public func complete(_ level: LevelID, in module: String, _ records: [SyncRecord]) async throws(SyncError) -> [String: String] {
    try await call("POST", ["progress", module, "levels", level.description], Batch(records: records), as: Taken.self).refused
  }

  /// Reports a visit.
  public func log(_ visit: SyncRecord) async throws(SyncError) -> [String: String] {
    try await call("POST", ["activity", "session"], Batch(records: [visit]), as: Taken.self).refused
  }

  /// Sends records to the family's other devices.
  public func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] {
    try await call("POST", ["sync"], Batch(records: records), as: Taken.self).refused
  }

  /// Fetches the records after a page.
  public func pull(after cursor: String?) async throws(SyncError) -> SyncPage {
    let page = try await call("POST", ["sync"], Batch(cursor: cursor ?? ""), as: Taken.self)
    return SyncPage(page.records, cursor: page.cursor, isLast: page.isLast)
  }

  /// The family's children, for a parent's session.
  public func children() async throws(SyncError) -> [Child] {
    try await call("GET", ["parent", "children"], nil as Batch?, as: [Child].self)
  }

  /// A child's activity, for a parent's session.
  public func stats(_ child: String) async throws(SyncError) -> Stats {
    try await call("GET", ["parent", "children", child, "stats"], nil as Batch?, as: Stats.self)
  }

  // MARK: Sending a request

  private func call<Answer: Decodable>(_ method: String, _ path: [String], _ body: (some Encodable)?, as: Answer.Type)
    async throws(SyncError)
    -> Answer
  {
    var address = URLComponents(url: base, resolvingAgainstBaseURL: true)
    let safe = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    address?.percentEncodedPath += path.map { "/" + ($0.addingPercentEncoding(withAllowedCharacters: safe) ?? "") }.joined()
    guard let url = address?.url else { throw SyncError(.unreachable, "The server's address cannot be used. Check it.") }
    var request = URLRequest(url: url)
    request.httpMethod = method
    session?.reveal { request.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") }
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = body.flatMap { try? JSONEncoder().encode($0) }
    let answer: (data: Data, status: Int)
    do { answer = try await send(request) } catch {
      throw SyncError(.unreachable, "The server did not answer. Try again with a connection.")
    }
    switch answer.status {
    case 200..<300: break
    case 401, 403: throw SyncError(.notSignedIn, "The server does not allow this session to do that. Sign in again.")
    default: throw SyncError(.unreachable, "The server answered with status \(answer.status). Try again later.")
    }
    do { return try JSONDecoder().decode(Answer.self, from: answer.data) } catch {
      throw SyncError(.unreadable, "The server's answer could not be read. Update the app.")
    }
  }
}
