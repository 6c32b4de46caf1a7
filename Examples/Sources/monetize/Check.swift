// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeTools
import TerminalLine

struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Searches a catalog for customers who are treated wrongly.",
    discussion: """
      Prints the shortest scenario for each violated property, which also fails in `monetize simulate`. The exit status is 1 when a property \
      is violated.
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: ArgumentHelp("The maximum number of steps after the launch.", valueName: "steps"))
  var depth = CatalogCheck.Options().depth

  @Option(help: ArgumentHelp("The number of states to explore.", valueName: "number"))
  var states = CatalogCheck.Options().states

  @Option(help: ArgumentHelp("The maximum number of steps of time in one path.", valueName: "number"))
  var changes = CatalogCheck.Options().changes

  @Option(help: ArgumentHelp("The code of a property to skip. May be repeated.", valueName: "property"))
  var skip: [String] = []

  @Option(help: ArgumentHelp("A file of the app's own properties.", valueName: "file"), completion: .file(extensions: ["json"]))
  var properties: String?

  @OptionGroup var arms: ArmOptions

  @Option(help: "text or json.")
  var format = OutputFormat.text

  func run() async throws {
    for (name, value, least) in [("depth", depth, 1), ("states", states, 1), ("changes", changes, 0)] where value < least {
      throw ToolProblem("--\(name): \(value) is too low. Write \(least) or more.")
    }
    let input = try InputFile(file)
    let catalog = try input.catalog()
    var options = CatalogCheck.Options()
    (options.depth, options.states, options.changes, options.skip) = (depth, states, changes, Set(skip))
    if let properties {
      let own = try InputFile(properties)
      options.properties = try own.answering { try OwnProperty.read(own.data, for: catalog) }
    }
    let known = CheckProperty.all.map(\.code) + options.properties.map(\.id)
    if let code = skip.first(where: { !known.contains($0) }) {
      throw ToolProblem("--skip: There is no property \"\(code)\". The properties are \(known.joined(separator: ", ")).")
    }
    let check = try CatalogCheck(arms.json(of: catalog), options: options)
    let path = URL(fileURLWithPath: file).standardizedFileURL.path
    let report = await check.run(catalogPath: path) { states, depth in
      // A search may take a minute, so show progress on a terminal only.
      if LineReader.width(of: 2) != nil { StandardStream.errors.write("\r\(states) states, \(depth) steps ") }
    }
    if LineReader.width(of: 2) != nil { StandardStream.errors.write("\r\u{1B}[K") }
    try report.show(format)
  }
}
