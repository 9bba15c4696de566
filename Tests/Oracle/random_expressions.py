# SPDX-License-Identifier: Apache-2.0
"""Random expressions that are valid (well-typed, only names in scope), for random rules."""
from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from catalogue import CATALOGUE, WORD_TYPES
from expressions import tokens

DECLARED: dict[str, dict[str, str]] = {
    "quest.finished": {"difficulty": "number", "kind": "text", "solo": "boolean"},
    "game.played": {"score": "number", "won": "boolean", "opponent": "text"},
    "goal_set": {"goal": "number"},
    "plot-twist.seen": {"kind": "text", "errors": "number"},
}
# Fields that the rules add to types of the catalogue.
EXTENDED: dict[str, dict[str, str]] = {
    "session.ended": {"scanned": "number", "place": "text"},
    "word.added": {"pinned": "boolean", "key": "text"},
    "line.spoken": {"score": "number"},
    "learner.updated": {"plan": "text", "target": "number"},
}
UNDECLARED = ["app.opened", "ui.theme-changed", "session.paused"]
TEXT_VALUES: dict[str, list[str]] = {
    "mode": ["solo", "host", "client", "practice"], "grade": ["again", "hard", "good", "easy"],
    "kind": ["verb", "article", "side"], "partner": ["bo", "Bo", "zoë", "zoe\u0308"], "category": ["travel", "no"],
    "scenario": ["cafe", "airport"], "type": ["line.spoken", "review.graded"], "session": ["s1", "s2"],
    "exp0": ["a", "b"], "name": ["spring", "no"],
    "language": ["es", "pt-BR"], "date": ["2011-12-29", "2024-03-01", "2024-09-06", "2025-02-20", "2025-10-01"],
}
WINDOWS = ["total", "session", "day", "week"]
NUMBERS = ["0", "1", "2", "3", "5", "10", "0.5", "1.5", "0.1", "100", "1e2", "7"]


@dataclass
class Scope:
    """The names an expression may use, by type."""

    numbers: list[str] = field(default_factory=list)
    booleans: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def __add__(self, other: "Scope") -> "Scope":
        return Scope(self.numbers + other.numbers, self.booleans + other.booleans, self.texts + other.texts)


def known_fields(event_type: str) -> dict[str, str]:
    """The types of the fields that expressions may read, by name."""
    if event_type in CATALOGUE:
        own = {name: item.kind for name, item in CATALOGUE[event_type].items()}
        return own | EXTENDED.get(event_type, {})
    return DECLARED.get(event_type, {})


def event_scope(types: list[str] | None) -> Scope:
    """`event.*`, `local.*` and `word.*` for events of some types, or of any."""
    chosen = list(CATALOGUE) + list(DECLARED) if types is None else types
    clock = ["local.hour", "local.minute", "local.weekday"]
    attributes = ["event.type", "event.session", "event.language", "local.date"]
    scope = Scope(clock, [], attributes)
    lists = {"number": scope.numbers, "boolean": scope.booleans, "text": scope.texts}
    for event_type in chosen:
        for name, kind in known_fields(event_type).items():
            if kind in lists and f"event.{name}" not in lists[kind] and name not in ("type", "session", "language"):
                lists[kind].append(f"event.{name}")
    if any(event_type in WORD_TYPES for event_type in chosen):
        scope.numbers += ["word.mastery", "word.mastery_before", "word.reviews", "word.interval_days"]
        scope.booleans += ["word.is_new", "word.learned_now"]
        scope.texts += ["word.category", "word.text", "word.part_of_speech"]
    return scope


def window_scope(metrics: list[str], xp: bool, windows: list[str] = WINDOWS) -> Scope:
    names = metrics + ["xp"] if xp else metrics
    return Scope([f"{window}.{name}" for window in windows for name in names])


WORDS = Scope(["words.known", "words.learned", "words.mastered"])
STATE = Scope(["streak.current", "streak.longest", "level"]) + WORDS


def numeric(rng: Random, scope: Scope, depth: int) -> str:
    """An expression whose value is a number or null."""
    if depth <= 0:
        return rng.choice(scope.numbers) if scope.numbers and rng.random() < 0.7 else rng.choice(NUMBERS)
    a, b = numeric(rng, scope, depth - 1), numeric(rng, scope, rng.randint(0, depth - 1))
    form = rng.randrange(12)
    if form < 5:
        return _maybe_grouped(rng, f"{a} {rng.choice('++-**/%')} {b}")
    if form == 5:
        return f"{rng.choice(['floor', 'ceil', 'round', 'abs'])}({a})"
    if form == 6:
        return f"{rng.choice(['min', 'max'])}({', '.join([a, b][:rng.randint(1, 2)])})"
    if form == 7:
        return f"({boolean(rng, scope, depth - 1)} ? {a} : {b})"
    if form == 8:
        return f"-({a})"
    return f"default({a}, {b})"


def _maybe_grouped(rng: Random, text: str) -> str:
    return f"({text})" if rng.random() < 0.4 else text


def boolean(rng: Random, scope: Scope, depth: int) -> str:
    """An expression whose value is a boolean or null."""
    form = rng.randrange(10)
    if depth > 0 and form < 4:
        a, b = boolean(rng, scope, depth - 1), boolean(rng, scope, depth - 1)
        return [f"{a} && {b}", f"{a} || {b}", f"!({a})", f"({a}) == ({b})"][form]
    if form < 6 and scope.booleans:
        name = rng.choice(scope.booleans)
        return rng.choice([name, f"!{name}", f"default({name}, true)", f"{name} == false"])
    if form < 8 and scope.texts:
        return _about_text(rng, rng.choice(scope.texts))
    if form == 8:
        return _about_presence(rng, scope)
    symbol = rng.choice(["<", "<=", ">", ">=", "==", "!="])
    return f"{numeric(rng, scope, depth - 1)} {symbol} {numeric(rng, scope, 0)}"


def _about_text(rng: Random, name: str) -> str:
    values = TEXT_VALUES.get(name.split(".")[-1], ["hola", "a b", "é"])
    first, second = rng.choice(values), rng.choice(values)
    return rng.choice([
        f'{name} == "{first}"', f"{name} != '{first}'", f'{name} in ["{first}", \'{second}\']', f'{name} >= "{first}"',
    ])


def _about_presence(rng: Random, scope: Scope) -> str:
    name = rng.choice(scope.numbers + scope.texts + scope.booleans)
    return rng.choice([f"has({name})", f"{name} == null", f"{name} != null"])


def respelled(rng: Random, text: str) -> str:
    """Another spelling of the same expression: other spaces, quotes and numbers, and parentheses around it."""
    parts = []
    for kind, token in tokens(text):
        if kind == "number" and token.isdigit() and rng.random() < 0.5:
            token = rng.choice([token + ".0", token + "e0"])
        elif kind == "text" and not set(token[1:-1]) & set("\\\"'") and rng.random() < 0.5:
            quote = rng.choice("\"'")
            token = quote + token[1:-1] + quote
        parts.append(token)
    spaced = " ".join(parts) if rng.random() < 0.5 else text
    return f"({spaced})" if rng.random() < 0.3 else spaced


def any_key(rng: Random, scope: Scope) -> str:
    """An expression for grouping or for distinct values: mostly text, sometimes a number or a boolean."""
    if scope.texts and rng.random() < 0.75:
        name = rng.choice(scope.texts)
        return rng.choice([name, name, f'default({name}, "none")'])
    return numeric(rng, scope, 0) if rng.random() < 0.7 else boolean(rng, scope, 0)
