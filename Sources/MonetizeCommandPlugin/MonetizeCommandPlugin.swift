// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Runs the tool in an adopter's package folder with the same arguments: `swift package monetize validate …`.
@main
struct MonetizeCommandPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    try run(context.tool(named: "MonetizeTool").url, arguments, in: context.package.directoryURL)
  }

  private func run(_ tool: URL, _ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    // The tool has printed the problem. Use its exit status.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }
}
