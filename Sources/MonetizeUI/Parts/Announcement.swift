// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  import SwiftUI
  #if os(macOS) && canImport(AppKit)
    import AppKit
  #elseif canImport(UIKit)
    import UIKit
  #endif

  extension View {
    /// Lets VoiceOver speak a text when it appears and when it changes; nothing for `nil`. On a watch, VoiceOver speaks only the focused
    /// text.
    func announced(_ text: String?) -> some View {
      task(id: text) { if let text { Announcement.post(text) } }
    }
  }

  @MainActor private enum Announcement {
    static func post(_ text: String) {
      #if os(iOS) || os(tvOS) || os(visionOS) || STAND_INS
        UIAccessibility.post(notification: .announcement, argument: text)
      #elseif os(macOS)
        // An app extension has no `NSApp`, and an app in the background has no main window.
        guard let window = NSApp?.mainWindow else { return }
        NSAccessibility.post(
          element: window, notification: .announcementRequested,
          userInfo: [.announcement: text, .priority: NSAccessibilityPriorityLevel.high.rawValue])
      #endif
    }
  }
#endif
