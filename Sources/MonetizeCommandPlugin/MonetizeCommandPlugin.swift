// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// `swift package monetize validate …` in an adopter's own package: runs the tool with the same arguments, in the package's folder.
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
    // What is wrong has been printed. The status of the plugin is that of the tool.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }
}
