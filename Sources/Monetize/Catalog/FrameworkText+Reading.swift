// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension FrameworkText {
  /// Reads the section "framework" of a table of texts. Reports unknown names, values of other types, empty texts, and texts with other
  /// placeholders than the English ones, which would not show a price or a date.
  static func texts(in section: JSONValue?, _ reader: JSONReader) -> [Self: String] {
    guard let section else { return [:] }
    guard section.kind == .object else {
      reader.report(
        "type-mismatch", at: section, "Expected an object of texts here, but found \(section.shortDescription). Write it in braces: { … }.")
      return [:]
    }
    var texts: [Self: String] = [:]
    for member in section.members where member.key != "$comment" {
      guard let name = Self(rawValue: member.key) else {
        reader.reportUnknown(
          "text", member.key, among: allCases.map(\.rawValue), at: member, or: "Docs/Guides/Framework-texts.md lists all names.")
        continue
      }
      guard let text = member.value.string else {
        reader.report("type-mismatch", at: member.value, member.value.expectedText)
        continue
      }
      if text.isEmpty, name != .lengthSpace, name != .lengthEnd {
        reader.report("bad-value", at: member.value, "This text is empty. Write it, or remove \"\(member.key)\".")
        continue
      }
      name.checkPlaceholders(of: text, at: member.value, reader)
      texts[name] = text
    }
    return texts
  }

  private func checkPlaceholders(of text: String, at place: JSONValue, _ reader: JSONReader) {
    let (given, needed) = (Placeholder.names(in: text), Placeholder.names(in: Self.english[self] ?? ""))
    for name in given where !needed.contains(name) {
      let known = needed.map { "{\($0)}" }.joined(separator: ", ")
      reader.reportUnknown(
        "placeholder", name, among: needed, at: place, or: needed.isEmpty ? "This text has none. Remove it." : "This text has \(known).")
    }
    for name in needed where !given.contains(name) && given.allSatisfy(needed.contains) {
      reader.report("missing-placeholder", at: place, "This text needs {\(name)}, as in \"\(Self.english[self] ?? "")\". Add it.")
    }
  }
}
