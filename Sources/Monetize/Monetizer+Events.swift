// SPDX-License-Identifier: Apache-2.0

extension Monetizer {
  /// Tells an event of the app's own, which the catalog declares under `events.custom`. One that is not declared so is not told;
  /// ``Configuration/onUnknownName`` says why.
  /// - Parameters:
  ///   - name: The event.
  ///   - properties: Its properties, each of the type that the catalog declares.
  ///   - member: Who it is about. In a demo nothing is told.
  public func track(_ name: MonetizeEvent.Name, _ properties: [String: EventValue] = [:], by member: Member = .customer) {
    guard member.role != .demo else { return }
    let mistake = catalog.events.map { $0.mistake(in: name, properties) } ?? "The catalog declares no events. Add \"events\"."
    if let mistake { return parts.names.tell(mistake) }
    var event = MonetizeEvent(name, at: now)
    (event.properties, event.subject) = (properties, member.subject)
    parts.events.tell([event])
  }

  /// Says that a person has gone from one part of the app to its start: what comes next is another session.
  public func endSession(of member: Member = .customer) {
    guard member.role != .demo else { return }
    var event = MonetizeEvent(.sessionEnded, at: now)
    event.subject = member.subject
    parts.events.tell([event])
  }
}
