#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Docs/Requirements.md: each requirement, with the tests and scenarios that show it.

A test shows a requirement by the id in its display name, a scenario by the id in its "shows". "MAZE-04/05/07" names three.
A requirement without either is later work, under its capability in ROWS. With --check nothing is written; the status is 1 when the file would change.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Docs" / "Requirements.md"
MOST = 3  # files named in a row

FAMILIES = {
    "CARD": "What the project was asked to be",
    "MAZE": "The maze app",
    "XC": "What crosses all apps",
    "HEAT": "Heatlab, a fitness app",
    "MAGIC": "Magical Stories",
    "PUZZ": "Max's Puzzles",
    "DOZZI": "Dozzi, bedtime stories",
}

INTRODUCTION = """# Requirements

What each requirement is shown by: a scenario that `monetize simulate` plays, or a test whose display name carries the id. `later` names the
capability that is still to come. Written by `.ci/requirements.py`; do not edit by hand. Run it after adding a test or a scenario.
`RequirementsTests` fails when a row points at nothing.
"""


def ids(text):
    """The ids in a text; MAGIC-25/26 is two."""
    for family, numbers in re.findall(r"\b(CARD|MAZE|XC|HEAT|MAGIC|PUZZ|DOZZI)-(\d\d(?:/\d\d)*)", text):
        for number in numbers.split("/"):
            yield f"{family}-{number}"


def evidence():
    """The tests and scenarios of each id, scenarios first."""
    found = {}

    def add(text, entry):
        for one in ids(text):
            entries = found.setdefault(one, [])
            if entry not in entries:
                entries.append(entry)

    for path in sorted(ROOT.glob("Examples/Scenarios/*/*.json")):
        scenario = json.loads(path.read_text(encoding="utf-8"))
        add(" ".join(scenario.get("shows", [])), f"scenario: {path.relative_to(ROOT)}")
    tests = [*ROOT.glob("Tests/**/*.swift"), *ROOT.glob("Examples/Tests/**/*.swift")]
    for path in sorted(tests):
        names = re.findall(r'(?m)^\s*@(?:Test|Suite)\(\s*"((?:[^"\\\\]|\\\\.)*)"', path.read_text(encoding="utf-8"))
        add(" ".join(names), f"test: {path.relative_to(ROOT)}")
    return found


def rows():
    for line in ROWS.strip().splitlines():
        yield line.split("\t")


def shown_by(entries, capability):
    if not entries:
        return f"later: {capability}"
    # One of each kind first, so that a row with both names both.
    scenarios = [entry for entry in entries if entry.startswith("scenario")]
    tests = [entry for entry in entries if entry.startswith("test")]
    picked = scenarios[:1] + tests[:1] + scenarios[1:] + tests[1:]
    return "<br>".join(picked[:MOST])


def document():
    found = evidence()
    known = {row[0] for row in rows()}
    strangers = sorted(set(found) - known)
    if strangers:
        sys.exit(f"Shown, but no requirement: {', '.join(strangers)}. Correct the id, or add it to ROWS.")
    parts = [INTRODUCTION]
    for family, title in FAMILIES.items():
        lines = [row for row in rows() if row[0].split("-")[0] == family]
        shown = sum(row[0] in found for row in lines)
        parts.append(f"\n## {family}: {title}\n{shown} of {len(lines)} shown.\n\n| Id | What | Shown by |\n|---|---|---|\n")
        for name, capability, text in lines:
            cell = text.replace("|", "\\|")
            parts.append(f"| {name} | {cell} | {shown_by(found.get(name, []), capability)} |\n")
    return "".join(parts)


