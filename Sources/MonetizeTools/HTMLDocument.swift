// SPDX-License-Identifier: Apache-2.0

/// A self-contained HTML document: no script, no external address; light or dark by the reader's setting.
package struct HTMLDocument {
  private let title, style, body, language, direction: String

  /// - Parameters:
  ///   - title: The title as plain text.
  ///   - body: The content of `main`, as HTML.
  package init(title: String, style: String, body: String, language: String = "en", isRightToLeft: Bool = false) {
    (self.title, self.style, self.body, self.language) = (title, style, body, language)
    direction = isRightToLeft ? "rtl" : "ltr"
  }

  /// The whole document, with a newline at its end.
  package var text: String {
    """
    <!DOCTYPE html>
    <html lang="\(Self.escaped(language))" dir="\(direction)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(Self.escaped(title))</title>
    <style>
    \(style)
    </style>
    </head>
    <body>
    <main>
    \(body)</main>
    </body>
    </html>

    """
  }

  /// Plain text as HTML shows it.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
