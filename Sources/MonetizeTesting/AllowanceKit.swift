// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// Checks the laws of an `Allowance`. Grants join into the most permissive one, a larger grant allows at least what a smaller one allows,
/// and judging is pure.
///
/// Judges each request as given, and with other counts, held numbers, dates, items and levels. Judges before any use, after some, with
/// coins and completed items, and in the given contexts.
public struct AllowanceKit<Grant: Allowance>: Sendable {
  /// A context with its description.
  private struct Scene: Sendable {
    let text: String
    let context: AllowanceContext
  }
  private struct Question: Sendable {
    let request: AccessRequest
    let scene: Scene
    var text: String {
      let details = [
        request.item.map { "item \($0)" }, request.level.map { "level \($0)" }, request.date.map { "date \($0)" },
        request.held.map { "\($0) held" }, request.count == 1 ? nil : "count \(request.count)", scene.text,
      ]
      return ([request.feature.rawValue] + details.compactMap { $0 }).joined(separator: ", ")
    }
  }

  private let grants: [Grant]
  private let questions: [Question]
  private let time: Date

  /// Makes a kit.
  /// - Parameters:
  ///   - grants: Grants of one shape, at least two different ones. Joins take O(n³), judgements O(n² × requests × contexts).
  ///   - requests: Requests, such as one for each level. The kit adds variations with other numbers, dates and items.
  ///   - time: The time of the questions.
  ///   - contexts: More contexts: uses, progress and coins that matter to this allowance and that the kit cannot derive.
  public init(grants: [Grant], requests: [AccessRequest], at time: Date, contexts: [AllowanceContext] = []) {
    self.grants = grants
    self.time = time
    let scenes = Self.scenes(requests.first?.feature ?? "feature", time)
    questions = requests.flatMap { request in
      Self.variations(of: request, among: requests, at: time).flatMap { varied -> [Question] in
        let own = contexts.enumerated().map { Scene(text: "context \($0)", context: $1) }
        return ((varied.item == nil ? scenes : Self.scenes(about: varied.item, time)) + own).map { Question(request: varied, scene: $0) }
      }
    }
  }

  /// Checks every behaviour.
  public func run() -> KitReport {
    var report = KitReport(subject: "Allowance \(Grant.self)")
    let noGrants = grants.isEmpty ? "there are no grants." : nil
    let onlyOne = Set(grants).count < 2 ? "two different grants are required." : nil
    let noQuestions = noGrants ?? (questions.isEmpty ? "there are no questions." : nil)
    report.check("allowance.idempotent", "Joining a grant with itself changes nothing.", unless: noGrants) {
      grants.first { $0.joined(with: $0) != $0 }.map { "\($0) joined with itself is a different grant." }
    }
    let pairs = grants.flatMap { a in grants.map { (a, $0) } }
    report.check("allowance.commutative", "The order of grants has no effect.", unless: onlyOne) {
      pairs.first { $0.joined(with: $1) != $1.joined(with: $0) }.map { "\($0) and \($1)." }
    }
    report.check("allowance.associative", "Grants may be joined in any grouping.", unless: onlyOne) {
      for (a, b) in pairs {
        for c in grants where a.joined(with: b).joined(with: c) != a.joined(with: b.joined(with: c)) { return "\(a), \(b) and \(c)." }
      }
      return nil
    }
    let isAllowed = grants.contains { grant in questions.contains { judge(grant, $0).isAllowed } }
    report.check(
      "allowance.permissive", "A further grant never reduces access, and a larger one allows at least what a smaller one allows.",
      unless: noQuestions ?? onlyOne ?? (isAllowed ? nil : "no grant allows any of the questions.")
    ) {
      for (a, b) in pairs {
        let joined = a.joined(with: b)
        for question in questions {
          if let loss = Self.loss(judge(a, question), judge(joined, question)) { return "With \(b), \(a) \(loss): \(question.text)." }
        }
      }
      return nil
    }
    report.check("allowance.pure", "Equal questions get equal answers.", unless: noQuestions) {
      for a in grants { for question in questions where judge(a, question) != judge(a, question) { return "\(a): \(question.text)." } }
      return nil
    }
    return report
  }

