// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import MonetizeTools

/// The customer in question.
struct CustomerOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A product that the customer has: its id, an end of it, or its name. May be repeated.", valueName: "product"))
  var owned: [String] = []

  @Option(help: ArgumentHelp("A product that the customer had, and that ended a month ago. May be repeated.", valueName: "product"))
  var ended: [String] = []

  @Option(
    help: ArgumentHelp(
      "An amount that the customer has used, such as story=3; seconds or 20min for time. May be repeated.", valueName: "feature=amount"))
  var used: [String] = []

  @Option(help: ArgumentHelp("A state file from `simulate --save-state` or from an app.", valueName: "file"))
  var state: String?

  var assumed: AssumedCustomer { AssumedCustomer(owned: owned, ended: ended, used: used) }

  /// The state file, whose damage is reported; `nil` without one.
  func stateFile() throws -> StateFile? {
    let file = try state.map { try StateFile.reading($0) }
    for problem in file?.problems ?? [] { Terminal.problem(problem) }
    return file
  }
}
