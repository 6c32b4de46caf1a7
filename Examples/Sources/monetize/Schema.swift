// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the JSON Schema of catalogs or scenarios, for editors and other validators.")

  enum Subject: String, ExpressibleByArgument, CaseIterable { case catalog, scenario }

  @Argument(help: "catalog or scenario.")
  var subject = Subject.catalog

  func run() throws {
    let bytes = subject == .catalog ? PackageResources.catalog_schema_json : PackageResources.scenario_schema_json
    print(String(decoding: bytes, as: UTF8.self), terminator: "")
  }
}
