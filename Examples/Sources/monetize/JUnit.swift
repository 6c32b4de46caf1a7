// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

/// Runs as JUnit XML for CI services: one suite per scenario, one case per step, the same bytes on every machine.
struct JUnit {
  let runs: [ScenarioRun]

  var xml: String {
    let suites = runs.map(suite)
    let totals = suites.reduce(Count()) { $0 + $1.count }
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"monetize simulate\" \(totals.attributes)>\n"
    return head + suites.map(\.xml).joined() + "</testsuites>\n"
  }

  private struct Count {
    var tests = 0
    var failures = 0
    var errors = 0
    var attributes: String { "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\"" }
    static func + (a: Count, b: Count) -> Count {
      Count(tests: a.tests + b.tests, failures: a.failures + b.failures, errors: a.errors + b.errors)
    }
  }

  private func suite(_ run: ScenarioRun) -> (xml: String, count: Count) {
    var count = Count()
    var cases = ""
    func add(_ name: String, _ line: Int, _ body: String) {
      count.tests += 1
      let place = "classname=\"\(Self.escaped(run.file))\" file=\"\(Self.escaped(run.file))\" line=\"\(line)\""
      cases += "    <testcase name=\"\(Self.escaped(name))\" \(place)" + (body.isEmpty ? "/>\n" : ">\n\(body)    </testcase>\n")
    }
    if let mistakes = run.mistakes {
      // The scenario did not run: one case with the error.
      count.errors += 1
      let text = mistakes.diagnostics.map { mistake in
        let place = mistake.position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(mistakes.file)\(place): \(mistake.severity): \(mistake.message)"
      }
      let first = mistakes.diagnostics.first
      add(
        "can be read", first?.position?.line ?? 1,
        Self.element("error", type: first?.code.rawValue ?? "mistake", first?.message ?? "", text))
    }
    for entry in run.report?.entries ?? [] {
      let name = (entry.device.map { "\($0): " } ?? "") + entry.title + (entry.outcome.map { " → \($0)" } ?? "")
      var body = ""
      if entry.kind == .problem {
        count.errors += 1
        body = Self.element("error", type: "step", entry.title, ["\(run.file):\(entry.line): \(entry.title)"])
      }
      let failures = entry.checks.filter { !$0.holds }
      if let first = failures.first {
        count.failures += 1
        let lines = failures.flatMap { check in
          [
            "\(run.file):\(check.line): \(check.question)", "  expected \(check.expected)", "  found    \(check.found)",
          ] + (check.why.map { ["  why      \($0)"] } ?? [])
        }
        let message = "\(first.question): expected \(first.expected), found \(first.found)"
        body += Self.element("failure", type: "expectation", message, lines)
      }
      add(name, entry.line, body)
    }
    let title = run.report?.title ?? ""
    let name = title.isEmpty ? run.file : title
    return ("  <testsuite name=\"\(Self.escaped(name))\" \(count.attributes)>\n\(cases)  </testsuite>\n", count)
  }

  private static func element(_ name: String, type: String, _ message: String, _ lines: [String]) -> String {
    let text = lines.map(escaped).joined(separator: "\n")
    return "      <\(name) type=\"\(escaped(type))\" message=\"\(escaped(message))\">\(text)</\(name)>\n"
  }

  /// Escapes text for XML, and replaces characters that XML cannot contain.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      case "\n": result += "&#10;"
      case "\r": result += "&#13;"
      case "\t": result += "&#9;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
