// SPDX-License-Identifier: Apache-2.0

extension Effects {
  /// Assigns the customer to an arm of each experiment. Answers follow at once, offline and at the first launch; the facts are written
  /// later, and each sends one event. Without a readable storage no experiment applies in this run, because the earlier assignments are
  /// unknown.
  func assignArms() {
    let catalog = parts.catalog
    guard !catalog.experiments.isEmpty, !parts.isUnread else { return }
    let state = parts.answers.now
    let given = catalog.arms(
      installation: parts.source.rawValue, account: parts.configuration.account, kept: state.facts.assignments)
    let arms = Dictionary(given.map { ($0.experiment.id, $0.arm) }) { first, _ in first }
    // A hand-over keeps the overlays. They fitted this catalog before, so they cannot fail.
    try? parts.answers.apply(state.overlays, to: catalog, arms: arms)
    let now = parts.clock.now
    let facts = given.filter { $0.experiment.stopped == nil }
      .map { experiment, arm in
        Fact.assignment(ArmAssignment(experiment: experiment.id, arm: arm.id, date: now, isOfAccount: experiment.unit == .account))
      }
    let news = state.facts.news(in: facts)
    guard !news.isEmpty, parts.work.begin() else { return }
    assigning.set(
      Task { [parts] in
        defer { parts.work.end() }
        parts.events.send(await parts.writer.add(news).news.compactMap(MonetizeEvent.init(exposed:)))
      })
  }
}

extension MonetizeEvent {
  fileprivate init?(exposed fact: Fact) {
    guard case .assignment(let assignment) = fact.sort else { return nil }
    self.init(.experimentExposed, at: assignment.date)
    self.assignment = assignment
  }
}

extension Answers {
  /// Applies arms, then overlays, so that remote configuration reaches every customer. If the arms do not fit, no arm applies.
  /// - Parameters:
  ///   - overlays: The overlays.
  ///   - base: The catalog without them.
  ///   - arms: The arms.
  /// - Throws: ``CatalogError`` when an overlay breaks a rule. Nothing changes then.
  func apply(_ overlays: [Overlay], to base: Catalog, arms: [ExperimentID: Experiment.Arm]) throws(CatalogError) {
    var changed = base
    for overlay in overlays { changed = try changed.applying(overlay) }
    let fitting = try? base.applying(arms: base.experiments.compactMap { arms[$0.id] }, then: overlays)
    change { state in
      (state.catalog, state.overlays, state.arms) = (fitting ?? changed, overlays, fitting == nil ? [:] : arms)
      state.changed()
    }
  }
}
