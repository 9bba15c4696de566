# SPDX-License-Identifier: Apache-2.0
"""Expressions (rules-language.md#expressions). Each is parsed to a function of a name look-up, which also keeps the parsed form.

A value is None (null), a float, a bool or a str. Rules are assumed to be valid, so types are not checked: a value of the
wrong type fails an assertion.
"""
from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any, Callable, Union

from instants import Invalid, parse_date

Value = Union[None, bool, float, str]
Lookup = Callable[[str], Value]


@dataclass(frozen=True)
class Expr:
    """A function of a name look-up. Two are equal if they have the same parsed form, however they were written."""

    form: tuple[Any, ...]
    run: Callable[[Lookup], Value] = field(compare=False)

    def __call__(self, look: Lookup) -> Value:
        return self.run(look)


_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)"
    r"|(?P<text>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|(?P<sign>&&|\|\||[=!<>]=|[-+*/%<>!?:(),\[\]]))"
)
_CONSTANTS: dict[str, Value] = {"true": True, "false": False, "null": None}


class BadExpression(Exception):
    """The text is not an expression."""


def parse(text: str) -> Expr:
    """The function of an expression's text."""
    return _Parser(tokens(text)).whole()


def tokens(text: str) -> list[tuple[str, str]]:
    """Kind (number, name, text, sign) and text of each token."""
    result, position, text = [], 0, text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            raise BadExpression(f"column {position + 1} of {text!r}")
        assert match.lastgroup is not None
        result.append((match.lastgroup, match.group(match.lastgroup)))
        position = match.end()
    return result


def _unquote(token: str) -> str:
    """The text of a literal. JSON's escapes, and the escaped quote of a text in single quotes."""
    if token[0] == '"':
        return str(json.loads(token))
    parts = re.findall(r"\\.|[^\\]", token[1:-1], re.DOTALL)
    body = "".join("'" if part == "\\'" else '\\"' if part == '"' else part for part in parts)
    return str(json.loads(f'"{body}"'))


def holds(expr: Expr | None, look: Lookup) -> bool:
    """True if a condition is true. A missing condition always holds."""
    return expr is None or expr(look) is True


def number(expr: Expr, look: Lookup) -> float | None:
    """The value of a numeric expression."""
    value = expr(look)
    assert value is None or _is_number(value), value
    return value  # type: ignore[return-value]


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# --- operators and functions ---------------------------------------------------------------------------------------

def _finite(result: float) -> float | None:
    return float(result) if math.isfinite(result) else None


def _divide(a: float, b: float) -> float | None:
    return None if b == 0 else _finite(a / b)


def _remainder(a: float, b: float) -> float | None:
    return None if b == 0 else math.fmod(a, b)  # fmod keeps the dividend's sign


def _round(x: float) -> float:
    """Rounds half away from zero. `x - whole` is exact in doubles, `x + 0.5` would not be."""
    whole = float(math.trunc(x))
    return whole + math.copysign(1.0, x) if abs(x - whole) >= 0.5 else whole


def _key(value: Value) -> Any:
    return value.encode("utf-8") if isinstance(value, str) else value


def _same(a: Value, b: Value) -> bool:
    return isinstance(a, bool) == isinstance(b, bool) and a == b


_OPERATORS: dict[str, Callable[..., Value]] = {
    "+": lambda a, b: _finite(a + b),
    "-": lambda a, b: _finite(a - b),
    "*": lambda a, b: _finite(a * b),
    "/": _divide,
    "%": _remainder,
    "==": _same,
    "!=": lambda a, b: not _same(a, b),
    "<": lambda a, b: _key(a) < _key(b),
    "<=": lambda a, b: _key(a) <= _key(b),
    ">": lambda a, b: _key(a) > _key(b),
    ">=": lambda a, b: _key(a) >= _key(b),
}
_ARITHMETIC = set("+-*/%")
_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "round": _round,
    "abs": abs,
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
}


def _apply(symbol: str, left: Expr, right: Expr) -> Expr:
    """A binary operator; null if either side is null."""
    operate = _OPERATORS[symbol]

    def run(look: Lookup) -> Value:
        a, b = left(look), right(look)
        if a is None or b is None:
            return None
        if symbol in _ARITHMETIC:
            assert _is_number(a) and _is_number(b), (a, symbol, b)
        return operate(a, b)
    return Expr((symbol, left.form, right.form), run)


def _is_null(name: str, expr: Expr, wanted: bool) -> Expr:
    return Expr((name, expr.form), lambda look: (expr(look) is None) == wanted)


def _decides(left: Expr, right: Expr, decisive: bool) -> Expr:
    """`&&` (false decides) and `||` (true decides). The deciding value wins even against null."""
    def run(look: Lookup) -> Value:
        sides = (left(look), right(look))
        if decisive in [side for side in sides if side is not None]:
            return decisive
        return None if None in sides else not decisive
    return Expr(("||" if decisive else "&&", left.form, right.form), run)


def _day(written: Value) -> Value:
    """The number of days since 1970-01-01 of a date `YYYY-MM-DD`; null for any other text."""
    if written is None:
        return None
    assert isinstance(written, str), written
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", written):
        return None
    try:
        return float(parse_date(written))
    except Invalid:
        return None


