// SPDX-License-Identifier: Apache-2.0
import Monetize

/// A size limit with its own request parameter: the number of megabytes.
struct Uploads: AllowanceShape {
  static let name = "test.uploads"

  struct Grant: Allowance, Decodable {
    let megabytes: Int
    init(megabytes: Int) { self.megabytes = megabytes }
    init(from decoder: any Decoder) throws { megabytes = try decoder.singleValueContainer().decode(Int.self) }

    func joined(with other: Self) -> Self { Grant(megabytes: max(megabytes, other.megabytes)) }
    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      (request.number("megabytes") ?? 0) <= megabytes ? .allowed : .denied("tooLarge")
    }
  }

  func text(for verdict: Verdict) -> String? { verdict.reason == "tooLarge" ? "the file is too large." : nil }
}
