// SPDX-License-Identifier: Apache-2.0

/// Finds the candidate that a misspelt word probably means; `nil` when none is near.
///
/// A candidate is near when it differs by at most one edit for every three letters. An edit inserts, removes or replaces a letter or swaps
/// two neighbours; case is ignored. Among equals the first wins. Common parts up to a dot do not count, so that the ids of one company are
/// not near because of its name.
/// - Parameter edits: The maximum number of edits. Pass 1 where a near name is refused and any other name is accepted.
package func closestMatch(to word: String, in candidates: some Sequence<String>, within edits: Int = .max) -> String? {
  let letters = folded(word)
  guard (2...64).contains(letters.count) else { return nil }
  var best: (candidate: String, distance: Int)?
  for candidate in candidates where candidate != word {
    let (letters, other) = withoutCommonParts(letters, folded(candidate))
    let longest = max(letters.count, other.count)
    let limit = min(best.map { $0.distance - 1 } ?? edits, longest / 3)
    guard other.count <= 64, limit >= 0, abs(letters.count - other.count) <= limit else { continue }
    let distance = editDistance(letters, other)
    if distance <= limit { best = (candidate, distance) }
  }
  return best?.candidate
}

/// Both words without the dotted parts that they share at the beginning.
private func withoutCommonParts(_ one: [UInt32], _ other: [UInt32]) -> ([UInt32], [UInt32]) {
  let common = zip(one, other).prefix { $0 == $1 }.count
  let dot = one[..<common].lastIndex(of: 0x2E).map { $0 + 1 } ?? 0
  return (Array(one[dot...]), Array(other[dot...]))
}

private func folded(_ word: String) -> [UInt32] { word.lowercased().unicodeScalars.map(\.value) }

/// The Damerau-Levenshtein distance in its simple form (no substring is edited twice), computed with three rows.
private func editDistance(_ a: [UInt32], _ b: [UInt32]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}

/// The end of a message: a suggestion if there is one, otherwise the fix.
package func didYouMean(_ guess: String?, or fix: String) -> String { guess.map { " Did you mean \"\($0)\"?" } ?? " \(fix)" }
