// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeTools

/// What the package's plugins run.
@main
enum Main {
  static func main() async { exit(await Tools.run(arguments: CommandLine.arguments.dropFirst())) }
}
