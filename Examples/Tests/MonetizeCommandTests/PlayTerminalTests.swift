// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The command on a simulated terminal.
private final class Typist {
  private let terminal: Int32
  private let inside: Int32
  private let process = Process()
  private var unread: [UInt8] = []

  /// - Parameter columns: The width of the terminal; `nil` leaves it unknown.
  init(_ arguments: [String], environment: [String: String] = ["NO_COLOR": "1", "TERM": "xterm"], columns: UInt16? = nil) throws {
    #if os(Linux)
      // The same as posix_openpt, whose declarations are hidden here.
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
    if let columns {
      var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      try #require(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
    }
    self.inside = inside
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

  /// Waits for a text, and returns the output up to it. Later output is left for the next call.
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

  /// Whether the terminal itself echoes keys and buffers lines.
  var isCooked: Bool {
    var settings = termios()
    return tcgetattr(inside, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == tcflag_t(ECHO | ICANON | ISIG)
  }

  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

@Suite("monetize play on a terminal", .timeLimit(.minutes(30)))
struct PlayTerminalTests {
  @Test("TAB completes commands and ids, the arrow brings a line back, and control-D ends")
  func keys() throws {
    let typist = try Typist(["play", "Products/maze-packs.json", "--closed"])
    let greeting = try typist.see("> ")
    #expect(greeting.contains("2026-03-01 12:00 · the app is not running"))
    typist.type("lau\t")
    try typist.see("> launch ")
    typist.type("\r")
    try typist.see("▸ launch")
    try typist.see("> ")
    // The end of an id can be completed like its beginning; ü is one letter to erase.
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

  @Test("a line can be edited in the middle, found again, dropped, and kept while earlier lines are shown")
  func editing() throws {
    let typist = try Typist(["play", "Products/maze-packs.json", "--closed"], columns: 100)
    try typist.see("> ")
    typist.type("lanch\u{1B}[D\u{1B}[D\u{1B}[Du\r")
    try typist.see("> launch\r\n")
    try typist.see("▸ launch")
    try typist.see("> ")
    typist.type("buy den ask\u{01}\u{1B}f\u{1B}f\t gate pass\r")
    try typist.see("▸ buy Denny's Stories through the gate, ask to buy  → pending")
    try typist.see("> ")
    typist.type("half a line\u{1B}[A\u{1B}[A\u{1B}[B\u{1B}[B\u{15}status\r")
    try typist.see("> status\r\n")
    try typist.see("> ")
    typist.type("\u{12}lau")
    try typist.see("search \"lau\": launch")
    typist.type("\u{03}dropped\u{03}")
    try typist.see("> dropped^C")
    try typist.see("> ")
    // Escape alone is also a key; the next key is not lost.
    typist.type("\u{1B}")
    usleep(200_000)
    typist.type("show\r")
    try typist.see("Bookshelf")
    try typist.see("> ")
    #expect(!typist.isCooked)
    typist.type("\u{04}")
    #expect(typist.end() == 0)
    #expect(typist.isCooked, "the terminal is as it was")
  }

  @Test("in a narrow terminal a line stays in one row, and is printed in full at the end", arguments: [12, 20, 40] as [UInt16])
  func narrow(_ columns: UInt16) throws {
    let typist = try Typist(["play", "Products/maze-packs.json"], columns: columns)
    try typist.see("> ")
    let line = "why story.play denny/12 # " + String(repeating: "日本", count: 10)
    typist.type(line + "\u{01}\u{05}\u{1B}b!\u{01}")
    // Each typed key redraws the line, which is never wider than the row.
    let drawn = try typist.see("\r\u{1B}[2C")
    for row in drawn.components(separatedBy: "\u{1B}[K").dropFirst() {
      let text = row.prefix { $0 != "\r" && $0 != "\r\n" }
      #expect(text.reduce(0) { $0 + ($1.isASCII || $1 == "…" ? 1 : 2) } < columns, "\(row.debugDescription)")
    }
    typist.type("\r")
    try typist.see("> why story.play denny/12 # !" + String(repeating: "日本", count: 10) + "\r\n")
    typist.type("\u{04}")
    #expect(typist.end() == 0)
  }

  @Test("a dumb terminal gets a plain prompt", arguments: ["dumb", ""])
  func dumb(_ name: String) throws {
    let typist = try Typist(["play", "Products/maze-packs.json", "--closed"], environment: ["TERM": name])
    let greeting = try typist.see("> ")
    #expect(greeting.contains("the app is not running") && !greeting.contains("\u{1B}") && typist.isCooked)
    typist.type("launch\n")
    let answer = try typist.see("> ")
    #expect(answer.contains("▸ launch") && !answer.contains("\u{1B}"))
    typist.type("\u{04}")
    #expect(typist.end() == 0)
  }

  @Test("the prompt shows device and member, and TAB completes devices")
  func places() throws {
    let typist = try Typist(["play", "Products/maze-packs.json", "--device", "phone=ann"])
    try typist.see("> ")
    typist.type("device watch\ron w\tlaunch\ron watch as child:max\r")
    try typist.see("watch is a device of ann")
    try typist.see("▸ watch: launch")
    try typist.see("watch child:max> ")
    typist.type("undo 2\r")
    try typist.see("undone: watch is a device of ann")
    // The device was removed, and its prompt with it.
    try typist.see("\u{1B}[Kchild:max> ")
    typist.type("\u{04}")
    #expect(typist.end() == 0)
  }

  @Test("progress shows on a terminal, and disappears at the end")
  func progress() throws {
    let names = Command.names(in: "Examples/Scenarios/maze-packs").map { "Examples/Scenarios/maze-packs/\($0)" }
    let typist = try Typist(["simulate", "--quiet"] + names)
    let seen = try typist.see("all held")
    #expect(seen.contains("\r\u{1B}[K1 of \(names.count)  ") && seen.contains("\r\u{1B}[K\(names.count) of \(names.count)  "))
    #expect(typist.end() == 0)
  }

  @Test("a timeline on a narrow terminal: long texts continue below their beginning") func narrowTimeline() throws {
    let typist = try Typist(["simulate", "Examples/Scenarios/maze-packs/family.json"], columns: 60)
    let text = try typist.see("expectations held")
    let rows = text.replacingOccurrences(of: "\r", with: "").components(separatedBy: "\n").filter {
      $0.hasPrefix("                        ")
    }
    #expect(rows.count > 40 && rows.allSatisfy { $0.count <= 60 }, "\(text)")
    #expect(text.contains("                          unlockedBy"))
  }
}
