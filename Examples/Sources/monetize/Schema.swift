// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Prints the JSON Schema of catalogs, for editors and other validators.")

  func run() throws {
    print(String(decoding: PackageResources.catalog_schema_json, as: UTF8.self), terminator: "")
  }
}
