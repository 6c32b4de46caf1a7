// SPDX-License-Identifier: Apache-2.0

/// Reports keys that were never requested, and keys that are repeated in one object, which are known only at the end.
extension JSONReader {
  func reportUnusedKeys() {
    var skipEnd = 0
    var unknown: [(keys: [JSONMember], object: Int)] = []
    for node in document.nodes.indices {
      if marks[node] & Mark.skipped != 0 { skipEnd = max(skipEnd, document.next(node)) }
      guard document.nodes[node].kind == .object else { continue }
      let isRead = node >= skipEnd && marks[node] & (Mark.guessed | Mark.unopened | Mark.asked) == Mark.asked
      var keys: [JSONMember] = []
      var next = node + 1
      while next < Int(document.nodes[node].end) {
        let key = next
        next = document.next(key + 1)
        if marks[key + 1] & Mark.found != 0 { continue }
        let member = JSONMember(document: document, keyNode: key)
        if first(member.key, in: node) != key + 1 {
          report("repeated-key", at: member, "The key \(quoted(member)) appears twice in this object. Remove one of them.")
        } else if isRead, marks[key + 1] & Mark.asked == 0, member.key != "$comment", member.key != "$schema" || node > 0 {
          keys.append(member)
        }
      }
      if !keys.isEmpty { unknown.append((keys, node)) }
    }
    report(unknown)
  }

  private func report(_ unknown: [(keys: [JSONMember], object: Int)]) {
    // A misspelt key more likely means a missing key than one that exists.
    var sought = Dictionary(unknown.map { ($0.object, [String]()) }) { first, _ in first }
    for one in absent where sought[one.object].map({ $0.count < 200 && !$0.contains(one.key) }) == true {
      sought[one.object]?.append(one.key)
    }
    // A misspelt key is not reported as missing as well.
    var found: Set<MissingKey> = []
    for (keys, object) in unknown {
      let missing = sought[object] ?? []
      let members = JSONValue(document: document, node: object).members
      let there = members.lazy.filter { self.marks[$0.value.node] & Mark.asked != 0 }.prefix(200).map(\.key)
      let all = (there + missing).sorted()
      let list = all.prefix(12).joined(separator: ", ") + (all.count > 12 ? ", …" : "")
      let mend = all.isEmpty ? "Remove it: nothing is read from this object." : "Remove it, or use one of the known keys: \(list)."
      for member in keys {
        let words = missing.lazy.filter { isWord($0, of: member.key) }
        let guess =
          closestMatch(to: member.key, in: missing) ?? closestMatch(to: member.key, in: there) ?? words.max { $0.count < $1.count }
        if let guess, missing.contains(guess) { found.insert(MissingKey(object: object, key: guess)) }
        report("unknown-key", at: member, "Unknown key \(quoted(member)).\(didYouMean(guess, or: mend))")
      }
    }
    forget(found)
  }

  private func quoted(_ member: JSONMember) -> String { JSONWriter.quoted(member.key) }
}

/// Whether a known key is the first or the last word of an unknown one, also as the other of singular and plural: `offers` of
/// `introductoryOffer`, `price` of `priceUSD`, `id` of `product_id`.
private func isWord(_ known: String, of unknown: String) -> Bool {
  let (word, letters) = (known.lowercased(), Array(unknown.prefix(65)))
  if letters.count > 64 { return false }
  func begins(_ index: Int) -> Bool { letters[index].isUppercase || letters[index - 1] == "_" || letters[index] == "_" }
  return [word, word + "s", word.hasSuffix("s") ? String(word.dropLast()) : word].contains { word in
    guard word.count > 1, word.count < letters.count else { return false }
    let (first, last) = (word.count, letters.count - word.count)
    return String(letters[last...]).lowercased() == word && begins(last) || String(letters[..<first]).lowercased() == word && begins(first)
  }
}
