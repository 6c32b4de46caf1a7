// SPDX-License-Identifier: Apache-2.0

/// Subscriptions, offers, passes and grace periods that the App Store does not sell.
extension ImpossibleValueTests {
  static let ofProducts: [Row] = [
    .init(
      name: "D1, I6: a subscription for P0D",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P0D", "grants": { "f": true } }]"#,
      expected: [
        #"2:166: error: The App Store sells no subscription for no time. Write P1W, P1M, P2M, P3M, P6M or P1Y. [subscription-period] at products[0].period"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P12M", "grants": { "f": true } }]"#
    ),
    .init(
      name: "D1, I6: a subscription for P10D",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P10D", "grants": { "f": true } }]"#,
      expected: [
        #"2:166: error: The App Store sells no subscription for 10 days. Write P1W, P1M, P2M, P3M, P6M or P1Y. [subscription-period] at products[0].period"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P12M", "grants": { "f": true } }]"#
    ),
    .init(
      name: "D1, I6: a subscription for P5Y",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P5Y", "grants": { "f": true } }]"#,
      expected: [
        #"2:166: error: The App Store sells no subscription for 5 years. Write P1W, P1M, P2M, P3M, P6M or P1Y. [subscription-period] at products[0].period"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P12M", "grants": { "f": true } }]"#
    ),
    .init(
      name: "D1, I6: a subscription for PT1H",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "PT1H", "grants": { "f": true } }]"#,
      expected: [
        #"2:166: error: The App Store sells no subscription for 1 hour. Write P1W, P1M, P2M, P3M, P6M or P1Y. [subscription-period] at products[0].period"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P12M", "grants": { "f": true } }]"#
    ),
    .init(
      name: "D1: level 0",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 0, "period": "P1M", "grants": { "f": true } }]"#,
      expected: [
        #"2:153: error: 0 is not a level: the highest level of a group is 1, and lower ones have larger numbers. Write 1 or more. [subscription-level] at products[0].level"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 3, "period": "P1M", "grants": { "f": true } }]"#
    ),
    .init(
      name: "D1: level -3",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": -3, "period": "P1M", "grants": { "f": true } }]"#,
      expected: [
        #"2:153: error: -3 is not a level: the highest level of a group is 1, and lower ones have larger numbers. Write 1 or more. [subscription-level] at products[0].level"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 3, "period": "P1M", "grants": { "f": true } }]"#
    ),
    .init(
      name: "D1: an empty group",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "", "level": 1, "period": "P1M", "grants": { "f": true } }]"#,
      expected: [#"2:139: error: The id of a subscription group is empty. Write one. [empty-id] at products[0].group"#],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true } }]"#
    ),
    .init(
      name: "D1: two introductory offers",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }, { "type": "introductory", "mode": "freeTrial", "period": "P7D" }] }]"#,
      expected: [
        #"2:275: error: "s" already has an introductory offer, and only one is possible. Remove one, or write "enabled": false. [second-introductory-offer] at products[0].offers[1]"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }, { "type": "introductory", "mode": "freeTrial", "period": "P7D", "enabled": false }] }]"#
    ),
    .init(
      name: "D1: an offer of the type promotional without an id",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "promotional", "mode": "freeTrial", "period": "P7D" }] }]"#,
      expected: [
        #"2:209: error: The store finds an offer of the type "promotional" by its id. Add "id". [offer-id] at products[0].offers[0]"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "promotional", "mode": "freeTrial", "period": "P7D", "id": "o" }] }]"#
    ),
    .init(
      name: "D1: an offer of the type winBack without an id",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "winBack", "mode": "freeTrial", "period": "P7D" }] }]"#,
      expected: [#"2:209: error: The store finds an offer of the type "winBack" by its id. Add "id". [offer-id] at products[0].offers[0]"#],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "winBack", "mode": "freeTrial", "period": "P7D", "id": "o" }] }]"#
    ),
    .init(
      name: "D1: an offer of the type code without an id",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "code", "mode": "freeTrial", "period": "P7D" }] }]"#,
      expected: [#"2:209: error: The store finds an offer of the type "code" by its id. Add "id". [offer-id] at products[0].offers[0]"#],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "code", "mode": "freeTrial", "period": "P7D", "id": "o" }] }]"#
    ),
    .init(
      name: "I6: a repeated offer id",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "code", "mode": "freeTrial", "period": "P7D", "id": "o" }, { "type": "winBack", "mode": "freeTrial", "period": "P7D", "id": "o" }] }]"#,
      expected: [#"2:343: error: "s" already has an offer "o". Rename one of them. [repeated-id] at products[0].offers[1].id"#],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "code", "mode": "freeTrial", "period": "P7D", "id": "o" }, { "type": "winBack", "mode": "freeTrial", "period": "P7D", "id": "p" }] }]"#
    ),
    .init(
      name: "D1, I6: payUpFront without a price",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "payUpFront", "period": "P1M" }] }]"#,
      expected: [#"2:209: error: A paid offer needs a price. Add "price". [offer-price] at products[0].offers[0]"#],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "payUpFront", "period": "P1M", "price": { "amount": "1.99", "currency": "USD" } }] }]"#
    ),
    .init(
      name: "D1, I6: payAsYouGo without a price",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "payAsYouGo", "period": "P1M" }] }]"#,
      expected: [#"2:209: error: A paid offer needs a price. Add "price". [offer-price] at products[0].offers[0]"#],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "payAsYouGo", "period": "P1M", "price": { "amount": "1.99", "currency": "USD" } }] }]"#
    ),
    .init(
      name: "I6: a free trial with a price",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D", "price": { "amount": "1.99", "currency": "USD" } }] }]"#,
      expected: [
        #"2:282: error: A free trial costs nothing. Remove "price", or change "mode". [offer-price] at products[0].offers[0].price"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }] }]"#
    ),
    .init(
      name: "I6: an offer of no length",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P0D" }] }]"#,
      expected: [#"2:266: error: An offer needs a length. Write one such as P7D or P1M. [offer-period] at products[0].offers[0].period"#],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }] }]"#
    ),
    .init(
      name: "I6: an offer of no periods",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "payAsYouGo", "period": "P1M", "periods": 0, "price": { "amount": "1.99", "currency": "USD" } }] }]"#,
      expected: [#"2:285: error: An offer lasts at least one period. Write 1 or more. [offer-periods] at products[0].offers[0].periods"#],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "payAsYouGo", "period": "P1M", "periods": 1, "price": { "amount": "1.99", "currency": "USD" } }] }]"#
    ),
    .init(
      name: "I6: periods of a free trial",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D", "periods": 2 }] }]"#,
      expected: [
        #"2:284: error: "periods" is for "payAsYouGo"; the length of this offer is its "period". Remove "periods". [offer-periods] at products[0].offers[0].periods"#
      ],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D", "periods": 1 }] }]"#
    ),
    .init(
      name: "D1: a pass for no time",
      broken:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonRenewing", "id": "x", "name": "X", "period": "P0D", "grants": { "f": true } }]"#,
      expected: [#"2:139: error: A pass needs a length. Write one such as P7D or P1M. [bad-value] at products[0].period"#],
      right:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonRenewing", "id": "x", "name": "X", "period": "P10DT1H", "grants": { "f": true } }]"#
    ),
    .init(
      name: "D1: a grace period of P5D", broken: #""billing": { "gracePeriod": "P5D" }"#,
      expected: [
        #"2:29: error: The App Store has grace periods of 3, 16 and 28 days. Write P3D, P16D or P28D, or remove it. [grace-period] at billing.gracePeriod"#
      ],
      right: #""billing": { "gracePeriod": "P4W" }"#),
    .init(
      name: "D1: a grace period of P0D", broken: #""billing": { "gracePeriod": "P0D" }"#,
      expected: [
        #"2:29: error: The App Store has grace periods of 3, 16 and 28 days. Write P3D, P16D or P28D, or remove it. [grace-period] at billing.gracePeriod"#
      ],
      right: #""billing": { "gracePeriod": "P4W" }"#),
    .init(
      name: "D1: a grace period of P1M", broken: #""billing": { "gracePeriod": "P1M" }"#,
      expected: [
        #"2:29: error: The App Store has grace periods of 3, 16 and 28 days. Write P3D, P16D or P28D, or remove it. [grace-period] at billing.gracePeriod"#
      ],
      right: #""billing": { "gracePeriod": "P4W" }"#),
  ]
}
