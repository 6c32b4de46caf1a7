// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Monetize
import MonetizeReports

struct ForecastCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forecast",
    abstract: "Estimates a catalog's revenue and costs: for one download, and month by month.",
    discussion: """
      The estimate uses the assumptions in the catalog's "forecast"; without them, published medians, with a note.
      A change with --set applies to every scenario: costPerUse=0.05, conversion=0.03,0.05, downloads=1000, \
      commission=0.15, refunds=0.02, limit.story=3, price.<product>=3.99, uses.<feature>.paid=20, mix.<product>=1.
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: ArgumentHelp("The only scenario to show, by its name in the catalog.", valueName: "name"))
  var scenario: String?

  @Option(name: .customLong("set"), help: ArgumentHelp("An assumption to change, as key=value. May be repeated.", valueName: "key=value"))
  var changes: [String] = []

  @OptionGroup var variant: VariantOptions

  @Option(help: ArgumentHelp("The number of months, 1 to 120.", valueName: "number"))
  var months = 24

  @Option(help: ArgumentHelp("The random seed: one seed gives one report.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: "text, json or html.")
  var format = ReportFormat.text

  func run() throws {
    let input = try InputFile(file)
    let catalog = try variant.applied(to: input.catalog(), from: input)
    var options = Forecast.Options()
    (options.scenario, options.set, options.months, options.seed) = (scenario, changes, months, seed)
    options.variant = variant.first.map { _ in variant.name }
    let forecast = try input.answering { try Forecast(catalog, options) }
    if format == .html { Terminal.report(forecast.html) } else { try forecast.show(format) }
  }
}
