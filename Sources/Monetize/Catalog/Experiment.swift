// SPDX-License-Identifier: Apache-2.0

/// Customers are spread over arms, each of which changes the catalog in its own way, and what they do is compared.
///
/// ```json
/// "experiments": { "cta": { "arms": [
///   { "id": "a", "weight": 0.5 },
///   { "id": "b", "weight": 0.5, "set": { "paywalls": { "default": { "headline": "Try it" } } } } ] } }
/// ```
public struct Experiment: Sendable, Hashable {
  /// What is put into arms.
  public enum Unit: String, Sendable, Hashable, Codable, CaseIterable {
    /// The installation of the app, known offline from the first launch.
    case installation
    /// The app's account: nobody takes part who is signed out.
    case account
  }

  /// One way that the catalog can be.
  public struct Arm: Sendable, Hashable {
    /// What names it.
    public let id: String
    /// Its share of those who take part, from 0 to 1.
    public let weight: Double
    /// The variants that it sells in place of the products that they are variants of.
    public let products: [ProductID]
    /// An overlay's merge patch as JSON; `nil` for an arm that is as the catalog says.
    let patch: String?
  }

  /// A part of a namespace: experiments in parts that do not meet have no customer in common.
  public struct Namespace: Sendable, Hashable {
    /// What names the namespace.
    public let id: String
    /// The part of it, within 0...1, half-open.
    public let part: Range<Double>
  }

  /// What names it.
  public let id: ExperimentID
  /// The arms, in the file's order.
  public let arms: [Arm]
  /// The share of units that takes part, from 0 to 1.
  public let coverage: Double
  /// What the arms' hash begins with; the experiment's id when the file says nothing. Another one spreads customers anew.
  public let seed: String
  /// The part of a namespace that takes part; `nil` for all.
  public let namespace: Namespace?
  /// The arm that everyone has because the experiment is over; `nil` while it runs.
  public let stopped: String?
  /// What is put into arms.
  public let unit: Unit

  /// The arm that the hash gives a unit; `nil` for one that does not take part. Pure: the same each time.
  public func arm(for unit: String) -> Arm? {
    if let namespace, !Assignment.includes(unit, namespace: namespace.id, part: namespace.part) { return nil }
    let ranges = Assignment.bucketRanges(of: arms.map(\.weight), arms: arms.count, coverage: coverage)
    return Assignment.arm(at: Assignment.bucket(of: unit, seed: seed), in: ranges).map { arms[$0] }
  }

  /// The arm of that id.
  public func arm(named id: String) -> Arm? { arms.first { $0.id == id } }

  /// The arms that customers may have now: the one that everyone has, or all.
  var running: [Arm] { stopped.map { id in arms.filter { $0.id == id } } ?? arms }

  /// Whether a customer can have an arm of both.
  func meets(_ other: Self) -> Bool {
    guard stopped == nil, other.stopped == nil, let mine = namespace, let theirs = other.namespace, mine.id == theirs.id,
      unit == other.unit
    else { return true }
    return mine.part.overlaps(theirs.part)
  }
}

extension Catalog {
  /// The arm that a customer has of each experiment: that of one that is over, else the one that is kept, else what the hash says. An arm that
  /// is kept and no longer in the file is as none.
  /// - Parameters:
  ///   - installation: The name of this installation.
  ///   - account: The app's account, if somebody is signed in.
  ///   - kept: The arms that were given before.
  func arms(
    installation: String, account: String?, kept: FactSet<ArmAssignment>
  ) -> [(experiment: Experiment, arm: Experiment.Arm)] {
    experiments.compactMap { experiment in
      if let over = experiment.stopped.flatMap({ experiment.arm(named: $0) }) { return (experiment, over) }
      if let known = kept[experiment.id].flatMap({ experiment.arm(named: $0.arm) }) { return (experiment, known) }
      let unit = experiment.unit == .installation ? installation : account
      return unit.flatMap { experiment.arm(for: $0) }.map { (experiment, $0) }
    }
  }
}
