// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Something that happened to a customer. Facts are written to storage and exchanged between devices.
///
/// A static function makes a fact of each sort that comes with Monetize. An app's own sort is a ``CustomFact``.
public struct Fact: Sendable, Hashable {
  /// The sorts of facts. Not public, so that a new sort breaks no `switch` of an app.
  /// Each has one reference, so that a copy of a fact copies no text.
  package enum Sort: Sendable, Hashable {
    indirect case transaction(StoreTransaction)
    indirect case renewal(RenewalInfo)
    indirect case pending(PendingPurchase)
    case use(Shared<Use>)
    indirect case total(ReportedTotal)
    indirect case history(UsageHistory)
    indirect case grant(ComplimentaryGrant)
    indirect case cap(Cap)
    indirect case completion(Completion)
    indirect case wallet(WalletEntry)
    indirect case progress(ProgressEntry)
    indirect case child(FamilyChild)
    indirect case assignment(ArmAssignment)
    indirect case time(TimeSeen)
    indirect case answer(AnswerSeen)
    indirect case installation(Installation)
    indirect case custom(AnyCustomFact)
  }
  package let sort: Sort

  package var use: Use? { if case .use(let use) = sort { use.value } else { nil } }
  var isTime: Bool { if case .time = sort { true } else { false } }

  /// A purchase or a renewal.
  public static func transaction(_ fact: StoreTransaction) -> Fact { Fact(sort: .transaction(fact)) }
  /// The renewal status of a subscription.
  public static func renewal(_ fact: RenewalInfo) -> Fact { Fact(sort: .renewal(fact)) }
  /// A purchase that waits for approval.
  public static func pending(_ fact: PendingPurchase) -> Fact { Fact(sort: .pending(fact)) }
  /// A use of a metered feature.
  public static func use(_ fact: Use) -> Fact { Fact(sort: .use(Shared(fact))) }
  /// The total that a source has counted.
  public static func total(_ fact: ReportedTotal) -> Fact { Fact(sort: .total(fact)) }
  /// The sums of a source's uses that are long past.
  package static func history(_ fact: UsageHistory) -> Fact { Fact(sort: .history(fact)) }
  /// Access given without a purchase.
  public static func grant(_ fact: ComplimentaryGrant) -> Fact { Fact(sort: .grant(fact)) }
  /// A parent's limit.
  public static func cap(_ fact: Cap) -> Fact { Fact(sort: .cap(fact)) }
  /// An item that was completed.
  public static func completion(_ fact: Completion) -> Fact { Fact(sort: .completion(fact)) }
  /// Coins earned and spent.
  public static func wallet(_ fact: WalletEntry) -> Fact { Fact(sort: .wallet(fact)) }
  /// One progress value of a subject.
  public static func progress(_ fact: ProgressEntry) -> Fact { Fact(sort: .progress(fact)) }
  /// A child of the family.
  public static func child(_ fact: FamilyChild) -> Fact { Fact(sort: .child(fact)) }
  /// The arm of an experiment that the customer was assigned to.
  public static func assignment(_ fact: ArmAssignment) -> Fact { Fact(sort: .assignment(fact)) }
  /// The latest time that was seen.
  public static func time(_ fact: TimeSeen) -> Fact { Fact(sort: .time(fact)) }
  /// The store's last answer.
  package static func answer(_ fact: AnswerSeen) -> Fact { Fact(sort: .answer(fact)) }
  /// The name of this installation of the app.
  package static func installation(_ fact: Installation) -> Fact { Fact(sort: .installation(fact)) }
  /// A fact of an app's own sort.
  public static func custom(_ fact: some CustomFact) -> Fact { Fact(sort: .custom(AnyCustomFact(fact))) }
}

extension Fact: Codable {
  /// Reads an object such as `{ "transaction": { … } }`. Refuses an object of an unknown sort, from a later version. A further key of a
  /// known sort is ignored; a storage keeps the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    for key in container.allKeys {
      guard let fact = try Fact(key.stringValue, from: container.superDecoder(forKey: key)) else { continue }
      self = fact
      return
    }
    throw decoder.mistake("The type of this fact is unknown. It may be from a later version.")
  }

  /// Reads the record of a sort. `nil` for an unknown sort.
  init?(_ name: String, from record: any Decoder) throws {
    switch name {
    case "transaction": sort = .transaction(try StoreTransaction(from: record))
    case "renewal": sort = .renewal(try RenewalInfo(from: record))
    case "pending": sort = .pending(try PendingPurchase(from: record))
    case "use": sort = .use(Shared(try Use(from: record)))
    case "total": sort = .total(try ReportedTotal(from: record))
    case "history": sort = .history(try UsageHistory(from: record))
    case "grant": sort = .grant(try ComplimentaryGrant(from: record))
    case "cap": sort = .cap(try Cap(from: record))
    case "completion": sort = .completion(try Completion(from: record))
    case "wallet": sort = .wallet(try WalletEntry(from: record))
    case "progress": sort = .progress(try ProgressEntry(from: record))
    case "child": sort = .child(try FamilyChild(from: record))
    case "assignment": sort = .assignment(try ArmAssignment(from: record))
    case "time": sort = .time(try TimeSeen(from: record))
    case "answer": sort = .answer(try AnswerSeen(from: record))
    case "installation": sort = .installation(try Installation(from: record))
    default:
      guard let type = (record.userInfo[.factSorts] as? FactSorts)?[name] else { return nil }
      sort = .custom(AnyCustomFact(try type.init(from: record)))
    }
  }

  /// Writes an object such as `{ "transaction": { … } }`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONKey.self)
    let (name, record) = named
    try container.encode(record, forKey: JSONKey(stringValue: name))
  }

  private var named: (name: String, record: any Encodable) {
    switch sort {
    case .transaction(let fact): ("transaction", fact)
    case .renewal(let fact): ("renewal", fact)
    case .pending(let fact): ("pending", fact)
    case .use(let fact): ("use", fact.value)
    case .total(let fact): ("total", fact)
    case .history(let fact): ("history", fact)
    case .grant(let fact): ("grant", fact)
    case .cap(let fact): ("cap", fact)
    case .completion(let fact): ("completion", fact)
    case .wallet(let fact): ("wallet", fact)
    case .progress(let fact): ("progress", fact)
    case .child(let fact): ("child", fact)
    case .assignment(let fact): ("assignment", fact)
    case .time(let fact): ("time", fact)
    case .answer(let fact): ("answer", fact)
    case .installation(let fact): ("installation", fact)
    case .custom(let fact): (fact.name, fact.record)
    }
  }
  /// The subject of the fact; `nil` for facts of the whole account, such as purchases and complimentary grants, and for an app's own sorts.
  public var subject: SubjectID? {
    switch sort {
    case .use(let fact): fact.value.subject
    case .total(let fact): fact.subject
    case .history(let fact): fact.subject
    case .cap(let fact): fact.subject
    case .completion(let fact): fact.subject
    case .wallet(let fact): fact.subject
    case .progress(let fact): fact.subject
    case .transaction, .renewal, .pending, .grant, .child, .assignment, .time, .answer, .installation, .custom: nil
    }
  }
  /// The key of the sort in storage, such as `transaction`.
  public var name: String { named.name }
}
