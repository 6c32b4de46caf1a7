// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Runs the real command as a process. Its working directory is the repository, so that outputs contain no path of a machine.
enum Command {
  struct Result: Sendable {
    let output: String
    let errors: String
    let status: Int32

    /// The result as one text, for golden files.
    var transcript: String {
      (output.isEmpty ? "" : output) + (errors.isEmpty ? "" : "--- standard error\n" + errors) + "--- exit \(status)\n"
    }
  }

  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the built products, which contains the test bundle.
  static var products: URL {
    #if os(macOS)
      for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") { return bundle.bundleURL.deletingLastPathComponent() }
    #endif
    return Bundle.main.bundleURL
  }

  /// Runs `monetize` with these arguments.
  ///
  /// The environment contains only the given values, so that no personal settings change the output.
  static func run(_ arguments: [String], environment: [String: String] = [:], input: String? = nil) async throws -> Result {
    try await run(products.appendingPathComponent("monetize"), arguments, in: repository, environment: environment, input: input)
  }

  /// Runs a line of a shell in a folder; `monetize` is the built command.
  static func shell(_ line: String, in folder: URL) async throws -> Result {
    try await run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", line], in: folder, environment: ["PATH": "\(products.path):/usr/bin:/bin"])
  }

  private static func run(
    _ executable: URL, _ arguments: [String], in folder: URL, environment: [String: String], input: String? = nil
  ) async throws -> Result {
    await Turnstile.commands.enter()
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await runAtOnce(executable, arguments, folder, environment, input)) } catch { result = .failure(error) }
    await Turnstile.commands.leave()
    return try result.get()
  }

  private static func runAtOnce(
    _ executable: URL, _ arguments: [String], _ directory: URL, _ environment: [String: String], _ input: String?
  ) async throws -> Result {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.environment = environment
    // Files instead of pipes, because the output may be long.
    let folder = try Scratch()
    let (output, errors) = (folder.url("output"), folder.url("errors"))
    for url in [output, errors] { _ = FileManager.default.createFile(atPath: url.path, contents: nil) }
    process.standardInput = FileHandle.nullDevice
    // Closed here, because Foundation on Linux keeps an ended process, and each test would add to the open files.
    var handles: [FileHandle] = []
    defer { for handle in handles { try? handle.close() } }
    if let input {
      try Data(input.utf8).write(to: folder.url("input"))
      handles.append(try FileHandle(forReadingFrom: folder.url("input")))
      process.standardInput = handles[0]
    }
    let written = try [output, errors].map(FileHandle.init(forWritingTo:))
    handles += written
    (process.standardOutput, process.standardError) = (written[0], written[1])
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
    try #require(process.terminationReason == .exit, "the command crashed")
    return Result(
      output: try String(contentsOf: output, encoding: .utf8), errors: try String(contentsOf: errors, encoding: .utf8),
      status: process.terminationStatus)
  }

  static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Result {
    try await run(arguments, environment: environment)
  }

  /// The text of a file of the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appendingPathComponent(path), encoding: .utf8)
  }

  /// The names in a folder of the repository, sorted; empty without such a folder.
  static func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: repository.appendingPathComponent(path).path)) ?? []).sorted()
  }
}

/// Limits the number of concurrent processes. All tests start at once, and Foundation on Linux cannot run hundreds of processes: it watches
/// them with `select`, which has at most 1,024 file descriptors.
actor Turnstile {
  static let commands = Turnstile(4)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ places: Int) { free = places }

  func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

/// A temporary folder of a test.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// A copy of a file of the repository, with texts replaced. Each text must occur.
  func copy(_ path: String, as name: String, replacing replacements: KeyValuePairs<String, String> = [:]) throws -> String {
    var text = try Command.text(path)
    for (old, new) in replacements {
      try #require(text.contains(old), "\(path) does not contain \(old)")
      text = text.replacingOccurrences(of: old, with: new)
    }
    return try write(text, as: name)
  }

  func write(_ text: String, as name: String) throws -> String {
    try text.write(to: url(name), atomically: true, encoding: .utf8)
    return url(name).path
  }
}

extension Command.Result {
  /// The transcript without local paths.
  func transcript(_ scratch: Scratch) -> String {
    transcript.replacingOccurrences(of: scratch.folder.path, with: "<copies>")
      .replacingOccurrences(of: Command.repository.path, with: "<repository>")
  }

  /// The output as JSON.
  func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(output.utf8)) }
}
