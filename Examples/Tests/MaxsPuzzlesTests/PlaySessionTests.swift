// SPDX-License-Identifier: Apache-2.0
import Foundation
import MaxsPuzzles
import Testing

@Suite(.timeLimit(.minutes(30)))
struct PlaySessionTests {
  private let start = Date(timeIntervalSince1970: 1_772_366_400)
  private var session: PlaySession { PlaySession(module: "circuit-challenge", at: start) }

  @Test("PUZZ-20, AMB-36: after 4:59 it is one session, after 5:00 it is two; the return to the hub closes it") func boundaries() {
    var (short, long, hub) = (session, session, session)
    let runs = (short: short.act(at: start + 299), long: long.act(at: start + 300))
    #expect(runs == (true, false))
    #expect(short.end(at: start + 299) == nil && long.end(at: start + 300) == start)
    hub.returnToHub(at: start + 60)
    let goesOn = hub.act(at: start + 61)
    #expect(!goesOn && hub.end(at: start + 60) == start + 60)
    #expect(hub.end(at: start + 86400) == start + 60)
  }

  @Test("PUZZ-21, DEF-P8: a pause adds no play time; in the background 4:59 is the same session and 5:01 a new one") func background() {
    var session = session
    session.act(at: start + 100)
    session.pause(at: start + 120)
    var later = session
    let runs = (soon: session.act(at: start + 120 + 299), late: later.act(at: start + 120 + 301))
    #expect(runs == (true, false))
    session.act(at: start + 120 + 299 + 10)
    #expect(session.secondsPlayed == 130)
    #expect(later.end(at: start + 120 + 301) == start + 120)
  }

  @Test("PUZZ-21: a session killed in the background ends with the last action, not with the next launch") func killed() throws {
    var session = session
    session.act(at: start + 40)
    session.pause(at: start + 45)
    let saved = try JSONDecoder().decode(PlaySession.self, from: JSONEncoder().encode(session))
    #expect(saved.end(at: start + 86400) == start + 45)
    #expect(saved.secondsPlayed == 45)
  }

  @Test("Setting the clock back neither ends a session nor removes play time") func setBack() {
    var session = session
    session.act(at: start + 100)
    let runs = session.act(at: start - 3600)
    #expect(runs && session.secondsPlayed == 100 && session.lastActivity == start + 100)
  }
}
