// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Monetize

/// The vectors of FIPS 180-4 (and NIST's examples) and RFC 4231.
struct SHA256Tests {
  private func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  @Test(
    "SHA-256 of the published messages",
    arguments: [
      ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]) func hash(message: String, times: Int, expected: String)
  { #expect(hex(SHA256.hash(Array(String(repeating: message, count: times).utf8))) == expected) }

  @Test(
    "HMAC-SHA-256 of RFC 4231's test cases 1 to 4, 6 and 7",
    arguments: [
      (
        Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        Array(repeating: 0xaa, count: 20), Array(repeating: 0xdd, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        Array(1...25), Array(repeating: 0xcd, count: 50),
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
      ),
      (
        Array(repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      (
        Array(repeating: 0xaa, count: 131),
        Array(
          "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."
            .utf8),
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
      ),
    ] as [([UInt8], [UInt8], String)]) func code(key: [UInt8], message: [UInt8], expected: String)
  { #expect(hex(SHA256.code(message, key: key)) == expected) }

  @Test("A key of one block is used as it is, and one between one and two blocks is hashed first, as by Python's hmac")
  func keysAroundABlock() {
    let code = { (count: Int, text: String) in self.hex(SHA256.code(Array(text.utf8), key: Array(repeating: 0xaa, count: count))) }
    #expect(code(64, "A key of one block") == "b5b86f81df168468b268232499050165f50178f034d3e22b81c4e2d7b6623d15")
    let longer = code(100, "A key that is longer than a block, and shorter than two")
    #expect(longer == "c559be461e4442b60fa85622595563007493f1de5339daf43c544743aecd9d3c")
  }

  @Test("The checksum of a line is the CRC-32 of zip and PNG, so that every version reads the files of every other")
  func checksum() {
    // The check value of the catalogue of CRC algorithms.
    #expect(Checksum.hex(Array("123456789".utf8)) == "cbf43926" && Checksum.hex([]) == "00000000")
  }
}
