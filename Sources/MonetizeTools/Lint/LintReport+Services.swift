// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension LintReport {
  /// Workflow commands of GitHub Actions, one per line: GitHub shows each finding at its line of a pull request.
  public var github: String {
    open.map { file, finding in
      let diagnostic = finding.diagnostic
      let place = diagnostic.position.map { ",line=\($0.line),col=\($0.column)" } ?? ""
      let title = Self.escaped(diagnostic.code.rawValue, isProperty: true)
      return "::\(diagnostic.severity.rawValue) file=\(Self.escaped(file, isProperty: true))\(place),title=\(title)"
        + "::\(Self.escaped(diagnostic.message + " (\(finding.source))"))\n"
    }.joined()
  }

  private static func escaped(_ text: String, isProperty: Bool = false) -> String {
    var result = ""
    for character in text {
      switch character {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n", "\r\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.append(character)
      }
    }
    return result
  }

  /// SARIF 2.1.0, for code scanning. Accepted findings are suppressed, with their reason.
  public var sarif: String {
    let codes = Set(files.flatMap(\.findings).map(\.diagnostic.code))
    let known = Dictionary(rules.map { ($0.code, $0.source) }) { first, _ in first }
    let rules = codes.sorted { $0.rawValue < $1.rawValue }.map { code -> ToolObject in
      ["id": code.rawValue, "shortDescription": ["text": known[code] ?? "monetize validate"]]
    }
    let driver: ToolObject = ["name": "monetize lint", "rules": rules]
    // Columns count Unicode scalars.
    let run: ToolObject = [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
      "results": files.flatMap { file in file.findings.map { Self.result(file.name, $0) } },
    ]
    return ToolJSON.object(["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]])
  }

  private static func result(_ file: String, _ finding: LintFinding) -> ToolObject {
    let diagnostic = finding.diagnostic
    // A path becomes part of a URI.
    let uri = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file
    let physical: ToolObject = [
      "artifactLocation": ["uri": uri], "region": diagnostic.position.map { ["startLine": $0.line, "startColumn": $0.column] },
    ]
    let location: ToolObject = ["physicalLocation": physical, "logicalLocations": [["fullyQualifiedName": diagnostic.path]]]
    return [
      "ruleId": diagnostic.code.rawValue, "level": diagnostic.severity.rawValue, "message": ["text": diagnostic.message],
      "locations": [location], "suppressions": finding.reason.map { [["kind": "inSource", "justification": $0]] },
    ]
  }
}
