// SPDX-License-Identifier: Apache-2.0

/// Reports keys that were never requested, and keys that are repeated in one object, which are known only at the end.
extension JSONReader {
  func reportUnusedKeys(_ hint: (_ key: String, _ known: [String]) -> String?) {
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
    report(unknown, hint)
  }

  private func report(_ unknown: [(keys: [JSONMember], object: Int)], _ hint: (_ key: String, _ known: [String]) -> String?) {
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
        if let hint = hint(member.key, all) {
          report("unknown-key", at: member, "Unknown key \(quoted(member)). \(hint)")
          continue
        }
        let guess =
          closestMatch(to: member.key, in: missing) ?? closestMatch(to: member.key, in: there)
          ?? wordMatch(to: member.key, in: missing) ?? synonym(of: member.key, in: missing)
        if let guess, missing.contains(guess) { found.insert(MissingKey(object: object, key: guess)) }
        report("unknown-key", at: member, "Unknown key \(quoted(member)).\(didYouMean(guess, or: mend))")
      }
    }
    forget(found)
  }

  private func quoted(_ member: JSONMember) -> String { JSONWriter.quoted(member.key) }
}

/// Finds the known key that an unknown one begins or ends with, as whole words and also as the other of singular and plural: `offers` for
/// `introductoryOffer`, `price` for `priceUSD`, `id` for `product_id`. Of several, the longest. Otherwise the only known key that begins or
/// ends with the unknown one: `freeTier` for `free`.
private func wordMatch(to unknown: String, in known: [String]) -> String? {
  guard unknown.utf8.count <= 64 else { return nil }
  let ends = wordEnds(of: unknown)
  let within = known.filter { $0.count > 1 && ends.contains(singular($0)) }.max { $0.count < $1.count }
  if let within { return within }
  let word = singular(unknown)
  let around = known.filter { key in
    // Compares texts first, because splitting each key into words would take most of the time of a file with many mistakes.
    let text = key.lowercased()
    return (text.hasPrefix(word) || text.hasSuffix(word) || text.hasSuffix(word + "s")) && wordEnds(of: key).contains(word)
  }
  return around.count == 1 ? around[0] : nil
}

/// The first words of a name, and its last: of `productIDs`, `product` and `id`.
private func wordEnds(of name: String) -> Set<String> {
  let letters = Array(name)
  let starts = letters.indices.dropFirst().filter { letters[$0].isUppercase || letters[$0] == "_" || letters[$0 - 1] == "_" }
  return Set(starts.flatMap { [letters[..<$0], letters[$0...]] }.map { singular(String($0)) })
}

private func singular(_ word: String) -> String {
  let word = word.lowercased()
  return word.hasSuffix("s") ? String(word.dropLast()) : word
}