# Id, the capability that is needed while nothing shows it, a short description.
ROWS = """
CARD-01	docs	The six top-level names
CARD-02	lint	The root package has no dependency
CARD-03	kind	A generic module called Monetize
CARD-04	kind	Three product kinds at least (non-consumable pack, subscription, usage-limited free …
CARD-05	lint	An unknown kind is a clear error; registering it makes the file valid
CARD-06	catalog	Adapters configured by JSON for the maze-pack app (full adapter)
CARD-07	docs	Example configs for fitness, story generator(s), puzzle app
CARD-08	catalog	Products are configured by JSON only
CARD-09	sim	An example CLI simulates entitlements
CARD-10	kind	Reusable as a dependency by several apps at once
CARD-11	ui	Builds and tests on Linux
MAZE-01	lint	Subscriptions (monthly, yearly, lifetime) are gone
MAZE-02	kind	Buy once, own for ever; one product per pack
MAZE-03	catalog	Price $9.99 per pack
MAZE-04	allowance	3 free stories per pack
MAZE-05	decision	Stories 4–20 carry a lock when the pack is not bought
MAZE-06	ui	The grid lists all 20 stories of the selected pack
MAZE-07	kind	The free-3 rule is per pack, and a purchase unlocks only its own pack
MAZE-08	decision	A pack opens regardless of purchase status
MAZE-09	onboarding	The bookshelf comes before the grid, also with one pack
MAZE-10	ui	Pack card shows title, cover art/theme, completion progress
MAZE-11	onboarding	New-user order: onboarding (difficulty) → picker → grid at that difficulty
MAZE-12	lint	Difficulty values are exactly easy, medium, hard (5 → 3)
MAZE-13	paywall	Locked story tap → parental gate → paywall, in that order
MAZE-14	gate	Gate before ANY purchase
MAZE-15	paywall	Paywall shows one product only
MAZE-16	decision	After the purchase everything opens at once, no relaunch
MAZE-17	persist	Purchase survives restart
MAZE-18	persist	"Persists" means the store's entitlement, not a saved flag
MAZE-19	restore	Restore Purchases works
MAZE-20	server	StoreKit 2, client side, no backend
MAZE-21	lint	iOS 15.0 deployment target
MAZE-22	lint	No external dependencies
MAZE-23	ui	iPad, landscape only
MAZE-24	analytics	COPPA: no personal data leaves
MAZE-25	onboarding	Finishing all 3 levels of a story = story complete → celebration → bookshelf
MAZE-26	ui	"Next" after a story's last level leads to the bookshelf
MAZE-27	catalog	New packs are a change of the file
MAZE-28	lint	Content manifest: 60 files, names, difficulties, total
MAZE-29	ui	Rename lv1→easy, lv3→medium, lv5→hard
MAZE-30	allowance	The daily-limit free model ("3 free + 1/day") is removed entirely
MAZE-31	allowance	Free stories are not consumed
MAZE-32	kind	"All stories in the pack" includes stories added to the pack later
MAZE-33	docs	Unit tests: pack data model, difficulty enum, story locking logic, purchase state
MAZE-34	storekit-export	Integration tests with an Xcode StoreKit configuration
MAZE-35	docs	No automated E2E; visual check in simulator
MAZE-36	docs	Builds and tests pass
MAZE-37	docs	App Review may question removed subscriptions
MAZE-38	lint	One clear offer per pack
MAZE-39	store	Parent approval outcomes for a child's device
HEAT-01	catalog	Two auto-renewables
HEAT-02	catalog	Tier matrix of 8 features
HEAT-03	decision	Free and Pro alike
HEAT-04	allowance	Session history: free = last 7 days; Pro = unlimited
HEAT-05	allowance	Trend analysis: free = last 7 days; Pro = full history. Same cutoff function as HEAT-04
HEAT-06	allowance	Period comparisons WoW, MoM, YoY: Pro only, all three
HEAT-07	allowance	AI insights: Pro only
HEAT-08	decision	The limit filters what is shown
HEAT-09	allowance	Baseline comparison stays whole for free users although the repository is filtered
HEAT-10	store	Store service: load products, purchase, current entitlements, transaction updates …
HEAT-11	store	Listener for transactions that arrive outside a purchase call (renewal, refund, Ask …
HEAT-12	restore	Restore through the store's sync, on user request only
HEAT-13	storekit-export	.storekit configuration file for local testing, before App Store Connect exists
HEAT-14	sync	Status on watchOS: check entitlements there on launch
HEAT-15	persist	Status may be cached (App Group) for a faster launch
HEAT-16	paywall	Paywall shows both plans with clear pricing
HEAT-17	paywall	Shown near the button
HEAT-18	paywall	Cancellation instructions visible near purchase buttons
HEAT-19	paywall	Restore button on the paywall AND in Settings
HEAT-20	lint	Terms of Use and Privacy Policy links
HEAT-21	ui	May use StoreKit's own SubscriptionStoreView where suitable (iOS 17+)
HEAT-22	ui	ProGate view modifier
HEAT-23	decision	SubscriptionStatus model tracks the current entitlement state
HEAT-24	ui	Launch → check entitlements → publish → views react
HEAT-25	decision	A single Bool isPro is exposed to views
HEAT-26	decision	History fetch takes the entitlement into account
HEAT-27	paywall	Soft upgrade prompts at free limits
HEAT-28	ui	Settings > Subscription
HEAT-29	decision	Pro unlocks immediately after a successful purchase
HEAT-30	persist	Status persists across launches
HEAT-31	restore	Restore works on a fresh install with a prior subscription
HEAT-32	paywall	In-app prices match App Store Connect exactly
HEAT-33	lint	Ongoing value (guideline 3.1.2) for subscriptions
HEAT-34	paywall	Introductory offer
HEAT-35	paywall	Promotional pricing for launch
HEAT-36	analytics	In-app rating prompt after the 5th workout
HEAT-37	verify	No server validation
HEAT-38	store	async/await throughout
HEAT-39	lint	No health data in iCloud
HEAT-40	lint	Privacy manifest with required-reason APIs (the framework itself touches …
HEAT-41	lint	App privacy labels
HEAT-42	docs	Review notes with instructions to test Pro
HEAT-43	docs	Builds with iOS 26 SDK and watchOS 26 SDK; physical-device testing
HEAT-44	docs	Deadlines: age rating questionnaire 31 Jan 2026; iOS 26 SDK April 2026
HEAT-45	store	Purchase completes through the App Store (Apple Pay only as Apple's funding source …
HEAT-46	lint	First-submission compliance
HEAT-47	sync	Watch keeps a local store and an outbox to the phone
HEAT-48	decision	Freemium app: everything works with no purchase and no account
MAGIC-01	catalog	Two auto-renewables
MAGIC-02	paywall	Yearly saving is advertised (seed says 16%)
MAGIC-03	paywall	Paywall benefit list, six strings in order
MAGIC-04	allowance	Free tier: 3 stories per month
MAGIC-05	allowance	Free tier: at most 1 child profile
MAGIC-06	allowance	Restricted for free
MAGIC-07	catalog	Free features, five, with descriptions
MAGIC-08	paywall	Premium features, eight, each with an unlock message
MAGIC-09	allowance	Parental controls exist at two levels
MAGIC-10	ui	Purchase service with observable products, isLoading, purchaseInProgress, errorMessage
MAGIC-11	store	Proper error states
MAGIC-12	verify	Transaction verification and security
MAGIC-13	restore	Restore purchases
MAGIC-14	ui	Subscription management entry
MAGIC-15	decision	Status: free, premium monthly (expiry), premium yearly (expiry), expired; separate …
MAGIC-16	decision	Public API: hasAccess(feature), canGenerateStory, incrementUsageCount, resetMonthlyUsage
MAGIC-17	store	Status updates in real time
MAGIC-18	ui	FeatureGate component
MAGIC-19	allowance	Generation checks the limit first, throws usageLimitReached, and counts only on success
MAGIC-20	allowance	No over-spend by concurrency
MAGIC-21	decision	Gating prevents unauthorised access at the service, not only in the view
MAGIC-22	allowance	Creating a collection is Premium
MAGIC-23	persist	Usage record persists
MAGIC-24	allowance	isLimitReached, remaining stories, increment, can-generate, reset
MAGIC-25	allowance	Monthly reset, automatic
MAGIC-26	allowance	Month boundaries: 31-day and short months, leap day, year end, DST, time-zone travel …
MAGIC-27	analytics	Notification about the reset, if appropriate
MAGIC-28	persist	Usage can be backed by an existing analytics service of the app
MAGIC-29	ui	Usage indicator "Stories this month
MAGIC-30	paywall	Limit-reached screen
MAGIC-31	paywall	Four paywall contexts
MAGIC-32	paywall	Paywall: value proposition, monthly vs yearly comparison, trust indicators (secure …
MAGIC-33	onboarding	Onboarding order: Welcome → Feature Showcase → First Story Creation → Results …
MAGIC-34	onboarding	Exit paths: Trial Offer → Main App; after the results an upgrade prompt
MAGIC-35	onboarding	Welcome has five steps (welcome, aiPowered, personalized, developmental …
MAGIC-36	onboarding	Guided first story is free
MAGIC-37	onboarding	Results: "Continue to App" and "Unlock More Features"
MAGIC-38	onboarding	Premium preview: four teasers (growthCollections, unlimitedStories, multipleProfiles …
MAGIC-39	paywall	Trial offer: 7-day free trial with a clear conversion path (what is charged, when …
MAGIC-40	onboarding	Onboarding state persists
MAGIC-41	onboarding	User can complete or skip
MAGIC-42	analytics	Track step completion rate, drop-off point, time per step, conversion onboarding → …
MAGIC-43	paywall	A/B tests: onboarding flow variants, CTA copy, premium-feature presentation, paywall
MAGIC-44	analytics	Events: onboardingStarted, onboardingCompleted, firstStoryGenerated …
MAGIC-45	analytics	Primary KPIs: onboarding → subscription 15%; MRR tracked; trial → paid 60%; monthly …
MAGIC-46	analytics	Secondary KPIs: onboarding completion 80%; feature adoption; stories per user; NPS
MAGIC-47	paywall	Feature flags: limits and features adjustable quickly
MAGIC-48	catalog	Rollback plan: revert to the free model
MAGIC-49	paywall	Soft launch to a limited user base
MAGIC-50	docs	Unit tests: transactions, access control, limits, monthly reset, usage accuracy
MAGIC-51	sim	Integration: purchase end to end, restoration, gating in each status, status changes
MAGIC-52	ui	UI tests: paywall show/dismiss, purchase completion, restriction behaviour
MAGIC-53	decision	Subscription expiry handling
MAGIC-54	store	Network failure: no loss of a paid entitlement, no phantom unlock, no lost or doubled …
MAGIC-55	store	Backgrounding/foregrounding
MAGIC-56	allowance	Offline reading is Premium
MAGIC-57	allowance	Priority generation
MAGIC-58	allowance	Advanced illustrations is a level, not on/off (free stories have illustrations too)
MAGIC-59	decision	Performance: entitlement checks must not slow the app
MAGIC-60	ui	Accessibility of gate, paywall, indicator
MAGIC-61	forecast	Usage patterns that align with API costs
MAGIC-62	lint	App Review guidelines compliance
MAGIC-63	decision	Gating enhances rather than restricts
MAGIC-64	ui	In-app feedback and support channel
MAGIC-65	docs	P0 ×3; phases weeks 1–4
MAGIC-66	gate	Child-safe, parent-appealing
PUZZ-01	catalog	No paid product in V1
PUZZ-02	catalog	Hub and spoke: hub services (coins V3, avatars V3, family accounts) + independent …
PUZZ-03	catalog	V1 features: quickPlay, 10 presets + custom, hiddenMode, lives (5, standard mode) …
PUZZ-04	ui	10 preset levels (+ custom), none sold
PUZZ-05	catalog	V2 deferred: 30 progression levels, star ratings, level unlocking, tutorial hints …
PUZZ-06	catalog	V3 deferred: coin economy UI, avatars, shop; build the architecture now as stubs …
PUZZ-07	ui	Level ids "1-A", "1-B", "1-C" (10 levels × A–C = the 30)
PUZZ-08	allowance	Level unlocking (V2)
PUZZ-09	allowance	Daily time limits (V2), set for a child by a parent
PUZZ-10	persist	Coin display: clamped running total that stops at 0
PUZZ-11	persist	A puzzle pays at least 0
PUZZ-12	sync	Merge rules: coins higher; stars higher; best_time_ms lower; completed true …
PUZZ-13	sync	Offline first: save locally at once, append to a queue; when online process the …
PUZZ-14	sync	Queue record: id, type, payload, createdAt. Delivery must be idempotent by id
PUZZ-15	sync	Guest mode: full play, local storage only; no account, no network
PUZZ-16	sync	Guest → account transfer of progress
PUZZ-17	decision	Roles: parent, child, guest flag; parents sign in (Supabase), children by PIN
PUZZ-18	sync	Family accounts: several children; parent adds, removes, updates PIN
PUZZ-19	analytics	Parent demo: may play Quick Play; nothing is saved or tracked
PUZZ-20	analytics	Session: module entry → hub return, or 5 min of inactivity
PUZZ-21	analytics	Inactive pauses the timer
PUZZ-22	analytics	Parent dashboard: play stats per child, activity history
PUZZ-23	persist	Storage classes: session token → Keychain; preferences → UserDefaults; guest …
PUZZ-24	persist	Progress keyed by (user, module)
PUZZ-25	sync	Backend endpoints (9)
PUZZ-26	sync	Row scopes: read all; read/write own; read own + children
PUZZ-27	lint	COPPA: parental consent for accounts, no behavioural advertising, no social features …
PUZZ-28	lint	Kids category (Education), 4+, ages 5–11
PUZZ-29	lint	Privacy policy covering family data, child profiles, analytics
PUZZ-30	lint	iOS 16+ (17+ optional)
PUZZ-31	docs	Same backend and behaviour as the web app
PUZZ-32	sync	Integration tests: Quick Play flow, guest → account transfer, sync conflict resolution
PUZZ-33	allowance	Shop items priced in coins (avatar_items), V3 stub
PUZZ-34	ui	Accessibility: VoiceOver, Dynamic Type, Reduce Motion, Increase Contrast for any …
PUZZ-35	gate	Any purchase added later sits behind the parental gate, and account creation behind …
PUZZ-36	lint	Keep dependencies minimal
DOZZI-01	catalog	Tiers: Free: 2 stories, $0.00, basic voices, full personalization. Unlimited …
DOZZI-02	storekit-export	Product com.dozzi.unlimited_stories, Non-Consumable, reference name "Unlimited …
DOZZI-03	allowance	Free allowance: 2 stories, ever; no reset
DOZZI-04	decision	canCreateStory: remaining > 0, or unlimited
DOZZI-05	ui	Display text "N stories remaining" / "Unlimited stories"
DOZZI-06	allowance	Premium voices only for Unlimited
DOZZI-07	store	Load the product; failure is visible and retried
DOZZI-08	store	Purchase: success → verify → grant → finish → result; cancelled and pending are not …
DOZZI-09	verify	Verify; unverified → failedVerification, no grant
DOZZI-10	verify	Entitlement from current entitlements of that product id with no revocation date
DOZZI-11	store	Transaction listener from launch to exit
DOZZI-12	persist	Counter persists across launches
DOZZI-13	allowance	Creating a story spends one credit when free, none when unlimited
DOZZI-14	store	productNotFound when the product is not loaded
DOZZI-15	ui	isPurchasing: button disabled and dimmed while in flight; a second tap does nothing
DOZZI-16	restore	Restore Purchases on the paywall
DOZZI-17	paywall	Paywall parts: header character, benefits, pricing, restore, trust; title "Unlock …
DOZZI-18	paywall	Copy: "Hi! I'm Dozzi!", subtitle; four benefits (Unlimited Stories, Premium Voices …
DOZZI-19	paywall	Button: "Unlock Unlimited Stories", "One-time purchase", store display price
DOZZI-20	lint	"No subscriptions • No recurring charges • No ads", transparent price, no hidden charges
DOZZI-21	lint	No misleading claims
DOZZI-22	lint	"Join thousands of happy families": needs evidence
DOZZI-23	paywall	Story creation: status shown; on tap check; refused → paywall; else create
DOZZI-24	store	After the paywall closes, status refreshes (without a store sign-in prompt)
DOZZI-25	ui	Status view: free = clock icon, orange; unlimited = infinity icon, blue, "PREMIUM" …
DOZZI-26	server	Server verifyPurchase(receipt, productId)
DOZZI-27	server	Server getSubscriptionStatus
DOZZI-28	server	Server trackStoryCreation
DOZZI-29	server	Verification checks the product id in Apple's data
DOZZI-30	server	Client backend adapter
DOZZI-31	server	Backend down or offline
DOZZI-32	verify	Validation trouble
DOZZI-33	store	Robust error handling and retry for store failures
DOZZI-34	server	Server features need a signed-in user id
DOZZI-35	storekit-export	StoreKit test config
DOZZI-36	sim	Tests: 2-story limit; paywall on the 3rd; counter persistence
DOZZI-37	sim	Tests: purchase success, cancellation, network failure, restore
DOZZI-38	sim	Edge: background during purchase; multiple rapid creations; offline
DOZZI-39	analytics	Events: paywallShown, paywallDismissed, purchaseStarted, purchaseCompleted …
DOZZI-40	analytics	A/B test paywall copy and design
DOZZI-41	forecast	Forecast inputs: $0.012 per story, 2 free stories = $0.024, conversion 3–5%, revenue …
DOZZI-42	forecast	Net of commission must be stated
DOZZI-43	forecast	Unlimited use for one price with a cost per story
DOZZI-44	analytics	Technical KPIs: purchase completion > 85%; crash rate < 0.1%; API < 500 ms; StoreKit …
DOZZI-45	analytics	Business KPIs: conversion 3–5%; ARPU $0.09–0.15; MAU growth 20%+; day-7 retention 30%+
DOZZI-46	analytics	Quality KPIs: rating 4.5+; tickets < 2%; refunds < 5%; adoption 70%+
DOZZI-47	lint	Privacy labels: collected purchase history, user id, app usage; not collected story …
DOZZI-48	docs	Review: paywall screenshot, notes explaining freemium
DOZZI-49	gate	Kids category rules followed strictly → parental gate before paywall purchase
DOZZI-50	decision	Converting a local-only app
DOZZI-51	onboarding	Value first: no paywall before the free stories are used
DOZZI-52	server	Server record fields
DOZZI-53	docs	iOS 26+ app, various devices and versions
DOZZI-54	analytics	High refunds are a risk
DOZZI-55	docs	Plan: weeks 1–2, 3–4, 5–6, 7–8, incl. "test cloud synchronization"
XC-01	docs	Six purchase outcomes, kept apart
XC-02	store	Subscription lifecycle
XC-03	docs	Unknown is not free: gates wait, payers are never prompted
XC-04	docs	Metered use = reserve → commit/release with an idempotency key
XC-05	sync	Store used, not remaining
XC-06	ui	One entitlement owner per app
XC-07	decision	Time: injected clock, high-water mark, calendar/zone explicit
XC-08	persist	Entitlement = function of current verified transactions
XC-09	analytics	Kids mode: gate, no third-party analytics, no personal data in events
XC-10	lint	One lint rule set for every paid config
XC-11	store	Family sharing flag per product, default false
XC-12	decision	Denial reasons are distinguishable
XC-13	docs	State files are versioned and survive corruption
XC-14	docs	Duplicate transactions (listener + purchase result + restore) are processed once
"""

if __name__ == "__main__":
    text = document()
    if "--check" in sys.argv[1:]:
        if not TABLE.exists() or TABLE.read_text(encoding="utf-8") != text:
            sys.exit("Docs/Requirements.md is not up to date. Run .ci/requirements.py.")
    else:
        TABLE.write_text(text, encoding="utf-8")
    missing = [row[0] for row in rows() if f"| {row[0]} |" in text and "later:" in next(line for line in text.splitlines() if line.startswith(f"| {row[0]} |"))]
    print(f"{len(list(rows()))} requirements, {len(missing)} later")
