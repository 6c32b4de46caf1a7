// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Pages checked for accessibility by a script inside a real browser, after layout and style: names, roles, landmarks and contrast (WCAG 2.1,
/// 1.1.1, 1.4.3, 2.4.2, 3.1.1, 4.1.2). They are skipped where no browser is installed.
@Suite("Accessibility of pages", .enabled(if: Browser.path != nil, "Install chromium to run these."), .serialized, .timeLimit(.minutes(30)))
struct AccessibilityTests {
  private let probe = #"""
    <script>
    addEventListener("load", () => {
      const faults = [];
      const fault = (text, e) => faults.push(text + (e ? ": " + e.tagName + " " + (e.textContent || "").trim().slice(0, 30) : ""));
      if (!document.documentElement.lang) fault("no language");
      if (!document.title.trim()) fault("no title");
      if (document.querySelectorAll("main").length !== 1) fault("not one main");
      if (!document.querySelector("h1, [role=heading]")) fault("no heading");
      const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
      if (new Set(ids).size !== ids.length) fault("repeated ids");
      const name = e => (e.getAttribute("aria-label") || e.labels && [...e.labels].map(l => l.textContent).join() || e.querySelector("title")?.textContent || e.textContent || e.alt || "").trim();
      for (const e of document.querySelectorAll("button, a, input, select, textarea, [role=button], [role=radio], [role=img], svg, img"))
        if (e.getAttribute("aria-hidden") !== "true" && !e.closest("[aria-hidden=true]") && !name(e)) fault("no name", e);
      for (const e of document.querySelectorAll("svg")) if (e.getAttribute("aria-hidden") !== "true" && e.getAttribute("role") !== "img") fault("no role", e);
      for (const e of document.querySelectorAll("table")) if (!e.querySelector("th")) fault("no head", e);
      const color = text => { const n = text.match(/[\d.]+/g).map(Number); return n.length > 3 ? n : [...n, 1]; };
      const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
      const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
      const ground = e => { const own = e ? color(getComputedStyle(e).backgroundColor) : [255, 255, 255, 1]; return own[3] === 1 ? own : over(own, e && e.parentElement ? ground(e.parentElement) : canvas); };
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      const canvas = dark ? [18, 18, 18, 1] : [255, 255, 255, 1];
      for (const e of document.querySelectorAll("main *")) {
        if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || e.closest("svg, style, script") || e.matches(":disabled") || getComputedStyle(e).opacity < 1) continue;
        const style = getComputedStyle(e);
        if (style.visibility === "hidden" || !e.getClientRects().length) continue;
        const back = ground(e), front = over(color(style.color), back), [a, b] = [light(front), light(back)].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05), large = parseFloat(style.fontSize) >= 24 || parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700;
        if (ratio < (large ? 3 : 4.5)) fault("contrast " + ratio.toFixed(2), e);
      }
      document.body.innerHTML = "<pre id=found>" + JSON.stringify({ dark, faults }) + "</pre>";
    });
    </script>
    """#

  private func faults(in page: String, isDark: Bool) async throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(page.replacingOccurrences(of: "</head>", with: probe + "</head>").utf8).write(to: file)
    return try await Browser.text(of: file, size: "412,900", isDark: isDark)
  }

  @Test(
    "MAGIC-60: every page has a language, a title, a landmark, names for all controls and pictures, and enough contrast, light and dark",
    arguments: [false, true])
  func pages(isDark: Bool) async throws {
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: log) }
    let catalog = "Products/magical-stories.json"
    let played = try await Command.run(["simulate", catalog, "--customers", "200", "--months", "2", "--events", log.path])
    #expect(played.status == 0)
    let pages =
      ["maze-packs", "heatlab", "magical-stories", "dozzi"].map { ["paywall", "Products/\($0).json"] }
      + [["funnel", catalog, log.path], ["replay", catalog, log.path], ["forecast", catalog], ["show", "Products/heatlab.json"]]
    for arguments in pages {
      let page = try await Command.run(arguments + ["--format", "html"]).output
      let found = try await faults(in: page, isDark: isDark)
      #expect(found.contains("{\"dark\":\(isDark),\"faults\":[]}"), "\(arguments): \(found)")
    }
  }

  @Test("The check notices what is missing") func notices() async throws {
    let page = """
      <html><head></head><body><p style='color:#999;background:#fff'>pale</p><button></button><svg></svg><table><tr><td>1</td></tr></table>
      <main><p id=a style='color:#aaa'>grey</p><i id=a></i></main></body></html>
      """
    let found = try await faults(in: page, isDark: false)
    for fault in [
      "no language", "no title", "no heading", "repeated ids", "no name: BUTTON", "no role: svg", "no head: TABLE", "contrast 2.32: P grey",
    ] {
      #expect(found.contains(fault), "\(fault) in \(found)")
    }
  }
}
