// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A message from one device to another.
struct ScenarioMessage {
  let facts: [Fact]
  let account: String?
  let receiver: ScenarioSession
  let arrives: Date
}

extension ScenarioWorld {
  /// Exchanges the facts of two devices. Both messages contain the facts before the exchange.
  func exchange(_ sync: ScenarioVerbs.Sync, _ session: ScenarioSession) async throws(ScenarioProblem) -> Outcome {
    let other = self.session(sync.with)
    guard other !== session else { throw ScenarioProblem(text: "\(sync.with) cannot exchange with itself. Name another device.") }
    let (here, there) = (try app(session), try app(other))
    guard session.account == other.account else {
      throw ScenarioProblem(
        text: "Facts belong to one account, and \(Self.owner(session)) while \(Self.owner(other)). Sign in alike with \"account\".")
    }
    guard session.account != nil || session.device.customer == other.device.customer else {
      throw ScenarioProblem(
        text: "\(session.name) is \(session.device.customer)'s and \(other.name) \(other.device.customer)'s. Sign both in with \"account\"."
      )
    }
    guard session.device.network == .online, other.device.network == .online else { return "offline" }
    let arrives = sync.delay.map { $0.added(to: store.clock.now, in: .storeCalendar(in: zone)) } ?? store.clock.now
    let sent: [(lost: ScenarioVerbs.Sync.Loss, facts: [Fact], receiver: ScenarioSession)] = [
      (.there, here.sharedFacts, other), (.back, there.sharedFacts, session),
    ]
    for message in sent where sync.lose != message.lost && sync.lose != .both {
      for _ in 0..<(sync.isDuplicated ? 2 : 1) {
        messages.append(
          ScenarioMessage(facts: message.facts, account: session.account, receiver: message.receiver, arrives: arrives))
      }
    }
    await deliverMessages()
    return sync.lose == .both ? "lost" : arrives > store.clock.now ? "delayed" : "exchanged"
  }

  private static func owner(_ session: ScenarioSession) -> String {
    session.account.map { "\(session.name) is signed in as \($0)" } ?? "no account is signed in on \(session.name)"
  }

  /// Delivers messages that are due, in the order of sending. A message waits while the receiving app is not running, its device is
  /// offline, or another account is signed in.
  func deliverMessages() async {
    var waiting: [ScenarioMessage] = []
    for message in messages {
      let receiver = message.receiver
      guard message.arrives <= store.clock.now, receiver.account == message.account, receiver.device.network == .online,
        let monetizer = receiver.monetizer
      else {
        waiting.append(message)
        continue
      }
      await monetizer.merge(message.facts)
    }
    messages = waiting
  }

  /// Lets time pass and delivers messages on the way.
  func pass(to target: Date) async {
    while let next = messages.map(\.arrives).filter({ $0 > store.clock.now && $0 <= target }).min() {
      await store.advance(to: next)
      await deliverMessages()
    }
    await store.advance(to: target)
    // A message that was waiting may be deliverable now.
    await deliverMessages()
  }
}
