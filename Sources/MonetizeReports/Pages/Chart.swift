// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeTools

/// A chart of numbers over steps: a line with a band around it, or bars. A table next to it contains the same numbers.
struct Chart {
  enum Shape { case line, bars }

  let title: String
  /// The description for screen readers.
  let summary: String
  let shape: Shape
  /// The text under each step.
  let labels: [String]
  let values: [Double]
  /// The lower and the upper bound at each step.
  var band: [(low: Double, high: Double)] = []

  private static let (width, height, left, bottom, top) = (736.0, 260.0, 72.0, 34.0, 12.0)

  /// The lowest and the highest number of the axis, which includes 0.
  private var range: (low: Double, high: Double) {
    let all = values + band.flatMap { [$0.low, $0.high] } + [0]
    let (low, high) = (all.min() ?? 0, all.max() ?? 1)
    return low == high ? (low, low + 1) : (low, high)
  }

  private func y(_ value: Double) -> Double {
    let (low, high) = range
    return Self.top + (high - value) / (high - low) * (Self.height - Self.top - Self.bottom)
  }

  private func x(_ step: Double) -> Double {
    Self.left + (Self.width - Self.left - 8) * (step + 0.5) / Double(max(1, values.count))
  }

  /// About five round numbers for the axis.
  private var ticks: [Double] {
    let (low, high) = range
    let rough = (high - low) / 5
    let power = pow(10, (log10(rough)).rounded(.down))
    let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? rough
    return Array(stride(from: (low / step).rounded(.up) * step, through: high, by: step))
  }

  fileprivate var svg: String {
    var svg = "<svg viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" role=\"img\" aria-label=\"\(HTMLDocument.escaped(summary))\">\n"
    for tick in ticks {
      let place = Self.number(y(tick))
      svg += "<line class=\"axis\" x1=\"\(Int(Self.left))\" x2=\"\(Int(Self.width) - 8)\" y1=\"\(place)\" y2=\"\(place)\"/>"
      svg += "<text x=\"\(Int(Self.left) - 8)\" y=\"\(Self.number(y(tick) + 4))\" text-anchor=\"end\">\(Self.short(tick))</text>\n"
    }
    svg += shape == .line ? line : bars
    let every = max(1, (labels.count + 11) / 12)
    for (step, label) in labels.enumerated() where step % every == 0 {
      let place = "x=\"\(Self.number(x(Double(step))))\" y=\"\(Int(Self.height) - 12)\""
      svg += "<text \(place) text-anchor=\"middle\">\(HTMLDocument.escaped(label))</text>"
    }
    return svg + "\n</svg>"
  }

  private var line: String {
    func points(_ values: [Double]) -> [String] {
      values.enumerated().map { "\(Self.number(x(Double($0)))),\(Self.number(y($1)))" }
    }
    let around = points(band.map(\.high)) + points(band.map(\.low)).reversed()
    return (band.isEmpty ? "" : "<polygon class=\"band\" points=\"\(around.joined(separator: " "))\"/>\n")
      + "<polyline class=\"line one\" points=\"\(points(values).joined(separator: " "))\"/>\n"
  }

  private var bars: String {
    let width = (Self.width - Self.left - 8) / Double(max(1, values.count)) * 0.7
    return values.enumerated().map { step, value in
      let (top, height) = (min(y(value), y(0)), abs(y(value) - y(0)))
      return "<rect class=\"bar\" x=\"\(Self.number(x(Double(step)) - width / 2))\" y=\"\(Self.number(top))\" "
        + "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\"/>\n"
    }.joined()
  }

  private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  /// A short number such as `1.2k`, because an axis has little room.
  private static func short(_ value: Double) -> String {
    let size = abs(value)
    if size >= 1_000_000 { return String(format: "%g", value / 1_000_000) + "M" }
    if size >= 10_000 { return String(format: "%g", value / 1000) + "k" }
    // Plus 0: a tick near 0 is not "-0".
    return String(format: "%g", (value * 10_000).rounded() / 10_000 + 0)
  }
}

extension HTMLPage {
  mutating func add(_ chart: Chart) { figure(chart.title, svg: chart.svg) }
}
