// SPDX-License-Identifier: Apache-2.0

/// The file that is added to the copy.
enum Switch {
  static let source = """
    import Foundation

    /// The mutant that is switched on in this process; -1 for none.
    private let chosen = Int(ProcessInfo.processInfo.environment["MONETIZE_MUTANT"] ?? "") ?? -1

    /// One byte for each mutant, in a file, so that a crash keeps what was reached before it. Unsafe without harm: each thread writes the same 1.
    nonisolated(unsafe) private let reached: UnsafeMutablePointer<UInt8>? = {
      guard let path = ProcessInfo.processInfo.environment["MONETIZE_REACHED"] else { return nil }
      let (file, size) = (open(path, O_RDWR | O_CREAT, 0o644), 1 << 16)
      guard file >= 0, ftruncate(file, off_t(size)) == 0 else { return nil }
      let bytes = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
      return bytes == MAP_FAILED ? nil : bytes?.assumingMemoryBound(to: UInt8.self)
    }()

    /// Whether this mutant is switched on.
    func mutant(_ number: Int) -> Bool {
      reached?[number] = 1
      return number == chosen
    }

    """
}
