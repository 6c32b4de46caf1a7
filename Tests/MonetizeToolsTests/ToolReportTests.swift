// SPDX-License-Identifier: Apache-2.0
import MonetizeTools
import Testing

@Suite("Tool reports")
struct ToolReportTests {
  @Test("Exit statuses are the three of the command line's documentation")
  func statuses() {
    #expect([ToolStatus.fine, .no, .notRun].map(\.rawValue) == [0, 1, 2])
  }
}
