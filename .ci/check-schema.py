#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the JSON Schemas of catalogs and scenarios with the PyPI package jsonschema, without any Swift.

Products/schema/catalog.schema.json comes first. The schema of scenarios is made from what the reader knows: with `-`, it is read from standard
input, as `monetize schema scenario` prints it.

The schema must be valid and describe every property, and the shipped catalogs must satisfy it. The variants in
Tests/MonetizeToolsTests/Fixtures/broken-catalogs.json must be refused or accepted as listed; BrokenCatalogTests checks the decoder with the
same list. Keys of a registered kind or allowance must be accepted beside it, and nowhere else.
"""

import copy
import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit("This needs the PyPI package jsonschema: python3 -m pip install jsonschema")

ROOT = pathlib.Path(__file__).resolve().parent.parent
CATALOGS = ["dozzi", "heatlab", "magical-stories", "maxs-puzzles", "maze-packs"]
failures = []


def read(path):
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def expect(condition, message):
    if not condition:
        failures.append(message)
        print(f"  wrong: {message}")


def merge(target, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge(result.get(key), value)
    return result


# Schemas of the same value: their properties narrow those that the enclosing schema describes.
SAME_VALUE = ("allOf", "anyOf", "oneOf", "if", "then", "else", "not")


def undescribed(schema, path="", described=frozenset()):
    """The properties without a description of their own or of an enclosing schema of the same value."""
    if isinstance(schema, list):
        for place, part in enumerate(schema):
            yield from undescribed(part, f"{path}[{place}]", described)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties", {})
    described = described | {name for name, part in properties.items() if "description" in part}
    for name, part in properties.items():
        if name not in described:
            yield f"{path}/{name}"
    for key, part in schema.items():
        if key == "properties":
            for name, inner in part.items():
                # What is narrowed here is described where it is declared.
                yield from undescribed(inner, f"{path}/{name}") if "description" in inner else ()
        elif key not in ("enum", "const", "required", "description"):
            yield from undescribed(part, f"{path}/{key}", described if key in SAME_VALUE else frozenset())


def slips(words):
    """A pattern for words that differ in one letter: missing, added, replaced, or two swapped. NameRules.swift refuses the same."""
    def of(word):
        yield from (f"{word[:i]}.?{word[i]}?{word[i + 1:]}" for i in range(len(word)))
        yield word + "."
        yield from (word[:i] + word[i + 1] + word[i] + word[i + 2:] for i in range(len(word) - 1) if word[i] != word[i + 1])
    return "^(?:" + "|".join(slip for word in words for slip in of(word)) + ")$"


schema = read("Products/schema/catalog.schema.json")
Draft202012Validator.check_schema(schema)
for name in ["kindName", "allowanceName", "actionName", "roleName"]:
    known, other = schema["$defs"][name]["anyOf"]
    expect(other["not"]["pattern"] == slips(known["enum"]), f"the pattern of {name} is to be {slips(known['enum'])}")
missing = list(undescribed(schema))
expect(not missing, f"properties without a description: {missing}")
print("schema: valid draft 2020-12, every property described")

validator = Draft202012Validator(schema)
catalogs = {name: read(f"Products/{name}.json") for name in CATALOGS}
expect(sorted(p.stem for p in (ROOT / "Products").glob("*.json")) == CATALOGS, "the list of catalogs here is not the one in Products")
for name, catalog in catalogs.items():
    for error in validator.iter_errors(catalog):
        expect(False, f"{name}{error.json_path[1:]}: {error.message[:200]}")
print(f"catalogs: {len(catalogs)} checked")

variants = read("Tests/MonetizeToolsTests/Fixtures/broken-catalogs.json")
for variant in variants:
    errors = list(validator.iter_errors(merge(catalogs[variant["file"]], variant["patch"])))
    if variant["code"] is None:
        expect(not errors, f"\"{variant['name']}\" is refused: {[e.message[:200] for e in errors[:2]]}")
    else:
        expect(errors, f"\"{variant['name']}\" is accepted")
refused = sum(variant["code"] is not None for variant in variants)
expect(refused >= 40 and len(variants) - refused >= 15, "too few variants")
print(f"variants: {refused} broken ones refused, {len(variants) - refused} odd ones accepted")

base = {"schemaVersion": 1, "app": {"id": "com.example", "name": "Example"}}
product = {"id": "p", "name": "P", "season": "winter"}
opened = {
    "a registered kind": {**base, "products": [{**product, "kind": "seasonPass"}]},
    "a registered allowance": {**base, "features": {"f": {"allowance": "weekdays", "days": [1, 2]}}, "freeTier": {"grants": {"f": [1, 2]}}},
}
closed = {
    "a built-in kind with foreign keys": {**base, "products": [{**product, "kind": "nonConsumable"}]},
    "a built-in allowance with foreign keys": {**base, "features": {"f": {"allowance": "count", "days": [1, 2]}}},
    "a foreign amount where all allowances are built in": {**base, "features": {"f": {}}, "freeTier": {"grants": {"f": [1, 2]}}},
    "a registered kind with a wrong common key": {**base, "products": [{**product, "kind": "seasonPass", "onSale": "no"}]},
}
for name, catalog in opened.items():
    expect(validator.is_valid(catalog), f"{name} is refused")
for name, catalog in closed.items():
    expect(not validator.is_valid(catalog), f"{name} is accepted")
print(f"open sets: {len(opened)} open, {len(closed)} closed")

if sys.argv[1:] != ["-"]:
    sys.exit(f"{len(failures)} wrong" if failures else 0)

# Scenarios: every file must satisfy the schema, and the variants in broken-scenarios.json must be refused or accepted as listed.
# BrokenScenarioTests checks the reader with the same list.
schema = json.load(sys.stdin)
Draft202012Validator.check_schema(schema)
missing = list(undescribed(schema))
expect(not missing, f"properties without a description: {missing}")
validator = Draft202012Validator(schema)
paths = [path.relative_to(ROOT) for path in sorted(ROOT.glob("Examples/Scenarios/*/*.json")) if path.parent.name != "schema" and path.name != "catalog.json"]
for path in paths:
    for error in validator.iter_errors(read(path)):
        expect(False, f"{path}{error.json_path[1:]}: {error.message[:200]}")
print(f"scenarios: {len(paths)} checked")
broken = read("Tests/MonetizeSimulatorTests/Fixtures/broken-scenarios.json")
for variant in broken["variants"]:
    scenario = merge(broken["base"], variant.get("patch", {}))
    if "step" in variant:
        scenario["steps"] = scenario["steps"] + [variant["step"]]
    errors = list(validator.iter_errors(scenario))
    if variant["code"] is None:
        expect(not errors, f"\"{variant['name']}\" is refused: {[e.message[:200] for e in errors[:2]]}")
    else:
        expect(errors, f"\"{variant['name']}\" is accepted")
refused = sum(variant["code"] is not None for variant in broken["variants"])
expect(len(paths) >= 100 and refused >= 25, "too few scenarios or variants")
print(f"scenario variants: {refused} broken ones refused, {len(broken['variants']) - refused} odd ones accepted")

sys.exit(f"{len(failures)} wrong" if failures else 0)
