// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Use {
  /// The minimum time for which a use is kept with its key, in seconds. A retry within that time counts once.
  static let keyLasts: TimeInterval = 7 * 86400
}

extension FeatureUsage {
  /// The sums of a source's settled uses before a moment: one stretch per local day, and one for all days that are too old for any calendar
  /// limit. A day is folded only as a whole: not while one of its uses is reserved or recent. O(uses).
  func folded(of source: SourceID, at now: Date, before end: Date) -> [UsageHistory] {
    let oldest = sourceTotals.isEmpty ? oldestDay(at: now) : nil
    return [false, true].compactMap { isCredit in
      let single = uses.filter { $0.value.source == source && ($0.value.credits > 0) == isCredit }
      guard let last = single.filter({ $0.value.date < end }).max(by: { $0.value.day < $1.value.day })?.value else { return nil }
      let known = histories[UsageHistory(like: last, []).key]?.stretches ?? []
      // Uses of later days are in no run that can be folded.
      let near = single.filter { $0.value.day <= last.day || $0.value.date <= foldedUntil }
      let runs = Self.runs(near, known, oldest: oldest, before: end)
      // A stretch that overlaps another run would wrongly include its uses.
      var (latest, news) = (Date.distantPast, [UsageHistory.Stretch]())
      for (index, run) in runs.enumerated() {
        let isApart = latest < run.stretch.first && (index + 1 == runs.count || run.stretch.last < runs[index + 1].stretch.first)
        if isApart, run.isPast, run.isNews { news.append(run.stretch) }
        latest = max(latest, run.stretch.last)
      }
      return news.isEmpty ? nil : UsageHistory(like: last, news)
    }
  }

  /// The uses of one day, without a use of another day between them.
  private struct Run {
    var stretch: UsageHistory.Stretch
    let day: Int
    var isPast: Bool
    var isNews: Bool
  }

  private static func runs(_ uses: [Shared<Use>], _ known: [UsageHistory.Stretch], oldest: Int?, before end: Date) -> [Run] {
    func run(_ stretch: UsageHistory.Stretch, isPast: Bool, isNews: Bool) -> Run {
      Run(stretch: stretch, day: oldest.map { max(stretch.day, $0 - 1) } ?? stretch.day, isPast: isPast, isNews: isNews)
    }
    let single = uses.lazy.map(\.value).map { use in
      let isPast = use.status != .reserved && use.date < end && use.amount < Use.unknownAmount
      return run(UsageHistory.Stretch(use), isPast: isPast, isNews: true)
    }
    let all = (single + known.map { run($0, isPast: true, isNews: false) })
      .sorted { ($0.stretch.first, $0.day) < ($1.stretch.first, $1.day) }
    return all.reduce(into: []) { runs, next in
      guard let last = runs.last, last.day == next.day else { return runs.append(next) }
      let index = runs.count - 1
      runs[index].stretch.extend(with: next.stretch)
      runs[index].isPast = last.isPast && next.isPast && runs[index].stretch.all < Use.unknownAmount
      // Two known stretches of one day merge when no use of another day lies between them.
      runs[index].isNews = true
    }
  }
}
