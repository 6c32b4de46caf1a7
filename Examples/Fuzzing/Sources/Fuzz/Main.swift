// SPDX-License-Identifier: Apache-2.0
import CFuzzer
import Foundation

/// A sort of input, and what must hold for each: reading ends, nothing traps, and the laws hold.
enum Target: String, CaseIterable {
  case catalog, scenario, state, merge, tools, storekit

  func run(_ input: Data) {
    switch self {
    case .catalog: CatalogInput.run(input)
    case .scenario: ScenarioInput.run(input)
    case .state: StateInput.run(input)
    case .merge: MergeInput.run(input)
    case .tools: ToolInput.run(input)
    case .storekit: StoreKitInput.run(input)
    }
  }

  /// The target of this process.
  static let chosen: Target? = ProcessInfo.processInfo.environment["MONETIZE_FUZZ"].flatMap(Target.init)
}

/// Ends the process when a law is broken, so that libFuzzer keeps the input.
func law(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError("A law is broken: \(what())") }
}

@main enum Fuzz {
  static func main() {
    guard let target = Target.chosen else {
      print("MONETIZE_FUZZ names the target: \(Target.allCases.map(\.rawValue).joined(separator: ", ")).")
      exit(2)
    }
    // With --seeds FOLDER: the first inputs, made here because state files have checksums.
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seeds" {
      do { try Seeds.write(target, to: URL(fileURLWithPath: CommandLine.arguments[2])) } catch {
        print(error)
        exit(1)
      }
      return
    }
    var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
    withUnsafeMutablePointer(to: &arguments) { pointer in
      pointer.withMemoryRebound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self, capacity: 1) { arguments in
        exit(LLVMFuzzerRunDriver(&count, arguments, testOneInput))
      }
    }
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  Target.chosen?.run(Data(UnsafeBufferPointer(start: data, count: size)))
  return 0
}
