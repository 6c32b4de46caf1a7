// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeTools

/// The executable of the package's plugins.
@main
enum Main {
  static func main() async { exit(await Tools.run(arguments: CommandLine.arguments.dropFirst())) }
}
