// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The content of a state file in a few tables: sorts of facts, purchases, uses and people.
public struct StateSummary: ToolReport {
  private let file: StateFile
  private let state: CustomerState
  private let facts: [Fact]

  /// Makes a summary. O(facts log facts).
  public init(_ file: StateFile) {
    (self.file, state) = (file, file.stored.state)
    facts = state.facts
  }

  /// Tables, the most important first.
  public var text: String {
    var blocks = [file.headline]
    let times = [
      ("latest time seen", state.time[0].map { ISODate.text($0.latest) }),
      (
        "the store's last answer",
        state.answer[0].map { answer in
          ISODate.text(answer.asOf) + (answer.environment.map { " (\($0.rawValue))" } ?? "")
        }
      ),
    ]
    blocks.append(TextTable.titled("Times", times.compactMap { name, time in time.map { [name, $0] } }))
    blocks.append(TextTable.titled("Facts", sorts.map { [$0.name, "\($0.count)"] }))
    blocks.append(TextTable.titled("Purchases", state.transactions.sorted.map(Self.row)))
    blocks.append(TextTable.titled("Uses", uses.map { [$0.feature, "\($0.amount)", $0.subject] }))
    blocks.append(TextTable.titled("People", people.map { [$0.subject, $0.counts] }))
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// `records`, `bytes`, `sealed`, `damagedLines`, `facts` by sort, `purchases`, `uses` and `people`.
  public var json: String {
    let uses = uses.map { ["feature": $0.feature, "subject": $0.subject, "amount": $0.amount] as ToolObject }
    return ToolJSON.object([
      "records": file.stored.contents.count, "bytes": file.bytes, "sealed": file.stored.sealed,
      "damagedLines": file.stored.damage.map(\.line), "facts": ToolObject(sorts.map { ($0.name, $0.count) }),
      "purchases": state.transactions.sorted, "uses": uses, "people": people.map(\.subject),
    ])
  }

  /// A damaged file is an answer of its own: ``StateVerification``.
  public var problems: [String] { file.problems }

  private static func row(_ transaction: StoreTransaction) -> [String] {
    [
      transaction.productID.rawValue, ISODate.text(transaction.purchaseDate), transaction.price?.description ?? "",
      transaction.revocation.map { "revoked \(ISODate.text($0.date))" }
        ?? transaction.expirationDate.map { "until \(ISODate.text($0))" } ?? "",
      "transaction \(transaction.id)",
    ]
  }

  private var sorts: [(name: String, count: Int)] {
    Dictionary(facts.map { ($0.name, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The sums of all uses, those of days that were folded included. A sum stops at the largest number.
  private var uses: [(feature: String, subject: String, amount: Int)] {
    var sums: [[String]: Int] = [:]
    for (feature, subject, amount) in facts.compactMap(\.usage) {
      let (sum, isTooMuch) = sums[[feature.rawValue, subject.rawValue], default: 0].addingReportingOverflow(amount)
      sums[[feature.rawValue, subject.rawValue]] = isTooMuch ? .max : sum
    }
    return sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, amount in
      (key[0], StateFile.name(of: SubjectID(key[1])), amount)
    }
  }

  private var people: [(subject: String, counts: String)] {
    Dictionary(grouping: facts.filter { $0.person != nil }) { $0.person ?? .customer }.sorted { $0.key < $1.key }.map { subject, facts in
      let counts = Dictionary(facts.map { ($0.name, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
      return (StateFile.name(of: subject), counts.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
  }
}

/// Whether each line of a state file is whole.
public struct StateVerification: ToolReport {
  private let file: StateFile

  /// Makes a report.
  public init(_ file: StateFile) { self.file = file }

  /// One line per damaged line, and a sentence about the file.
  public var text: String {
    file.stored.damage.map { "\(file.path):\($0.line): damaged, from byte \($0.offset)\n" }.joined() + file.headline
  }

  /// `whole`, `damaged` with `line` and `offset`, `tornBytes`, `records`, `sealed` and `unread`.
  public var json: String {
    let stored = file.stored
    return ToolJSON.object([
      "whole": stored.damage.isEmpty, "damaged": stored.damage.map { ["line": $0.line, "offset": $0.offset] },
      "tornBytes": stored.torn, "records": stored.contents.count, "sealed": stored.sealed, "unread": stored.foreign.count,
    ])
  }

  /// ``ToolStatus/no`` for a damaged file.
  public var status: ToolStatus { file.stored.damage.isEmpty ? .fine : .no }
}

/// All facts of a file, or those of one person, as JSON: what a person may ask for.
public struct StateExport: ToolReport {
  private let facts: [Fact]
  private let path: String
  private let foreign: [Data]
  private let damagedLines: Int
  private let isWhole: Bool

  /// Makes an export.
  /// - Parameters:
  ///   - file: The state file.
  ///   - person: Whose facts; `nil` for all.
  /// - Throws: ``ToolProblem`` for a person without facts, in an undamaged file.
  public init(_ file: StateFile, person: String? = nil) throws(ToolProblem) {
    let facts = file.stored.state.facts
    (path, foreign, isWhole) = (file.path, file.stored.foreign, person == nil)
    damagedLines = file.stored.damage.count
    guard let person else {
      self.facts = facts
      return
    }
    let subject = try file.subject(person, allowsUnknown: damagedLines > 0)
    self.facts = facts.filter { $0.person == subject }
  }

  /// The same as ``json``.
  public var text: String { json + "\n" }
  /// `facts`, each as it is stored, with dates in ISO 8601; `unknown`, for a whole file: the parts that this version cannot fully read, as
  /// text.
  public var json: String {
    let unknown = isWhole && !foreign.isEmpty ? foreign.map { String(decoding: $0, as: UTF8.self) } : nil
    return ToolJSON.object(["facts": facts, "unknown": unknown])
  }
  /// What may be missing: facts in damaged lines, and those about a person that this version does not understand.
  public var problems: [String] {
    let lines = CatalogWords.counted(damagedLines, "line")
    let count = CatalogWords.counted(foreign.count, "record")
    return [
      damagedLines == 0
        ? nil : "\(path): this file is damaged, or no state file. The facts in \(lines) cannot be read and are missing here.",
      isWhole || foreign.isEmpty
        ? nil : "\(path): \(count) with facts that this version does not know may be about this person. Export the whole file to see them.",
    ].compactMap { $0 }
  }

  /// ``ToolStatus/no`` for a damaged file: the export is incomplete.
  public var status: ToolStatus { damagedLines == 0 ? .fine : .no }
}

/// The number of facts that were deleted, and what may still have facts about the person.
public struct StateDeletion: ToolReport {
  let path: String
  let person: String
  /// How many facts were deleted.
  public let count: Int
  /// The names of copies of damaged files, beside the file.
  public let copies: [String]
  let unread: Int

  /// A sentence, and one for each copy.
  public var text: String {
    let unknown = CatalogWords.counted(unread, "record")
    return "\(path): deleted \(CatalogWords.counted(count, "fact")) about \(person)\n"
      + copies.map { "\($0), a copy of a damaged file, may have facts about \(person): delete it, too\n" }.joined()
      + (unread == 0 ? "" : "\(unknown) with facts that this version does not know may be about \(person), and stay\n")
  }
  /// `person`, `deleted`, `copies` and `unread`.
  public var json: String {
    ToolJSON.object(["person": person, "deleted": count, "copies": copies, "unread": unread])
  }
}
