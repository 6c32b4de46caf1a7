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
    let rules = codes.sorted { $0.rawValue < $1.rawValue }.map {
      SARIF.Rule(id: $0.rawValue, shortDescription: .init(text: known[$0] ?? "monetize validate"))
    }
    let results = files.flatMap { file in file.findings.map { SARIF.Result(file.name, $0) } }
    return ToolJSON.text(SARIF(runs: [.init(tool: .init(driver: .init(rules: rules)), results: results)]))
  }
}

/// The used part of SARIF 2.1.0. Columns count Unicode scalars.
private struct SARIF: Encodable {
  struct Text: Encodable { let text: String }
  struct Rule: Encodable {
    let id: String
    let shortDescription: Text
  }
  struct Driver: Encodable {
    var name = "monetize lint"
    let rules: [Rule]
  }
  struct Tool: Encodable { let driver: Driver }
  struct Suppression: Encodable {
    var kind = "inSource"
    let justification: String
  }
  struct Region: Encodable {
    let startLine: Int
    let startColumn: Int
  }
  struct Artifact: Encodable { let uri: String }
  struct Physical: Encodable {
    let artifactLocation: Artifact
    let region: Region?
  }
  struct Logical: Encodable { let fullyQualifiedName: String }
  struct Location: Encodable {
    let physicalLocation: Physical
    let logicalLocations: [Logical]
  }
  struct Result: Encodable {
    let ruleId: String
    let level: String
    let message: Text
    let locations: [Location]
    let suppressions: [Suppression]?

    init(_ file: String, _ finding: LintFinding) {
      let diagnostic = finding.diagnostic
      (ruleId, level, message) = (diagnostic.code.rawValue, diagnostic.severity.rawValue, Text(text: diagnostic.message))
      let region = diagnostic.position.map { Region(startLine: $0.line, startColumn: $0.column) }
      // A path becomes part of a URI.
      let uri = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file
      locations = [
        Location(
          physicalLocation: Physical(artifactLocation: Artifact(uri: uri), region: region),
          logicalLocations: [Logical(fullyQualifiedName: diagnostic.path)])
      ]
      suppressions = finding.reason.map { [Suppression(justification: $0)] }
    }
  }
  struct Run: Encodable {
    let tool: Tool
    var columnKind = "unicodeCodePoints"
    let results: [Result]
  }

  private enum CodingKeys: String, CodingKey { case schema = "$schema", version, runs }
  var schema = "https://json.schemastore.org/sarif-2.1.0.json"
  var version = "2.1.0"
  let runs: [Run]
}
