// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The reason why a backend gave no answer.
public enum BackendError: Error, Sendable, Hashable {
  /// The answer could not be read. It brings no stories and takes none.
  case invalidResponse
  /// There was no answer.
  case networkError
  /// A function needs a signed-in user.
  case authenticationRequired
  /// The backend cannot answer now, for example because Apple does not answer. Nothing is known about the purchase.
  case retryLater
}

/// The three functions of Dozzi's backend, called over HTTPS: `{ "data": … }` there, `{ "result": … }` or `{ "error": { "status": … } }` back.
///
/// The app works without it. A purchase needs no account: call ``verifyPurchase(_:of:)`` after a later sign-in.
public struct StoryBackend: Sendable {
  /// Sends a request and returns the body and the status. Throws when there is no answer.
  public typealias Send = @Sendable (URLRequest) async throws -> (Data, Int)

  private let base: URL
  private let token: String?
  private let send: Send

  /// Connects to a backend.
  /// - Parameters:
  ///   - base: The address of the functions.
  ///   - token: The proof of the signed-in user; `nil` before signing in.
  ///   - send: Sends a request, such as through `URLSession`.
  public init(_ base: URL, token: String?, send: @escaping Send) { (self.base, self.token, self.send) = (base, token, send) }

  /// Verifies a purchase on the backend.
  /// - Parameters:
  ///   - signed: The store's signed transaction (JWS).
  ///   - product: The product that it must be of.
  public func verifyPurchase(_ signed: String, of product: ProductID) async throws(BackendError) -> PurchaseVerification {
    try await call("verifyPurchase", VerificationRequest(signedTransaction: signed, productId: product.rawValue))
  }

  /// The account's status. A new account begins with all free stories.
  public func subscriptionStatus() async throws(BackendError) -> AccountStatus {
    try await call("getSubscriptionStatus", Nothing())
  }

  /// Counts one story.
  /// - Parameter id: The id of the story. A retry with the same id counts once.
  public func trackStoryCreation(_ id: String) async throws(BackendError) -> StoryTracking {
    try await call("trackStoryCreation", TrackingRequest(id: id))
  }

  // MARK: Calling a function

  private struct Nothing: Codable {}
  private struct Envelope<Content: Codable>: Codable { let data: Content }
  private struct Answer<Content: Decodable>: Decodable { let result: Content }
  private struct Failure: Decodable {
    struct Status: Decodable { let status: String }
    let error: Status
  }

  private func call<Content: Decodable>(_ function: String, _ data: some Codable) async throws(BackendError) -> Content {
    var request = URLRequest(url: base.appendingPathComponent(function))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    request.httpBody = try? JSONEncoder().encode(Envelope(data: data))
    let answer: (data: Data, status: Int)
    do { answer = try await send(request) } catch { throw .networkError }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    if let failure = try? decoder.decode(Failure.self, from: answer.data) {
      throw failure.error.status == "UNAUTHENTICATED" ? .authenticationRequired : .retryLater
    }
    guard answer.status < 500 else { throw .retryLater }
    do { return try decoder.decode(Answer<Content>.self, from: answer.data).result } catch { throw .invalidResponse }
  }
}

struct VerificationRequest: Codable { let signedTransaction, productId: String }
struct TrackingRequest: Codable { let id: String }
