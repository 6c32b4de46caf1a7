// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Reads lines from a person or a pipe. On a terminal ``LineEditor`` edits them; a dumb terminal gets a plain prompt.
package final class LineReader {
  private enum Way { case editing, prompting, echoing, silent }

  private let way: Way
  private var editor: LineEditor
  private var decoder = KeyDecoder()
  /// The terminal's own settings.
  private var usual: termios?

  /// Prints a line above the prompt; `dim` is the style of the status while lines are edited.
  private let print: (String) -> Void
  private let dim: (String) -> String

  /// - Parameters:
  ///   - echoes: Whether to print lines that come from a pipe.
  ///   - print: Prints a line to standard output.
  ///   - dim: Dims a text on a terminal.
  ///   - completions: Returns the completions of the last word of a text.
  package init(
    echoes: Bool, print: @escaping (String) -> Void, dim: @escaping (String) -> String, completions: @escaping (String) -> [String]
  ) {
    let isPerson = isatty(0) == 1 && isatty(1) == 1
    way = isPerson ? (Self.isDumb ? .prompting : .editing) : echoes ? .echoing : .silent
    (self.print, self.dim) = (print, dim)
    editor = LineEditor(completions: completions)
  }

  /// Whether the terminal can only print, or its type is unknown.
  package static let isDumb = ["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")

  /// The number of columns of the terminal at a descriptor; `nil` when it is not a terminal.
  package static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1 else { return nil }
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Words in as many columns as fit, filled column by column.
  package static func grid(_ words: [String], width: Int) -> String {
    let widest = (words.map(\.columns).max() ?? 0) + 2
    let across = max(1, (width - 1) / widest)
    let down = (words.count + across - 1) / across
    return (0..<down).map { row in
      let cells = stride(from: row, to: words.count, by: down).map { words[$0] }
      return cells.dropLast().map { $0 + String(repeating: " ", count: widest - $0.columns) }.joined() + (cells.last ?? "")
    }.joined(separator: "\n")
  }

  /// Whether the input is a terminal.
  package var isTerminal: Bool { way == .editing || way == .prompting }

  /// Whether lines are read without being shown.
  package var isSilent: Bool { way == .silent }

  /// The next line; `nil` at the end.
  package func next(status: String, prompt: String) -> String? {
    switch way {
    case .silent: return readLine()
    case .echoing:
      let line = readLine()
      if let line { print("\(status)\n\(prompt)\(line)") }
      return line
    case .prompting:
      print(status)
      write(prompt)
      return readLine()
    case .editing:
      print(dim(status))
      return edit(prompt)
    }
  }

  deinit { if var usual { tcsetattr(0, TCSANOW, &usual) } }

  /// Turns echo off between lines, so that keys typed early are neither lost nor shown twice. Control-C and other signals stay active.
  private func takeOver(signals: Bool) {
    guard var settings = usual else { return }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN | (signals ? 0 : ISIG))
    settings.c_iflag &= ~tcflag_t(IXON)
    tcsetattr(0, TCSANOW, &settings)
  }

  /// Reads key by key, with the terminal's own editing turned off.
  private func edit(_ prompt: String) -> String? {
    if usual == nil {
      var settings = termios()
      guard tcgetattr(0, &settings) == 0 else { return readLine() }
      usual = settings
    }
    takeOver(signals: false)
    defer { takeOver(signals: true) }
    draw(prompt)
    while let key = key() {
      let shown = editor.text
      let effect = editor.take(key)
      switch effect {
      case .draw, .bell: break
      case .line(let line):
        // Print the full line, because it stays visible.
        write("\r\u{1B}[K" + prompt + line + "\n")
        return line
      case .end:
        write("\n")
        return nil
      case .offer(let options): write("\n" + Self.grid(options, width: columns) + "\n")
      case .clearScreen: write("\u{1B}[H\u{1B}[2J")
      case .interrupt:
        write("\r\u{1B}[K" + prompt + shown + "^C\n" + (shown.isEmpty ? "Press Control-D or type quit to leave.\n" : ""))
      case .suspend:
        if var usual { tcsetattr(0, TCSANOW, &usual) }
        raise(SIGTSTP)
        takeOver(signals: false)
      }
      draw(prompt)
    }
    return nil
  }

  /// The next key; `nil` when the terminal is closed.
  private func key() -> Key? {
    while true {
      // A terminal sends the bytes of one key together.
      if decoder.isAfterEscape, !isWaiting(milliseconds: 50), let key = decoder.pause() { return key }
      var byte: UInt8 = 0
      let count = read(0, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      guard count == 1 else { return nil }
      if let key = decoder.take(byte) { return key }
    }
  }

  /// Whether input arrives within this time.
  private func isWaiting(milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) == 1
  }

  private var columns: Int { Self.width(of: 1) ?? 80 }

  private func draw(_ prompt: String) {
    let prompt = editor.search.map { "search \"\($0.query)\": " } ?? prompt
    let view = LineView(prompt: prompt, text: editor.text, cursor: editor.cursor, columns: columns)
    let isAtEnd = view.column == view.row.columns
    // A line is never wider than the terminal, so there is one row to clear.
    write("\r\u{1B}[K" + view.row + (isAtEnd ? "" : "\r" + (view.column > 0 ? "\u{1B}[\(view.column)C" : "")))
  }

  private func write(_ text: String) { StandardStream.output.write(text) }
}
