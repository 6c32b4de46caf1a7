// SPDX-License-Identifier: Apache-2.0

/// The data types of App Store Connect's privacy questions, by their names under `privacy.collected`.
///
/// Source: App privacy details in App Store Connect Help.
enum PrivacyLabel {
  static let all: [String: (type: String, category: String)] = [
    "name": ("Name", "Contact Info"), "email": ("Email Address", "Contact Info"), "phone": ("Phone Number", "Contact Info"),
    "address": ("Physical Address", "Contact Info"), "contactInfo": ("Other User Contact Info", "Contact Info"),
    "health": ("Health", "Health & Fitness"), "fitness": ("Fitness", "Health & Fitness"),
    "paymentInfo": ("Payment Info", "Financial Info"), "creditInfo": ("Credit Info", "Financial Info"),
    "financialInfo": ("Other Financial Info", "Financial Info"), "preciseLocation": ("Precise Location", "Location"),
    "coarseLocation": ("Coarse Location", "Location"), "location": ("Precise or Coarse Location", "Location"),
    "sensitiveInfo": ("Sensitive Info", "Sensitive Info"), "contacts": ("Contacts", "Contacts"),
    "messages": ("Emails or Text Messages", "User Content"), "photos": ("Photos or Videos", "User Content"),
    "audio": ("Audio Data", "User Content"), "gameplay": ("Gameplay Content", "User Content"),
    "customerSupport": ("Customer Support", "User Content"), "userContent": ("Other User Content", "User Content"),
    "browsingHistory": ("Browsing History", "Browsing History"), "searchHistory": ("Search History", "Search History"),
    "userID": ("User ID", "Identifiers"), "deviceID": ("Device ID", "Identifiers"),
    "purchaseHistory": ("Purchase History", "Purchases"), "appUsage": ("Product Interaction", "Usage Data"),
    "advertisingData": ("Advertising Data", "Usage Data"), "usageData": ("Other Usage Data", "Usage Data"),
    "crashData": ("Crash Data", "Diagnostics"), "performanceData": ("Performance Data", "Diagnostics"),
    "diagnostics": ("Other Diagnostic Data", "Diagnostics"), "otherData": ("Other Data Types", "Other Data"),
  ]

  /// What an app for children may collect: none of it identifies the child.
  static let harmless: Set<String> = ["purchaseHistory", "userID", "appUsage", "crashData", "performanceData", "diagnostics"]
}
