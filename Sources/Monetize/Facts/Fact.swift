// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Something that happened to a customer. Facts are written to storage and exchanged between devices.
///
/// A static function makes a fact of each sort that comes with Monetize. An app's own sort is a ``CustomFact``.
public struct Fact: Sendable, Hashable {
  /// The sorts of facts. Not public, so that a new sort breaks no `switch` of an app.
  package enum Sort: Sendable, Hashable {
    case transaction(StoreTransaction)
    case renewal(RenewalInfo)
    case pending(PendingPurchase)
    case use(Use)
    case total(ReportedTotal)
    case history(UsageHistory)
    case grant(ComplimentaryGrant)
    case cap(Cap)
    case completion(Completion)
    case wallet(WalletEntry)
    case progress(ProgressEntry)
    case child(FamilyChild)
    case assignment(ArmAssignment)
    case time(TimeSeen)
    case answer(AnswerSeen)
    case installation(Installation)
    case custom(AnyCustomFact)
  }
  package let sort: Sort

  var use: Use? { if case .use(let use) = sort { use } else { nil } }
  var isTime: Bool { if case .time = sort { true } else { false } }

  /// A purchase or a renewal.
  public static func transaction(_ fact: StoreTransaction) -> Fact { Fact(sort: .transaction(fact)) }
  /// The renewal status of a subscription.
  public static func renewal(_ fact: RenewalInfo) -> Fact { Fact(sort: .renewal(fact)) }
  /// A purchase that waits for approval.
  public static func pending(_ fact: PendingPurchase) -> Fact { Fact(sort: .pending(fact)) }
  /// A use of a metered feature.
  public static func use(_ fact: Use) -> Fact { Fact(sort: .use(fact)) }
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
  /// The arm of an experiment that the customer was given.
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
  /// Reads an object such as `{ "transaction": { … } }`. Refuses an object of an unknown sort, from a later version. Of a known sort, a
  /// further key is ignored; a storage keeps the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    func read<F: Decodable>(_ key: JSONKey, as type: F.Type = F.self) throws -> F { try container.decode(type, forKey: key) }
    for key in container.allKeys {
      switch key.stringValue {
      case "transaction": sort = .transaction(try read(key))
      case "renewal": sort = .renewal(try read(key))
      case "pending": sort = .pending(try read(key))
      case "use": sort = .use(try read(key))
      case "total": sort = .total(try read(key))
      case "history": sort = .history(try read(key))
      case "grant": sort = .grant(try read(key))
      case "cap": sort = .cap(try read(key))
      case "completion": sort = .completion(try read(key))
      case "wallet": sort = .wallet(try read(key))
      case "progress": sort = .progress(try read(key))
      case "child": sort = .child(try read(key))
      case "assignment": sort = .assignment(try read(key))
      case "time": sort = .time(try read(key))
      case "answer": sort = .answer(try read(key))
      case "installation": sort = .installation(try read(key))
      default:
        guard let type = (decoder.userInfo[.factSorts] as? FactSorts)?[key.stringValue] else { continue }
        sort = .custom(AnyCustomFact(try container.decode(type, forKey: key)))
      }
      return
    }
    throw decoder.mistake("The type of this fact is unknown. It may be from a later version.")
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
    case .use(let fact): ("use", fact)
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
    case .use(let fact): fact.subject
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
