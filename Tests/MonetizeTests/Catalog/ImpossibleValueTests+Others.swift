// SPDX-License-Identifier: Apache-2.0

/// Impossible names, keys, addresses and texts.
extension ImpossibleValueTests {
  static let ofOthers: [Row] = [
    .init(
      name: "D1: a misspelt role",
      broken: #""features": { "f": { "roles": ["child", "parrent"] } }, "freeTier": { "grants": { "f": true } }"#,
      expected: [#"2:41: error: There is no role "parrent". Did you mean "parent"? [unknown-role] at features.f.roles[1]"#],
      right: #""features": { "f": { "roles": ["child", "patient"] } }, "freeTier": { "grants": { "f": true } }"#),
    .init(
      name: "D1: a misspelt action", broken: #""paywalls": { "default": { "actions": ["purchse"] } }"#,
      expected: [#"2:40: error: There is no action "purchse". Did you mean "purchase"? [unknown-action] at paywalls.default.actions[0]"#],
      right: #""paywalls": { "default": { "actions": ["purchase", "redeem"] } }"#),
    .init(
      name: "D1: a label of a misspelt action", broken: #""paywalls": { "default": { "labels": { "Restore": "Again" } } }"#,
      expected: [
        #"2:51: error: There is no action "Restore". Did you mean "restore"? [unknown-action] at paywalls.default.labels.Restore"#
      ],
      right: #""paywalls": { "default": { "labels": { "restore": "Again", "redeem": "Code" } } }"#),
    .init(
      name: "D1: a release in small letters",
      broken: #""releases": ["V1"], "features": { "f": { "release": "v1" } }, "freeTier": { "grants": { "f": true } }"#,
      expected: [#"2:53: error: There is no release "v1". Did you mean "V1"? [unknown-release] at features.f.release"#],
      right: #""releases": ["V1"], "features": { "f": { "release": "V2" } }, "freeTier": { "grants": { "f": true } }"#),
    .init(
      name: "D1: a placement that no paywall has",
      broken:
        #""features": { "f": { "placement": "exprot" } }, "freeTier": { "grants": { "f": true } }, "paywalls": { "default": {}, "export": {} }"#,
      expected: [#"2:35: error: There is no placement "exprot". Did you mean "export"? [unknown-placement] at features.f.placement"#],
      right:
        #""features": { "f": { "placement": "usageLimitReached" } }, "freeTier": { "grants": { "f": true } }, "paywalls": { "default": {}, "export": {} }"#
    ),
    .init(
      name: "D1: a selected product that is not offered",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "a", "name": "A", "grants": { "f": true } }, { "kind": "nonConsumable", "id": "b", "name": "B", "grants": { "f": true } }], "paywalls": { "default": { "products": ["a"] }, "settings": { "preselected": "b" } }"#,
      expected: [
        #"2:314: error: This paywall selects "b" but does not offer it. Add it to "products", or select another one. [preselected-not-offered] at paywalls.settings.preselected"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "a", "name": "A", "grants": { "f": true } }, { "kind": "nonConsumable", "id": "b", "name": "B", "grants": { "f": true } }], "paywalls": { "default": { "products": ["a", "b"] }, "settings": { "preselected": "b" } }"#
    ),
    .init(
      name: "D1: credits that are a remark",
      broken:
        #""features": { "f": { "allowance": "count" } }, "freeTier": { "grants": { "f": 1 } }, "products": [{ "kind": "consumable", "id": "x", "name": "X", "credits": { "$comment": "x" } }]"#,
      expected: [
        #"2:158: error: "credits" is empty. Add a feature, such as "story": 10, or remove "credits". [bad-value] at products[0].credits"#
      ],
      right:
        #""features": { "f": { "allowance": "count" } }, "freeTier": { "grants": { "f": 1 } }, "products": [{ "kind": "consumable", "id": "x", "name": "X", "credits": { "$comment": "x", "f": 10 } }]"#
    ),
    .init(
      name: "I6, D3: a product that grants nothing",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "x", "name": "X" }]"#,
      expected: [
        #"2:80: error: "x" grants nothing to its buyers. Add "entitlements" or "grants"; a tip is of the kind "consumable". [grants-nothing] at products[0]"#
      ],
      right:
        #""features": { "f": { "allowance": "count" } }, "freeTier": { "grants": { "f": 1 } }, "products": [{ "kind": "consumable", "id": "x", "name": "X" }]"#
    ),
    .init(
      name: "I6: a collection with a slash", broken: #""collections": { "a/b": { "title": "A", "items": 1 } }"#,
      expected: [
        #"2:25: error: A collection's id must not have a slash: paths are written collection/item/part. Rename "a/b". [bad-id] at collections["a/b"]"#
      ],
      right: #""collections": { "a-b": { "title": "A", "items": 1 } }"#),
    .init(
      name: "I6: an empty list of items", broken: #""collections": { "a": { "title": "A", "items": [] } }"#,
      expected: [#"2:48: error: A collection has 1 to 100000 items, not 0. [bad-value] at collections.a.items"#],
      right: #""collections": { "a": { "title": "A", "items": ["one"] } }"#),
    .init(
      name: "I6: a module twice", broken: #""modules": [{ "id": "m" }, { "id": "m" }]"#,
      expected: [#"2:36: error: There is already a module "m". Remove one, or rename it. [repeated-id] at modules[1].id"#],
      right: #""modules": [{ "id": "m" }, { "id": "n" }]"#),
    .init(
      name: "I6: collections of a count",
      broken:
        #""collections": { "a": { "title": "A", "items": 1 } }, "features": { "f": { "allowance": "count", "in": ["a"] } }, "freeTier": { "grants": { "f": 1 } }"#,
      expected: [
        #"2:104: error: "in" has no effect here, because the allowance "count" is not about items. Remove it, or change the allowance. [unused-key] at features.f.in"#
      ],
      right:
        #""collections": { "a": { "title": "A", "items": 1 } }, "features": { "f": { "allowance": "items", "in": ["a"] } }, "freeTier": { "grants": { "f": 1 } }"#
    ),
    .init(
      name: "I6: a unit of access",
      broken:
        #""collections": { "a": { "title": "A", "items": 1 } }, "features": { "f": { "unit": { "one": "a", "other": "b" } } }, "freeTier": { "grants": { "f": true } }"#,
      expected: [
        #"2:84: error: "unit" has no effect here, because the allowance "access" has no number. Remove it, or change the allowance. [unused-key] at features.f.unit"#
      ],
      right:
        #""collections": { "a": { "title": "A", "items": 1 } }, "features": { "f": { "allowance": "capacity", "unit": { "one": "a", "other": "b" } } }, "freeTier": { "grants": { "f": 1 } }"#
    ),
    .init(
      name: "I6: access that survives a reinstallation",
      broken:
        #""collections": { "a": { "title": "A", "items": 1 } }, "features": { "f": { "survivesReinstall": true } }, "freeTier": { "grants": { "f": true } }"#,
      expected: [
        #"2:97: error: "survivesReinstall" has no effect here, because the allowance "access" counts no uses. Remove it, or change the allowance. [unused-key] at features.f.survivesReinstall"#
      ],
      right:
        #""collections": { "a": { "title": "A", "items": 1 } }, "features": { "f": { "allowance": "count", "survivesReinstall": true } }, "freeTier": { "grants": { "f": 1 } }"#
    ),
    .init(
      name: "I6: terms that is no address", broken: #""legal": { "terms": "tba" }"#,
      expected: [#"2:21: error: "tba" is not an address. Write one such as "https://example.com/terms". [bad-address] at legal.terms"#],
      right: #""legal": { "terms": "https://example.com/x?y=z#a" }"#),
    .init(
      name: "I6: privacy that is no address", broken: #""legal": { "privacy": "example.com/privacy" }"#,
      expected: [
        #"2:23: error: "example.com/privacy" is not an address. Write one such as "https://example.com/privacy". [bad-address] at legal.privacy"#
      ],
      right: #""legal": { "privacy": "https://example.com/x?y=z#a" }"#),
    .init(
      name: "I6: support that is no address", broken: #""legal": { "support": "https://" }"#,
      expected: [
        #"2:23: error: "https://" is not an address. Write one such as "https://example.com/support". [bad-address] at legal.support"#
      ],
      right: #""legal": { "support": "https://example.com/x?y=z#a" }"#),
    .init(
      name: "I6: a schema that is a number", broken: #""$schema": 1"#,
      expected: [#"2:12: error: Expected a string here, but found the number 1. Put it in quotes. [type-mismatch] at $schema"#],
      right: #""$schema": "catalog.schema.json""#),
    .init(
      name: "I6, H12: a product id with NUL",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "a\u0000b", "name": "X", "grants": { "f": true } }]"#,
      expected: [
        #"2:113: error: A product's id contains an invisible character or a line end, which no store accepts. Use letters, digits, dots and underscores. [bad-id] at products[0].id"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "com.a_b.c1", "name": "X", "grants": { "f": true } }]"#
    ),
    .init(
      name: "I6, H12: a product id with a line end",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "a\nb", "name": "X", "grants": { "f": true } }]"#,
      expected: [
        #"2:113: error: A product's id contains an invisible character or a line end, which no store accepts. Use letters, digits, dots and underscores. [bad-id] at products[0].id"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "com.a_b.c1", "name": "X", "grants": { "f": true } }]"#
    ),
    .init(
      name: "I6, H12: a product id with a line separator",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "a\u2028b", "name": "X", "grants": { "f": true } }]"#,
      expected: [
        #"2:113: error: A product's id contains an invisible character or a line end, which no store accepts. Use letters, digits, dots and underscores. [bad-id] at products[0].id"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "com.a_b.c1", "name": "X", "grants": { "f": true } }]"#
    ),
    .init(
      name: "D3: 11.0 on mac", broken: #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }"#,
      expected: [
        #"1:89: error: Monetize needs at least 12.0, but the app's lowest version is 11.0. Raise "minimumOS" to "12.0". [minimum-os] at app.minimumOS"#
      ],
      right: #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }"#,
      app: #", "devices": ["mac"], "minimumOS": "11.0""#, rightApp: #", "devices": ["mac"], "minimumOS": "13.0""#),
    .init(
      name: "D3: 7 on Apple Watch", broken: #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }"#,
      expected: [
        #"1:97: error: Monetize needs at least 8.0, but the app's lowest version is 7. Raise "minimumOS" to "8.0". [minimum-os] at app.minimumOS"#
      ],
      right: #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }"#,
      app: #", "devices": ["Apple Watch"], "minimumOS": "7""#, rightApp: #", "devices": ["Apple Watch"], "minimumOS": "8.0""#),
    .init(
      name: "D3: 13.0 on ipad", broken: #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }"#,
      expected: [
        #"1:90: error: Monetize needs at least 15.0, but the app's lowest version is 13.0. Raise "minimumOS" to "15.0". [minimum-os] at app.minimumOS"#
      ],
      right: #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }"#,
      app: #", "devices": ["ipad"], "minimumOS": "13.0""#, rightApp: #", "devices": ["ipad"], "minimumOS": "15.0""#),
    .init(
      name: "D3: 0.9 on vision", broken: #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }"#,
      expected: [
        #"1:92: error: Monetize needs at least 1.0, but the app's lowest version is 0.9. Raise "minimumOS" to "1.0". [minimum-os] at app.minimumOS"#
      ],
      right: #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }"#,
      app: #", "devices": ["vision"], "minimumOS": "0.9""#, rightApp: #", "devices": ["vision"], "minimumOS": "2.0""#),
    .init(
      name: "D4: a part with a capital",
      broken: #""parts": ["easy", "hard"], "collections": { "a": { "title": "A", "items": 1, "parts": ["Easy", "hard"] } }"#,
      expected: [#"2:88: error: There is no part "Easy". Did you mean "easy"? [unknown-part] at collections.a.parts[0]"#],
      right: #""parts": ["easy", "hard"], "collections": { "a": { "title": "A", "items": 1, "parts": ["easy", "hard"] } }"#),
    .init(
      name: "D4: a part too few",
      broken: #""parts": ["easy", "hard"], "collections": { "a": { "title": "A", "items": 1, "parts": ["easy"] } }"#,
      expected: [
        #"2:87: error: All collections must have the parts easy, hard, in this order. Write them all, or remove "parts" here. [other-parts] at collections.a.parts"#
      ],
      right: #""parts": ["easy", "hard"], "collections": { "a": { "title": "A", "items": 1 } }"#),
    .init(
      name: "D4: a part too many",
      broken: #""parts": ["easy", "hard"], "collections": { "a": { "title": "A", "items": 1, "parts": ["easy", "hard", "wild"] } }"#,
      expected: [#"2:104: error: There is no part "wild". Declare it under "parts" of the file. [unknown-part] at collections.a.parts[2]"#],
      right: #""parts": ["easy", "hard"], "collections": { "a": { "title": "A", "items": 1 } }"#),
    .init(
      name: "C5: a misspelt placeholder",
      broken:
        #""features": { "f": { "allowance": "count", "per": "month", "description": "{limt} a {period}" } }, "freeTier": { "grants": { "f": 3 } }"#,
      expected: [#"2:75: error: There is no placeholder "limt". Did you mean "limit"? [unknown-placeholder] at features.f.description"#],
      right:
        #""features": { "f": { "allowance": "count", "per": "month", "description": "{limit} a {period}" } }, "freeTier": { "grants": { "f": 3 } }"#
    ),
    .init(
      name: "C5: a unit that is not declared",
      broken:
        #""features": { "f": { "allowance": "count", "per": "month", "description": "{limit} {unit}" } }, "freeTier": { "grants": { "f": 3 } }"#,
      expected: [
        #"2:75: error: "{unit}" never has a value here. Remove it, or declare what it names. [empty-placeholder] at features.f.description"#
      ],
      right:
        #""features": { "f": { "allowance": "count", "per": "month", "description": "{limit} of { many }" } }, "freeTier": { "grants": { "f": 3 } }"#
    ),
    .init(
      name: "C5: the unit of a part is that of its whole",
      broken:
        #""features": { "f": { "allowance": "count" }, "p": { "of": "f", "atLeast": 2, "description": "{unit}" } }, "freeTier": { "grants": { "f": 3 } }"#,
      expected: [
        #"2:93: error: "{unit}" never has a value here. Remove it, or declare what it names. [empty-placeholder] at features.p.description"#
      ],
      right:
        #""features": { "f": { "allowance": "count", "unit": { "one": "x", "other": "y" } }, "p": { "of": "f", "atLeast": 2, "description": "{unit}" } }, "freeTier": { "grants": { "f": 3 } }"#
    ),
    .init(
      name: "C5: a limit of items",
      broken:
        #""collections": { "c": { "title": "C", "items": 9 } }, "features": { "f": { "allowance": "items", "description": "{limit}" } }, "freeTier": { "grants": { "f": 3 } }"#,
      expected: [
        #"2:113: error: "{limit}" never has a value here. Remove it, or declare what it names. [empty-placeholder] at features.f.description"#
      ],
      right:
        #""features": { "f": { "allowance": "count", "per": "month", "description": "{limit}" } }, "freeTier": { "grants": { "f": 3 } }"#),
    .init(
      name: "C5: a limit of access", broken: #""features": { "f": { "description": "{limit}" } }, "freeTier": { "grants": { "f": true } }"#,
      expected: [
        #"2:37: error: "{limit}" never has a value here. Remove it, or declare what it names. [empty-placeholder] at features.f.description"#
      ],
      right:
        #""features": { "f": { "allowance": "count", "per": "month", "description": "{limit}" } }, "freeTier": { "grants": { "f": 3 } }"#),
    .init(
      name: "C5: unlockMessage on a paywall of a file without any",
      broken: #""paywalls": { "default": { "labels": { "purchase": "{unlockMessage}" } } }"#,
      expected: [
        #"2:52: error: "{unlockMessage}" never has a value here. Remove it, or declare what it names. [empty-placeholder] at paywalls.default.labels.purchase"#
      ],
      right:
        #""features": { "f": { "unlockMessage": "More" } }, "freeTier": { "grants": { "f": true } }, "paywalls": { "default": { "labels": { "purchase": "{unlockMessage}" } } }"#
    ),
    .init(
      name: "C5: collection on a paywall of a file without any",
      broken: #""paywalls": { "default": { "labels": { "purchase": "{collection}" } } }"#,
      expected: [
        #"2:52: error: "{collection}" never has a value here. Remove it, or declare what it names. [empty-placeholder] at paywalls.default.labels.purchase"#
      ],
      right:
        #""collections": { "a": { "title": "A", "items": 1 } }, "paywalls": { "default": { "labels": { "purchase": "{collection}" } } }"#),
    .init(
      name: "C5: price on a paywall of a file without any", broken: #""paywalls": { "default": { "labels": { "purchase": "{price}" } } }"#,
      expected: [
        #"2:52: error: "{price}" never has a value here. Remove it, or declare what it names. [empty-placeholder] at paywalls.default.labels.purchase"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "x", "name": "X", "grants": { "f": true } }], "paywalls": { "default": { "labels": { "purchase": "{price}" } } }"#
    ),
    .init(
      name: "C5: a limit in a legal text", broken: #""legal": { "renewal": "{limit} per {period}" }"#,
      expected: [
        #"2:23: error: "{limit}" never has a value here. Remove it, or declare what it names. [empty-placeholder] at legal.renewal"#
      ],
      right: #""legal": { "renewal": "{price} per {period}" }"#),
  ]
}
