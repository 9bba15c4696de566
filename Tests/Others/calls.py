# SPDX-License-Identifier: Apache-2.0
"""Compares the values of a generated client with the document and with the bytes of answers."""
import contextlib, json
from datetime import datetime


def fits(value, schema):
    """True if a parsed value has the type that the document declares."""
    if "$ref" in schema:
        return type(value).__name__.lower() == schema["$ref"].split("/")[-1].lower()
    if "anyOf" in schema or "oneOf" in schema:
        return any(fits(value, one) for one in schema.get("anyOf") or schema["oneOf"])
    if schema.get("type") == "array":
        return isinstance(value, list) and all(fits(one, schema["items"]) for one in value)
    if schema.get("type") == "object":
        return hasattr(value, "to_dict")
    if schema.get("type") == "string":
        return isinstance(value, (str, bytes)) or hasattr(value, "payload")
    return value is not None


def plain(value):
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def equal(one, other):
    """Compares JSON: an instant may be spelled in another way, and a whole number with a point."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, str) and isinstance(other, str) and one != other:
        with contextlib.suppress(ValueError):
            return datetime.fromisoformat(one) == datetime.fromisoformat(other)
    return one == other


def same(answer):
    """True if a client has read the whole answer."""
    if answer.headers.get("content-type", "").split(";")[0] != "application/json":
        return True
    return equal(plain(answer.parsed), json.loads(answer.content))
