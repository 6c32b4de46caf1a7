// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Pages in a real browser; skipped if none is installed.
@Suite("Pages in a browser", .enabled(if: Browser.path != nil, "Install chromium to run these."), .serialized, .timeLimit(.minutes(30)))
struct BrowserTests {
  /// Measures elements that are wider than the page, or whose text does not fit.
  private let probe = """
    <script>
    addEventListener("load", () => {
      const wide = [];
      for (const e of document.querySelectorAll("main *")) {
        const box = e.getBoundingClientRect();
        // Wide tables and charts scroll by themselves: their region has to fit, and a keyboard has to reach it.
        if (e.classList.contains("hidden") || e.parentElement.closest(".scroll")) continue;
        if (e.classList.contains("scroll") && e.tabIndex === 0 && box.right <= innerWidth) continue;
        if (box.right > innerWidth + 1 || box.left < -1 || (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).display !== "inline"))
          wide.push(e.tagName + " " + e.textContent.slice(0, 30));
      }
      const buttons = [...document.querySelectorAll("button, a, input")];
      const nameless = buttons.filter(e => !(e.getAttribute("aria-label") || e.textContent).trim()).map(e => e.tagName);
      const small = buttons.filter(e => e.tagName === "BUTTON" && e.getBoundingClientRect().height < 44).map(e => e.textContent);
      document.body.innerHTML = "<pre id=found>" + JSON.stringify({ wide, nameless, small, buttons: buttons.length }) + "</pre>";
    });
    </script>
    """

  @Test(
    "No text is clipped or overflows, every control has a name and a sufficient size: phone, tablet and desktop, also at 200 %",
    arguments: [
      ("412,900", "100"), ("412,900", "200"), ("1180,820", "100"), ("1180,820", "200"), ("1600,1000", "100"),
    ])
  func fits(size: String, percent: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pages-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: log) }
    _ = try await Command.run(["simulate", "Products/dozzi.json", "--customers", "100", "--months", "2", "--events", log.path])
    let paywalls = [("magical-stories", "de"), ("dozzi", "en"), ("heatlab", "ja"), ("maze-packs", "de")].map { app, language in
      (app, ["paywall", "Products/\(app).json", "--language", language])
    }
    let reports = [
      ("funnel", ["funnel", "Products/dozzi.json", log.path]), ("replay", ["replay", "Products/dozzi.json", log.path]),
      ("forecast", ["forecast", "Products/magical-stories.json"]),
    ]
    for (app, arguments) in paywalls + reports {
      let page = try await Command.run(arguments + ["--format", "html"]).output
      let larger = "<style>html { font-size: \(percent)% }</style>"
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("\(app).html")
      try Data(page.replacingOccurrences(of: "</head>", with: larger + probe + "</head>").utf8).write(to: file)
      let found = try await Browser.text(of: file, size: size)
      #expect(found.contains("\"wide\":[],\"nameless\":[],\"small\":[],\"buttons\":"), "\(app) at \(size), \(percent) %: \(found)")
    }
  }

  @Test("A paywall fits a narrow phone at twice the text size", arguments: [("magical-stories", "de"), ("dozzi", "en"), ("heatlab", "de")])
  func narrow(app: String, language: String) async throws {
    let page = try await Command.run(["paywall", "Products/\(app).json", "--language", language, "--format", "html"]).output
      .replacingOccurrences(of: "</head>", with: "<style>html { font-size: 200% }</style></head>")
      .replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
    // A window of a browser is at least 500 px wide.
    let frame = """
      <html><body><iframe style="width:320px;height:800px;border:0" srcdoc="\(page)"></iframe><script>
      addEventListener("load", () => {
        const width = document.querySelector("iframe").contentDocument.documentElement.scrollWidth;
        document.body.innerHTML = "<pre id=found>" + width + "</pre>";
      });
      </script></body></html>
      """
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("narrow-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(frame.utf8).write(to: file)
    let found = try await Browser.text(of: file, size: "600,900")
    #expect(Int(found).map { $0 <= 320 } == true, "\(app): \(found)")
  }

  @Test("The probe notices a text that is too wide, a control without a name and a button that is too small")
  func probeWorks() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("broken-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: file) }
    let page = "<html><head>\(probe)</head><body><main><p style='width:2000px'>wide</p><button></button></main></body></html>"
    try Data(page.utf8).write(to: file)
    let found = try await Browser.text(of: file, size: "412,900")
    #expect(
      found.contains("\"wide\":[\"P wide\"]") && found.contains("\"nameless\":[\"BUTTON\"]") && found.contains("\"small\":[\"\"]"),
      "\(found)")
  }
}

/// Chromium without a window.
enum Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The text that a page writes into the element `found`.
  static func text(of file: URL, size: String, isDark: Bool = false) async throws -> String {
    await Turnstile.commands.enter()
    let result = Result { try textAtOnce(of: file, size: size, isDark: isDark) }
    await Turnstile.commands.leave()
    return try result.get()
  }

  private static func textAtOnce(of file: URL, size: String, isDark: Bool) throws -> String {
    let process = Process()
    let output = Pipe()
    // Each browser has its own profile, because two with the same one wait for each other.
    let profile = FileManager.default.temporaryDirectory.appendingPathComponent("browser-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: profile) }
    process.executableURL = URL(fileURLWithPath: try #require(path))
    process.arguments = [
      "--headless", "--no-sandbox", "--no-first-run", "--user-data-dir=\(profile.path)", "--disable-gpu", "--hide-scrollbars",
      "--window-size=\(size)", "--virtual-time-budget=2000", "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
      "--dump-dom",
      file.absoluteString,
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let id = process.processIdentifier
    // A browser that hangs fails with an empty page.
    DispatchQueue.global().asyncAfter(deadline: .now() + 60) { if kill(id, 0) == 0 { kill(id, SIGKILL) } }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let page = String(decoding: data, as: UTF8.self)
    let found = page.components(separatedBy: "<pre id=\"found\">").last?.components(separatedBy: "</pre>").first ?? page
    return found.replacingOccurrences(of: "&quot;", with: "\"")
  }
}
