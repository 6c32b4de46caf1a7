// SPDX-License-Identifier: Apache-2.0

extension MemberAccess {
  /// Records progress values of this member. The rule for each field in the catalog's `sync.merge` decides: a worse best time, fewer stars
  /// or an invalid value changes nothing. Progress is separate for each member and module.
  /// - Parameters:
  ///   - values: The values by field. ``MergeRule`` describes their units.
  ///   - module: The module of the app. Must be declared if the catalog declares modules.
  ///   - item: The item, such as a level; empty for the whole module.
  /// - Returns: The fields that were not recorded: unknown to the catalog, or invalid. All of them for an unknown module and in a demo.
  @discardableResult
  public func saveProgress(_ values: [String: Int], in module: String, item: String = "") async -> Set<String> {
    let (catalog, source) = (monetizer.baseCatalog, monetizer.parts.source)
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

  /// The progress of this member: the values of all sources, merged by the catalog's rules. O(n) in the progress of all members.
  public func progress(in module: String, item: String = "") -> [String: Int] {
    let sync = monetizer.baseCatalog.sync
    var joined: [String: Int] = [:]
    for entry in monetizer.state.progress.values where (entry.subject, entry.module, entry.item) == (member.subject, module, item) {
      guard let rule = sync?.rule(of: entry.field) else { continue }
      joined[entry.field] = rule.joined(joined[entry.field], entry.value)
    }
    return joined
  }
}

extension Monetizer {
  /// The customer's marks of one sort, by name: the highest value of all devices. O(n) in the progress of all members.
  package func marks(_ sort: ProgressMark) -> [String: Int] {
    let entries = state.progress.values.lazy.filter { $0.module == sort.rawValue && $0.subject == .customer }
    return Dictionary(entries.map { ($0.item, $0.value) }, uniquingKeysWith: max)
  }

  /// Records marks, each with its value.
  /// - Returns: The names whose value was raised on this device.
  package func mark(_ marks: [String: Int], in sort: ProgressMark) async -> Set<String> {
    let known = self.marks(sort)
    let entries = marks.filter { known[$0.key] ?? Int.min < $0.value }
      .map { ProgressEntry(mark: $0.key, in: sort, source: parts.source, value: $0.value) }
    let news = await add(entries.sorted { $0.key < $1.key }.map(Fact.progress))
    return Set(news.compactMap { if case .progress(let entry) = $0.sort { entry.item } else { nil } })
  }
}