def _call(name: str, arguments: list[Expr]) -> Expr:
    form = (name, *(argument.form for argument in arguments))
    if name == "day":
        return Expr(form, lambda look: _day(arguments[0](look)))
    if name == "has":
        return _is_null("has", arguments[0], False)
    if name == "default":
        value, other = arguments
        return Expr(form, lambda look: other(look) if value(look) is None else value(look))
    operate = _FUNCTIONS[name]

    def run(look: Lookup) -> Value:
        values = [argument(look) for argument in arguments]
        if None in values:
            return None
        assert all(_is_number(value) for value in values), values
        return operate(*values)
    return Expr(form, run)


# --- grammar -------------------------------------------------------------------------------------------------------

class _Parser:
    """A parser by recursive descent, with a method per level of precedence, the loosest first."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.position = 0

    def whole(self) -> Expr:
        result = self.choice()
        if self.position != len(self.tokens):
            raise BadExpression(f"unexpected {self.peek()!r}")
        return result

    def peek(self) -> str | None:
        """The next sign or name; None at the end and before literals."""
        if self.position >= len(self.tokens):
            return None
        kind, token = self.tokens[self.position]
        return token if kind in ("sign", "name") else None

    def take(self, *wanted: str) -> str | None:
        token = self.peek()
        if token is None or token not in wanted:
            return None
        self.position += 1
        return token

    def need(self, wanted: str) -> None:
        if self.take(wanted) is None:
            raise BadExpression(f"{wanted!r} is missing")

    def choice(self) -> Expr:
        condition = self.either()
        if not self.take("?"):
            return condition
        yes = self.choice()
        self.need(":")
        no = self.choice()
        form = ("?", condition.form, yes.form, no.form)
        return Expr(form, lambda look: yes(look) if condition(look) is True else no(look))

    def either(self) -> Expr:
        result = self.both()
        while self.take("||"):
            result = _decides(result, self.both(), True)
        return result

    def both(self) -> Expr:
        result = self.comparison()
        while self.take("&&"):
            result = _decides(result, self.comparison(), False)
        return result

    def comparison(self) -> Expr:
        literal, result = self.is_null_literal(), self.sum()
        while symbol := self.take("==", "!=", "<", "<=", ">", ">=", "in"):
            if symbol == "in":
                result = self.member(result)
            else:
                result = self.compare(symbol, result, literal)
            literal = False
        return result

    def compare(self, symbol: str, left: Expr, left_is_null: bool) -> Expr:
        right_is_null, right = self.is_null_literal(), self.sum()
        if symbol in ("==", "!=") and (left_is_null or right_is_null):
            return _is_null(symbol + " null", right if left_is_null else left, symbol == "==")
        return _apply(symbol, left, right)

    def is_null_literal(self) -> bool:
        """True if the next token is the literal `null`."""
        return self.peek() == "null"

    def member(self, item: Expr) -> Expr:
        self.need("[")
        values: list[Value] = []
        while not self.take("]"):
            values.append(self.unary()(lambda name: None))
            self.take(",")

        def run(look: Lookup) -> Value:
            value = item(look)
            return None if value is None else any(_same(value, other) for other in values)
        return Expr(("in", item.form, *(_constant(value).form for value in values)), run)

    def sum(self) -> Expr:
        result = self.product()
        while symbol := self.take("+", "-"):
            result = _apply(symbol, result, self.product())
        return result

    def product(self) -> Expr:
        result = self.unary()
        while symbol := self.take("*", "/", "%"):
            result = _apply(symbol, result, self.unary())
        return result

    def unary(self) -> Expr:
        symbol = self.take("!", "-")
        if symbol is None:
            return self.primary()
        inner = self.unary()
        return _not(inner) if symbol == "!" else _negative(inner)

    def primary(self) -> Expr:
        if self.position >= len(self.tokens):
            raise BadExpression("ends too early")
        if self.take("("):
            inner = self.choice()
            self.need(")")
            return inner
        kind, token = self.tokens[self.position]
        self.position += 1
        if kind == "number":
            return _constant(float(token))
        if kind == "text":
            return _constant(_unquote(token))
        if kind != "name":
            raise BadExpression(f"unexpected {token!r}")
        return self.named(token)

    def named(self, name: str) -> Expr:
        if name in _CONSTANTS:
            return _constant(_CONSTANTS[name])
        if self.take("("):
            return _call(name, self.arguments())
        return Expr(("name", name), lambda look: look(name))

    def arguments(self) -> list[Expr]:
        result = [self.choice()]
        while self.take(","):
            result.append(self.choice())
        self.need(")")
        return result


def _constant(value: Value) -> Expr:
    return Expr(("constant", type(value).__name__, value), lambda look: value)


def _not(inner: Expr) -> Expr:
    def run(look: Lookup) -> Value:
        value = inner(look)
        return None if value is None else not value
    return Expr(("!", inner.form), run)


def _negative(inner: Expr) -> Expr:
    def run(look: Lookup) -> Value:
        value = inner(look)
        assert value is None or _is_number(value), value
        return None if value is None else -value  # type: ignore[operator]
    return Expr(("negative", inner.form), run)
