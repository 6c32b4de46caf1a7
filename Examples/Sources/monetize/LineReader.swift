// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Lines from a person or a pipe. On a terminal they can be edited: TAB completes, the arrows up and down bring earlier lines back.
final class LineReader {
  /// Whether a person sits there.
  let isTerminal: Bool
  private let echoes: Bool
  private let completions: (String) -> [String]
  private var earlier: [String] = []
  private var pending: [UInt8] = []

  init(echoes: Bool, completions: @escaping (String) -> [String]) {
    isTerminal = isatty(0) == 1 && isatty(1) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    self.echoes = echoes
    self.completions = completions
  }

  /// The next line; `nil` at the end.
  func next(status: String) -> String? {
    guard isTerminal else {
      let line = readLine()
      if echoes, let line { print("\(status)\n> \(line)") }
      return line
    }
    print(Style.output.dim(status))
    let line = edit()
    if let line, !line.isEmpty, line != earlier.last { earlier.append(line) }
    return line
  }

  /// Reads key by key, with the terminal's own editing switched off for as long as that takes.
  private func edit() -> String? {
    var saved = termios()
    guard tcgetattr(0, &saved) == 0 else { return readLine() }
    var raw = saved
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(0, TCSANOW, &raw)
    defer { tcsetattr(0, TCSANOW, &saved) }
    var line = ""
    var place = earlier.count
    draw(line)
    while let byte = key() {
      switch byte {
      case 10, 13:
        write("\n")
        return line
      case 4:
        // The end, unless something has been written.
        guard line.isEmpty else { continue }
        write("\n")
        return nil
      case 8, 127: if !line.isEmpty { line.removeLast() }
      case 21: line = ""
      case 23: line = line.components(separatedBy: " ").dropLast().joined(separator: " ")
      case 9: line = complete(line)
      case 27:
        guard key() == UInt8(ascii: "["), let arrow = key() else { continue }
        if arrow == UInt8(ascii: "A") {
          place = max(0, place - 1)
        } else if arrow == UInt8(ascii: "B") {
          place = min(earlier.count, place + 1)
        }
        line = place < earlier.count ? earlier[place] : ""
      case 32...: type(byte, into: &line)
      default: continue
      }
      draw(line)
    }
    return line.isEmpty ? nil : line
  }

  private func key() -> UInt8? {
    var byte: UInt8 = 0
    return read(0, &byte, 1) == 1 ? byte : nil
  }

  /// A letter may come in several bytes.
  private func type(_ byte: UInt8, into line: inout String) {
    pending.append(byte)
    if let text = String(bytes: pending, encoding: .utf8) {
      line += text
      pending = []
    } else if pending.count == 4 {
      pending = []
    }
  }

  private func complete(_ line: String) -> String {
    let options = completions(line)
    guard let first = options.first else { return line }
    let start = line.lastIndex(of: " ").map { line.index(after: $0) } ?? line.startIndex
    if options.count == 1 { return line[..<start] + first + (first.hasSuffix("/") ? "" : " ") }
    // As far as all of them agree; then what there is to choose from.
    let common = options.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    if common.count > line[start...].count { return line[..<start] + common }
    write("\n" + options.prefix(40).joined(separator: "  ") + "\n")
    return line
  }

  private func draw(_ line: String) { write("\r\u{1B}[K> " + line) }
  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
