// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One edit of a file: two texts that are put around a piece of code, so that a switch chooses at run time what happens there.
///
/// Nothing is replaced, so mutants of nested pieces of code do not disturb each other.
struct Mutant {
  /// Where the piece begins and ends, in UTF-8 bytes of the file.
  let range: Range<Int>
  /// Put before the piece and after it; `#` stands for the condition that is true while this mutant is switched on.
  let before, after: String
  /// The edit for people.
  let old, new: String
}

extension Mutant {
  /// A source text with its mutants in it. Lines stay where they were, so that an error of the compiler names the mutants of its line.
  static func text(_ source: String, with mutants: [(number: Int, mutant: Mutant)]) -> String {
    // At one offset: ends before beginnings, inner ends before outer ones, outer beginnings before inner ones.
    var inserted: [(offset: Int, order: (Int, Int, Int), text: String)] = []
    for (number, mutant) in mutants {
      func on(_ text: String) -> String { text.replacingOccurrences(of: "#", with: "mutant(\(number))") }
      inserted.append((mutant.range.lowerBound, (1, -mutant.range.count, number), on(mutant.before)))
      inserted.append((mutant.range.upperBound, (0, mutant.range.count, -number), on(mutant.after)))
    }
    inserted.sort { ($0.offset, $0.order.0, $0.order.1, $0.order.2) < ($1.offset, $1.order.0, $1.order.1, $1.order.2) }
    var (bytes, from) = ([UInt8](), 0)
    let old = Array(source.utf8)
    for piece in inserted {
      bytes += old[from..<piece.offset]
      bytes += piece.text.utf8
      from = piece.offset
    }
    return String(decoding: bytes + old[from...], as: UTF8.self)
  }
}
