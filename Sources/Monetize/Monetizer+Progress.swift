// SPDX-License-Identifier: Apache-2.0

extension MemberAccess {
  /// Remembers values of this member's progress, each by the rule that the catalog's `sync.merge` has for its field: a worse best time, fewer
  /// stars, or what is no value changes nothing. Kept apart by member and by module.
  /// - Parameters:
  ///   - values: By field. See ``MergeRule`` for what the numbers mean.
  ///   - module: The part of the app; one that the catalog declares, where it declares any.
  ///   - item: What it is about, such as a level; empty for the module as a whole.
  /// - Returns: The fields that were not remembered: unknown to the catalog, or no value. All of them in an unknown module and in a demo.
  @discardableResult
  public func saveProgress(_ values: [String: Int], in module: String, item: String = "") async -> Set<String> {
    let (catalog, source) = (monetizer.catalog, monetizer.parts.source)
    guard member.role != .demo, catalog.modules.isEmpty || catalog.modules.contains(where: { $0.id == module }) else {
      return Set(values.keys)
    }
    let entries = values.compactMap { field, value -> ProgressEntry? in
      guard let rule = catalog.sync?.rule(of: field), rule.value(value) != nil else { return nil }
      return ProgressEntry(subject: member.subject, module: module, item: item, field: field, source: source, rule: rule, value: value)
    }
    await monetizer.add(entries.map(Fact.progress))
    return Set(values.keys).subtracting(entries.map(\.field))
  }

  /// What this member has reached: the values of all sources, joined by the catalog's rules. O(n) in what is remembered of everybody.
  public func progress(in module: String, item: String = "") -> [String: Int] {
    let sync = monetizer.catalog.sync
    var joined: [String: Int] = [:]
    for entry in monetizer.state.progress.values where (entry.subject, entry.module, entry.item) == (member.subject, module, item) {
      guard let rule = sync?.rule(of: entry.field) else { continue }
      joined[entry.field] = rule.joined(joined[entry.field], entry.value)
    }
    return joined
  }
}
