// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The command on a terminal, with somebody who types.
private final class Typist {
  private let terminal: Int32
  private let process = Process()
  private var unread: [UInt8] = []

  init(_ arguments: [String], environment: [String: String] = ["NO_COLOR": "1", "TERM": "xterm"]) throws {
    #if os(Linux)
      // What posix_openpt does; its declarations are hidden here.
      terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (unlocked, number): (Int32, UInt32) = (0, 0)
      try #require(terminal >= 0 && ioctl(terminal, 0x4004_5431, &unlocked) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
      let name = "/dev/pts/\(number)"
    #else
      terminal = posix_openpt(O_RDWR | O_NOCTTY)
      try #require(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0)
      let name = try #require(ptsname(terminal).map { String(cString: $0) })
    #endif
    let inside = open(name, O_RDWR | O_NOCTTY)
    try #require(inside >= 0)
    let handle = FileHandle(fileDescriptor: inside, closeOnDealloc: true)
    process.executableURL = Command.products.appendingPathComponent("monetize")
    process.arguments = arguments
    process.currentDirectoryURL = Command.repository
    process.environment = environment
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(terminal)
  }

  /// What appears up to a text. What appears after it is for the next one who looks.
  @discardableResult
  func see(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    while true {
      if let found = unread.firstRange(of: Array(text.utf8)) {
        defer { unread.removeSubrange(..<found.upperBound) }
        return String(decoding: unread[..<found.upperBound], as: UTF8.self)
      }
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = poll(&waiting, 1, 60_000) == 1 ? read(terminal, &bytes, bytes.count) : 0
      let rest = String(decoding: unread, as: UTF8.self)
      try #require(count > 0, "\(text.debugDescription) does not appear: \(rest.debugDescription)", sourceLocation: sourceLocation)
      unread += bytes.prefix(count)
    }
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(terminal, bytes, bytes.count)
  }

  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

@Suite("monetize play on a terminal", .timeLimit(.minutes(10)))
struct PlayTerminalTests {
  @Test("TAB completes commands and ids, the arrow brings a line back, and control-D ends")
  func keys() throws {
    let typist = try Typist(["play", "Products/maze-packs.json"])
    let greeting = try typist.see("> ")
    #expect(greeting.contains("2026-03-01 12:00 · the app is not running"))
    typist.type("lau\t")
    try typist.see("> launch ")
    typist.type("\r")
    try typist.see("▸ launch")
    try typist.see("> ")
    // An end of an id is as good as its beginning; ü is one letter to take back, and not two.
    typist.type("buy den\tü\u{7F}gate p\t\r")
    try typist.see("> buy com.example.mazes.pack.denny gate pass")
    try typist.see("→ completed")
    try typist.see("Denny's Stories")
    try typist.see("> ")
    typist.type("nonsense\u{15}re\t")
    let offered = try typist.see("restore")
    #expect(offered.contains("refund") && offered.contains("relaunch"))
    typist.type("\u{15}\u{1B}[A\u{1B}[A")
    try typist.see("> launch ")
    typist.type("\u{15}lanch\r")
    try typist.see("Did you mean \"launch\"?")
    try typist.see("> ")
    typist.type("\u{04}")
    #expect(typist.end() == 0, "a person may mistype")
  }

  @Test("progress is shown where somebody looks, and is gone at the end")
  func progress() throws {
    let names = Command.names(in: "Examples/Scenarios/maze-packs").map { "Examples/Scenarios/maze-packs/\($0)" }
    let typist = try Typist(["simulate", "--quiet"] + names)
    let seen = try typist.see("all held")
    #expect(seen.contains("\r\u{1B}[K1 of \(names.count)  ") && seen.contains("\r\u{1B}[K\(names.count) of \(names.count)  "))
    #expect(typist.end() == 0)
  }
}
