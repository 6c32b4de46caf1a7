// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A small value outside the app's files, such as in the keychain or in a hardware module. No other app can read or write it.
public protocol SecureStore: Sendable {
  /// The value; `nil` when none was written.
  func read() throws(StorageError) -> Data?
  /// Replaces the value.
  func write(_ value: Data) throws(StorageError)
}

/// A value in memory, for tests.
public final class MemorySecureStore: SecureStore {
  private let value = Locked<Data?>(nil)

  /// Makes an empty store.
  public init() {}

  /// The value.
  public func read() -> Data? { value.copy }
  /// Replaces the value.
  public func write(_ value: Data) { self.value.set(value) }
}

/// A state file whose manual changes are detected. Each record carries a code over itself and the record before, made with a key from a
/// ``SecureStore``. The store also holds the last code, so that lines cut off the end are detected.
///
/// Docs/Guides/Privacy.md describes what is detected, and the consequences.
public final class SealedStorage: SharedStorage {
  private struct Secret: Equatable {
    var key: [UInt8]
    /// One of these codes must occur in the file. Holds the code of the last record, or two codes while the file is being replaced. Is
    /// older than the last record if the last write to the secure store failed.
    var lastCodes: [String]

    init() { (key, lastCodes) = ((0..<32).map { _ in UInt8.random(in: 0...255) }, []) }
    init?(_ data: Data) {
      let parts = String(decoding: data, as: UTF8.self).split(separator: " ").map(String.init)
      guard let first = parts.first, let key = Data(base64Encoded: first), key.count == 32 else { return nil }
      (self.key, lastCodes) = (Array(key), Array(parts.dropFirst()))
    }
    var data: Data { Data(([Data(key).base64EncodedString()] + lastCodes).joined(separator: " ").utf8) }
  }

  private struct Known: Sendable {
    var lastCode = ""
    /// The trusted records of a file that is to be rewritten as a whole, because its seal is broken or it has none yet.
    var stale: [Data]?
  }

  private let file: FileStorage
  private let store: any SecureStore
  private let known = Locked<Known?>(nil)

  /// Seals a file. The key is made with the first record.
  public init(_ file: FileStorage, by store: any SecureStore) { (self.file, self.store) = (file, store) }

  package func opened() -> SealedStorage { SealedStorage(file.opened(), by: store) }

  /// All records, oldest first. If the seal is broken, a copy of the file is kept next to it.
  public func load() throws(StorageError) -> StoredRecords {
    while true {
      let secret = try secret()
      var stored = try file.load()
      let found = Self.open(stored.records, secret, after: "")
      let isBroken = !found.isUnbroken || !found.ends(withOneOf: secret?.lastCodes ?? [])
      // Another process may have written meanwhile.
      if isBroken, try self.secret() != secret { continue }
      stored.records = found.records
      if isBroken {
        if stored.damaged == nil { stored.damaged = try file.setAside() }
        stored.sealed = found.sealed
      }
      known.set(Known(lastCode: found.lastCode, stale: isBroken || found.sealed < found.records.count ? found.trusted(secret) : nil))
      return stored
    }
  }

  /// Adds a record: one write and one sync, and one write to the secure store. If the seal is broken, a copy of the file is kept next to it,
  /// and only the trusted records remain.
  public func append(_ record: Data) throws(StorageError) {
    if known.copy == nil { _ = try load() }
    var isRead = known.copy?.stale != nil
    try change { news in
      isRead = isRead || !news.isLost
      return isRead ? .append(record) : nil
    }
    if isRead { return }
    // Another process broke the seal. The trusted records are written again with this one.
    _ = try load()
    try change { _ in .append(record) }
  }

  /// Replaces all records.
  public func replace(with records: [Data]) throws(StorageError) { try change { _ in .replace(records) } }

  package func change(_ body: (_ news: StorageNews) -> StorageChange?) throws(StorageError) {
    if known.copy == nil { _ = try load() }
    var now = known.copy ?? Known()
    var secret = Secret()
    var failure: StorageError?
    var isChanged = false
    try file.change({ news in
      do throws(StorageError) {
        let known = try self.secret()
        if let known { secret = known } else { try store.write(secret.data) }
        let change = try sealed(body(believed(news, known, &now)), &secret, &now)
        isChanged = change != nil
        return change
      } catch { failure = error }
      return nil
    }) {
      if !isChanged { return }
      // Other processes do not write now. If this fails, the file still continues after the last known code.
      secret.lastCodes = [now.lastCode]
      try? store.write(secret.data)
    }
    if let failure { throw failure }
    known.set(now)
  }

