// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A sequence of announcements. Sending one waits until every subscriber has asked for the next, so that no test sleeps.
package final class StandInChannel<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var subscribers: [StandInSubscriber<Element>] = []

  /// The number of subscribers that still listen.
  package var listeners: Int { lock.withLock { subscribers.filter { !$0.isClosed }.count } }

  func subscribe() -> StandInSubscriber<Element> {
    let subscriber = StandInSubscriber<Element>()
    lock.withLock { subscribers.append(subscriber) }
    return subscriber
  }

  /// Announces something, and returns when every subscriber has handled it.
  package func send(_ element: Element) async {
    let subscribers = lock.withLock { self.subscribers }
    for subscriber in subscribers { subscriber.add(element) }
    for subscriber in subscribers { await subscriber.idle() }
  }
}

/// One iteration over a channel.
final class StandInSubscriber<Element: Sendable>: @unchecked Sendable {
  private typealias Asker = CheckedContinuation<Element?, Never>
  private typealias Idler = CheckedContinuation<Void, Never>

  private let lock = NSLock()
  private var queue: [Element] = []
  private var asker: Asker?
  private var idlers: [Idler] = []
  private var closed = false

  var isClosed: Bool {
    lock.lock()
    defer { lock.unlock() }
    return closed
  }

  func add(_ element: Element) {
    lock.lock()
    let waiting = closed ? nil : asker
    asker = nil
    if waiting == nil { queue.append(element) }
    lock.unlock()
    waiting?.resume(returning: element)
  }

  func next() async -> Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { ask($0) }
    } onCancel: {
      close()
    }
  }

  private func ask(_ asker: Asker) {
    lock.lock()
    let element = closed || queue.isEmpty ? nil : queue.removeFirst()
    let isAnswered = closed || element != nil
    let idle = element == nil ? idlers : []
    if element == nil { idlers = [] }
    if !isAnswered { self.asker = asker }
    lock.unlock()
    for idler in idle { idler.resume() }
    if isAnswered { asker.resume(returning: element) }
  }

  private func close() {
    lock.lock()
    closed = true
    let (waiting, idle) = (asker, idlers)
    (asker, idlers) = (nil, [])
    lock.unlock()
    waiting?.resume(returning: nil)
    for idler in idle { idler.resume() }
  }

  /// Returns when everything was handled, or nothing is asked for any more.
  func idle() async { await withCheckedContinuation { wait($0) } }

  private func wait(_ idler: Idler) {
    lock.lock()
    let isIdle = closed || (asker != nil && queue.isEmpty)
    if !isIdle { idlers.append(idler) }
    lock.unlock()
    if isIdle { idler.resume() }
  }
}
