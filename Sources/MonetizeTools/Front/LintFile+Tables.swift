// SPDX-License-Identifier: Apache-2.0
import Foundation

extension LintFile {
  /// The paths of the tables beside a catalog, sorted: `strings/<app>/<language>.json` for `<app>.json`. Empty when there are none.
  public static func tables(besideCatalog path: String) -> [String] {
    let url = URL(fileURLWithPath: path)
    let base = path.hasSuffix(url.lastPathComponent) ? String(path.dropLast(url.lastPathComponent.count)) : ""
    let folder = base + "strings/" + url.deletingPathExtension().lastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
  }
}
