"""The upgrade cards of the garage: facts of the printed cards, one line each (GARAGE-3)."""

from __future__ import annotations

from typing import Final

from heat_core.data.facts import CardFacts

UPGRADE_COPIES: Final = 2
"""Copies of each upgrade in the game."""

BASIC_UPGRADES: Final[tuple[CardFacts, ...]] = (
    CardFacts("4wd-1", "4-wheel drive", (4,), (("flip", 1),)),
    CardFacts("4wd-2", "4-wheel drive", (0,), (("flip", 3),)),
    CardFacts("4wd-3", "4-wheel drive", (0,), (("flip", 1), ("cooldown", 3))),
    CardFacts("body-1", "body", (3,), (("reduce_stress", 2),)),
    CardFacts("body-2", "body", (5,), (("reduce_stress", 1),)),
    CardFacts("body-3", "body", (1,), (("reduce_stress", 3),)),
    CardFacts("brakes-1", "brakes", (1, 2, 3, 4), (("heat", 1),)),
    CardFacts("brakes-2", "brakes", (1, 3), ()),
    CardFacts("brakes-3", "brakes", (2, 4), ()),
    CardFacts("brakes-4", "brakes", (1, 5), ()),
    CardFacts("cooling-1", "cooling system", (6,), (("heat", 1), ("cooldown", 1))),
    CardFacts("cooling-2", "cooling system", (1,), (("cooldown", 2),)),
    CardFacts("cooling-3", "cooling system", (3,), (("cooldown", 1),)),
    CardFacts("rpm-1", "R.P.M.", (1,), (("slipstream", 2),)),
    CardFacts("rpm-2", "R.P.M.", (2,), (("slipstream", 2),)),
    CardFacts("rpm-3", "R.P.M.", (3,), (("slipstream", 2),)),
    CardFacts("heat-basic", "heat", (), ()),
)

ADVANCED_UPGRADES: Final[tuple[CardFacts, ...]] = (
    CardFacts("body-4", "body", (6,), (("reduce_stress", 3), ("heat", 1))),
    CardFacts("body-5", "body", (2,), (("reduce_stress", 1), ("cooldown", 1), ("scrap", 2))),
    CardFacts("body-6", "body", (2,), (("reduce_stress", 1), ("slipstream", 1))),
    CardFacts("cooling-4", "cooling system", (4,), (("scrap", 2), ("cooldown", 1))),
    CardFacts("fuel-1", "fuel", (2,), (("salvage", 2),)),
    CardFacts("fuel-2", "fuel", (0,), (("flip", 1), ("salvage", 2), ("cooldown", 1))),
    CardFacts("gas-1", "gas pedal", (1,), (("direct", 1), ("scrap", 1))),
    CardFacts("gas-2", "gas pedal", (2,), (("direct", 1), ("scrap", 2))),
    CardFacts("gas-3", "gas pedal", (3,), (("direct", 1), ("scrap", 3))),
    CardFacts("gas-4", "gas pedal", (4,), (("direct", 1), ("heat", 1), ("cooldown", 1))),
    CardFacts("gas-5", "gas pedal", (1,), (("direct", 1), ("accelerate", 1), ("scrap", 5))),
    CardFacts("rpm-4", "R.P.M.", (0,), (("flip", 1), ("slipstream", 3))),
    CardFacts("rpm-5", "R.P.M.", (1,), (("heat", 1), ("slipstream", 3))),
    CardFacts("rpm-6", "R.P.M.", (1, 2), (("slipstream", 1),)),
    CardFacts("suspension-1", "suspension", (2,), (("reduce_stress", 1), ("refresh", 1))),
    CardFacts("suspension-2", "suspension", (2,), (("cooldown", 1), ("refresh", 1))),
    CardFacts("suspension-3", "suspension", (4,), (("refresh", 1),)),
    CardFacts("suspension-4", "suspension", (1,), (("slipstream", 1), ("refresh", 1))),
    CardFacts("tyres-1", "tyres", (2,), (("adjust", -1), ("cooldown", 3))),
    CardFacts("tyres-2", "tyres", (1,), (("adjust", 1), ("scrap", 2))),
    CardFacts("tyres-3", "tyres", (2,), (("adjust", 1), ("scrap", 2))),
    CardFacts("tyres-4", "tyres", (3,), (("adjust", -1), ("cooldown", 2))),
    CardFacts("tyres-5", "tyres", (0,), (("flip", 1), ("adjust", 1), ("cooldown", 1), ("slipstream", 1))),
    CardFacts("tyres-6", "tyres", (0,), (("flip", 2), ("adjust", 2))),
    CardFacts("turbo-1", "turbocharger", (7,), (("heat", 2), ("cooldown", 3))),
    CardFacts("turbo-2", "turbocharger", (8,), (("heat", 1), ("scrap", 6))),
    CardFacts("wings-1", "wings", (4,), (("heat", 1), ("scrap", 2), ("adjust", 2))),
    CardFacts("wings-2", "wings", (3,), (("heat", 1), ("scrap", 2), ("adjust", 2))),
    CardFacts("wings-3", "wings", (6,), (("heat", 2), ("adjust", 3))),
    CardFacts("4wd-4", "4-wheel drive", (0,), (("flip", 1), ("accelerate", 1))),
    CardFacts("heat-advanced", "heat", (), ()),
)

EXPANSION_UPGRADES: Final[tuple[CardFacts, ...]] = (
    CardFacts("intake-1", "air intake", (1,), (("super_cool", 1), ("salvage", 4), ("adjust", -1))),
    CardFacts("intake-2", "air intake", (0,), (("super_cool", 1), ("slipstream", 1), ("reduce_stress", 1))),
    CardFacts("intake-3", "air intake", (1,), (("super_cool", 1), ("cooldown", 1), ("scrap", 1))),
    CardFacts("intake-4", "air intake", (3,), (("super_cool", 1), ("scrap", 3))),
    CardFacts("intake-5", "air intake", (4,), (("super_cool", 1), ("scrap", 4))),
    CardFacts(
        "intake-6", "air intake", (0,), (("flip", 1), ("super_cool", 1), ("refresh", 1), ("adjust", -1))
    ),
    CardFacts("front-wing-1", "front wing", (0,), (("flip", 1), ("draft", 3))),
    CardFacts("front-wing-2", "front wing", (0,), (("draft", 1), ("direct", 1), ("refresh", 1))),
    CardFacts("front-wing-3", "front wing", (2,), (("draft", 2), ("salvage", 2), ("scrap", 5))),
    CardFacts("front-wing-4", "front wing", (3,), (("draft", 1), ("adjust", 1), ("scrap", 3))),
    CardFacts("front-wing-5", "front wing", (4,), (("draft", 1), ("refresh", 1), ("scrap", 4))),
    CardFacts("front-wing-6", "front wing", (6,), (("draft", 2), ("heat", 1))),
)
