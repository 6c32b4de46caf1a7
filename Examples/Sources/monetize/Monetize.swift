// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

@main
struct MonetizeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "monetize", abstract: "Shows what a catalog allows, without an App Store.")
}