  private func judge(_ grant: Grant, _ question: Question) -> Verdict { grant.judge(question.request, in: question.scene.context) }

  /// The access that an additional grant reduces; `nil` when none.
  private static func loss(_ alone: Verdict, _ joined: Verdict) -> String? {
    guard alone.isAllowed else { return nil }
    if !joined.isAllowed { return "denies what it allows alone" }
    if let left = joined.remaining, left < alone.remaining ?? .max { return "leaves less" }
    if let window = joined.window, window < alone.window ?? .infinity { return "reaches back less far" }
    if let level = joined.levelOrdinal, level < alone.levelOrdinal ?? .min { return "gives a lower level" }
    return nil
  }

  // MARK: Requests and contexts

  /// The request as given, and with one difference at a time.
  private static func variations(of request: AccessRequest, among requests: [AccessRequest], at time: Date) -> [AccessRequest] {
    var result = [request]
    func add(_ change: (inout AccessRequest) -> Void) {
      var varied = request
      change(&varied)
      if !result.contains(varied) { result.append(varied) }
    }
    for count in [1, 2, 3, 10, 100] { add { $0.count = count } }
    for held in [0, 1, 3, 10, 100, 1000] { add { $0.held = held } }
    for days in [-400.0, -31, -8, -6, -1, -0.01, 1] { add { $0.date = time + days * 86400 } }
    for level in Set(requests.compactMap(\.level)).sorted() { add { $0.level = level } }
    if request.item == nil { add { $0.item = ItemPath(collection: "kit", item: "item") } }
    return result
  }

  /// Contexts before any use, after some uses of a feature now and earlier, and with coins.
  private static func scenes(_ feature: FeatureID, _ time: Date) -> [Scene] {
    func used(_ amount: Int, daysAgo: Int = 0, counted: Bool = true) -> UsageTotals {
      let date = time - Double(daysAgo) * 86400
      let day = Int((date.timeIntervalSince1970 / 86400).rounded(.down))
      return UsageTotals(of: [
        Use(key: "kit", feature: feature, amount: amount, date: date, day: day, zone: "GMT", counted: counted, run: "kit")
      ])
    }
    var scenes = [Scene(text: "nothing used", context: AllowanceContext(now: time))]
    for amount in [1, 2, 3, 5, 9, 10, 11, 100] {
      scenes.append(Scene(text: "\(amount) used", context: AllowanceContext(now: time, usage: used(amount))))
    }
    for days in [1, 8, 40] {
      scenes.append(Scene(text: "3 used \(days) days ago", context: AllowanceContext(now: time, usage: used(3, daysAgo: days))))
    }
    let free = used(3, counted: false)
    scenes.append(Scene(text: "3 used that do not count", context: AllowanceContext(now: time, usage: free)))
    scenes.append(Scene(text: "3 used, and every use counts", context: AllowanceContext(now: time, usage: free, countsEveryUse: true)))
    scenes.append(Scene(text: "50 coins", context: AllowanceContext(now: time, balance: 50)))
    return scenes
  }

  /// Contexts with the item at several positions of its collection, with and without what its rules may require.
  private static func scenes(about item: ItemPath?, _ time: Date) -> [Scene] {
    guard let item else { return [] }
    return [1, 2, 3, 5, 10, 100].flatMap { ordinal -> [Scene] in
      let before = ordinal > 1 ? ItemPath(collection: item.collection, item: "before") : nil
      let found = CatalogItem(path: item, ordinal: ordinal, previous: before, coins: 20)
      return [
        Scene(text: "item number \(ordinal)", context: AllowanceContext(now: time, item: found)),
        Scene(
          text: "item number \(ordinal), the one before it completed, 50 coins",
          context: AllowanceContext(now: time, item: found, completed: Set([before].compactMap { $0 }), balance: 50)),
        Scene(text: "item number \(ordinal), bought", context: AllowanceContext(now: time, item: found, bought: [item])),
      ]
    }
  }
}
