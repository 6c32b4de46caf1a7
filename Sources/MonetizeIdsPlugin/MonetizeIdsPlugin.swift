// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Generates Swift names for each catalog in a target before compilation: `catalog.json`, and files that end with `.catalog.json`.
@main
struct MonetizeIdsPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target.sourceModule else { return [] }
    let tool = try context.tool(named: "MonetizeTool").url
    return commands(for: target.sourceFiles.map(\.url), tool, in: context.pluginWorkDirectoryURL)
  }

  private func commands(for files: [URL], _ tool: URL, in folder: URL) -> [Command] {
    files.filter { $0.lastPathComponent == "catalog.json" || $0.lastPathComponent.hasSuffix(".catalog.json") }.map { catalog in
      let stem = catalog.lastPathComponent.dropLast(".json".count).split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      let output = folder.appendingPathComponent(stem.joined() + "Names.swift")
      return .buildCommand(
        displayName: "Names of \(catalog.lastPathComponent)", executable: tool,
        arguments: ["generate", "swift", catalog.path, "--to", output.path], inputFiles: [catalog], outputFiles: [output])
    }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension MonetizeIdsPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      commands(for: target.inputFiles.map(\.url), try context.tool(named: "MonetizeTool").url, in: context.pluginWorkDirectoryURL)
    }
  }
#endif
