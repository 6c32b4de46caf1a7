// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import MonetizeSimulator

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the JSON Schema of catalogs or scenarios, for editors and other validators.")

  enum Subject: String, ExpressibleByArgument, CaseIterable { case catalog, scenario }

  @Argument(help: "catalog or scenario.")
  var subject = Subject.catalog

  func run() throws {
    let text =
      subject == .catalog
      ? String(decoding: PackageResources.catalog_schema_json, as: UTF8.self) : ScenarioVocabulary.standard.schema
    Terminal.block(text)
  }
}