  /// The records that others have written with the key, or without one as long as there is none. If the file has any other record, all known
  /// facts are to be rewritten.
  private func believed(_ news: StorageNews, _ secret: Secret?, _ now: inout Known) -> StorageNews {
    let found = Self.open(news.records, secret, after: news.isWhole ? "" : now.lastCode)
    let isSealed = found.sealed == found.records.count
    // Another process may have replaced a file without a valid seal.
    if isSealed, news.isWhole || now.stale == nil {
      now = Known(lastCode: found.lastCode)
      return StorageNews(records: found.records, isWhole: news.isWhole)
    }
    now.stale = now.stale ?? []
    return StorageNews(records: found.trusted(secret), isWhole: true, isLost: true)
  }

  private func sealed(_ change: StorageChange?, _ secret: inout Secret, _ now: inout Known) throws(StorageError) -> StorageChange? {
    var records: [Data]
    switch (change, now.stale) {
    case (.append(let record), nil): return .append(Self.seal(record, secret.key, &now.lastCode))
    case (.append(let record), let stale?): records = stale + [record]
    case (.replace(let all), _): records = all
    case (nil, _): return nil
    }
    let before = now.lastCode
    now = Known()
    records = records.map { Self.seal($0, secret.key, &now.lastCode) }
    // If the process ends before the next step, the file ends with one of the two codes.
    secret.lastCodes = [before, now.lastCode].filter { !$0.isEmpty }
    try store.write(secret.data)
    return .replace(records)
  }

  package func begin(_ run: String) throws(StorageError) -> Cancellation { try file.begin(run) }
  package func isRunActive(_ run: String) -> Bool? { file.isRunActive(run) }

  private func secret() throws(StorageError) -> Secret? { try store.read().flatMap(Secret.init) }

  // MARK: Records

  private struct Opened {
    var records: [Data] = []
    /// How many records, from the first, are unchanged.
    var sealed = 0
    /// Whether all records are unchanged, or none has a seal and there is no key yet.
    var isUnbroken = true
    var codes: Set<String> = []
    var lastCode = ""

    /// The unchanged records; all of a file from before the seal.
    func trusted(_ secret: Secret?) -> [Data] { secret == nil && isUnbroken ? records : Array(records.prefix(sealed)) }

    func ends(withOneOf lastCodes: [String]) -> Bool {
      lastCodes.isEmpty || records.isEmpty || !codes.isDisjoint(with: lastCodes)
    }
  }

  private static let codeLength = 32

  private static func open(_ records: [Data], _ secret: Secret?, after lastCode: String) -> Opened {
    var opened = Opened(lastCode: lastCode)
    for record in records {
      let (written, content) = parts(of: record)
      opened.records.append(content)
      guard opened.isUnbroken, let key = secret?.key, let written, code(content, key, after: opened.lastCode) == written else {
        opened.isUnbroken = opened.isUnbroken && secret == nil && written == nil
        continue
      }
      opened.lastCode = written
      opened.codes.insert(written)
      opened.sealed += 1
    }
    return opened
  }

  /// The code of a record, `nil` for none, and its content.
  static func parts(of record: Data) -> (code: String?, content: Data) {
    guard record.count > codeLength, record[record.startIndex + codeLength] == UInt8(ascii: " "), record.first != UInt8(ascii: "[") else {
      return (nil, record)
    }
    return (String(decoding: record.prefix(codeLength), as: UTF8.self), Data(record.dropFirst(codeLength + 1)))
  }

  private static func seal(_ record: Data, _ key: [UInt8], _ end: inout String) -> Data {
    end = code(record, key, after: end)
    return Data((end + " ").utf8) + record
  }

  /// The first 128 bits of the code, in hexadecimal. Pads the previous code to a fixed length. Otherwise an attacker could move it into the
  /// record and delete all earlier lines.
  private static func code(_ record: Data, _ key: [UInt8], after end: String) -> String {
    let before = end.isEmpty ? String(repeating: "0", count: codeLength) : end
    return SHA256.code(Array(before.utf8) + record, key: key).prefix(codeLength / 2).reduce(into: "") { text, byte in
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}

extension StateStorage where Self == SealedStorage {
  /// Makes a storage in a file that is sealed with a key from a secure store.
  public static func file(_ url: URL, sealedBy store: any SecureStore) -> SealedStorage { SealedStorage(FileStorage(url), by: store) }
}
