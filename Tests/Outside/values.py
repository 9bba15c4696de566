# SPDX-License-Identifier: Apache-2.0
"""Swift that makes every public value of the interface that can be made, and reads every property. Values that only the engine makes,
Tests/Outside/Sources uses itself."""
import re

from Harness.symbols import declaration, kind, path

plain = {
    "Int": "1", "Int16": "1", "Int32": "1", "Int64": "1", "UInt32": "1", "UInt64": "1", "Double": "0.5", "Bool": "true",
    "String": '"1"', "Date": "Date(timeIntervalSince1970: 0)", "Data": "Data()", "Duration": ".seconds(1)",
    "URL": 'URL(fileURLWithPath: "/tmp")', "TimeZone": "TimeZone.gmt", "[UInt8]": "[49]",
    "Timestamp": "Timestamp(milliseconds: 0)", "LocalDay": "LocalDay(year: 2026, month: 2, day: 5)", "JSONValue": "JSONValue.null", "CalendarDay": "Simulation.Options.defaultStart",
    "NumbersByName": '["a": 1]', "TextsByName": '["a": "b"]', "InstantsByName": "[:]",
}
imports = ["Foundation", "Laurel", "LaurelClient", "LaurelReports", "LaurelSimulation"]
usual = ("init(from:)", "init(rawValue:)")


def split(text, separator=","):
    """Splits at separators outside brackets and texts."""
    parts, depth, within = [""], 0, False
    for place, character in enumerate(text):
        if character == '"':
            within = not within
        if not within:
            depth += character in "([{<"
            depth -= character in ")]}" or (character == ">" and text[place - 1] != "-")
            if character == separator and not depth:
                parts.append("")
                continue
        parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def parameters(text):
    """Label and type of each, of `init(a b: T = x)` or `case name(a: T)`."""
    inside = text[text.index("(") + 1:]
    depth = 1
    for place, character in enumerate(inside):
        depth += character == "("
        depth -= character == ")"
        if not depth:
            break
    for part in split(inside[:place]):
        name, *rest = split(part, ":")
        yield (name.split()[0], split(":".join(rest), "=")[0]) if rest else ("_", name)


class Values:
    def __init__(self, symbols):
        self.symbols = symbols
        self.types, self.members = {}, {}
        for symbol in symbols:
            if kind(symbol) in ("struct", "enum"):
                self.types[path(symbol)] = kind(symbol)
            self.members.setdefault(".".join(symbol["pathComponents"][:-1]), []).append((kind(symbol), symbol))

    def call(self, name, symbol):
        arguments = []
        for label, kind in parameters(declaration(symbol)):
            sample = self.sample(kind)
            if sample is None:
                return None
            arguments.append(sample if label == "_" else f"{label}: {sample}")
        return f"{name}({', '.join(arguments)})"

    def sample(self, kind):
        kind = kind.removeprefix("any ")
        if kind in plain:
            return plain[kind]
        if kind.endswith("?"):
            return self.sample(kind[:-1])
        if kind.startswith("["):
            parts = split(kind[1:-1], ":")
            inner = [self.sample(part) for part in parts]
            return None if None in inner else f"[{': '.join(inner)}]"
        if range := re.fullmatch(r"(ClosedRange|Range)<(\w+)>", kind):
            return {"ClosedRange": "0...1", "Range": "0..<1"}[range[1]]
        if set := re.fullmatch(r"Set<(.+)>", kind):
            return self.sample(f"[{set[1]}]")
        if self.types.get(kind) == "enum":
            for what, symbol in self.members.get(kind, []):
                if what == "enum.case":
                    return self.case(kind, symbol)
        if self.types.get(kind) == "struct":
            return f"{kind}.exemplar" if self.made(kind) else None
        return None

    def case(self, name, symbol):
        text = declaration(symbol)
        short = f"{name}.{symbol['pathComponents'][-1].split('(')[0]}"
        return self.call(short, symbol) if "(" in text else short

    def initialisers(self, name):
        for kind, symbol in self.members.get(name, []):
            text = declaration(symbol)
            if kind == "init" and symbol["pathComponents"][-1] not in usual and "Literal" not in text and "<" not in text.split("(")[0]:
                yield text, symbol

    def initialiser(self, name):
        """The initializer with the fewest parameters that neither fails nor throws."""
        found = [(text.count(":"), symbol) for text, symbol in self.initialisers(name)
                 if not text.startswith("init?") and " throws" not in text and "->" not in text and "some " not in text]
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def made(self, name):
        """The code that makes a struct; None if only the engine makes it."""
        first = self.initialiser(name)
        return self.call(name, first) if first else None

    def lines(self, name):
        made = self.made(name) if self.types[name] == "struct" else None
        for text, symbol in self.initialisers(name):
            if call := self.call(name, symbol):
                yield f"use({'try? ' if ' throws' in text else ''}{call})"
        for kind, symbol in self.members.get(name, []):
            short = symbol["pathComponents"][-1]
            if kind == "enum.case" and (sample := self.case(name, symbol)):
                yield f"use({sample})"
            elif kind == "type.property":
                yield f"use({name}.{short})"
            elif kind == "property" and (sample := made and f"{name}.exemplar" or self.sample(name)):
                yield f"use({sample}.{short})"

    def write(self, folder):
        names = sorted(self.types)
        with open(f"{folder}/Samples.swift", "w", encoding="utf-8") as file:
            file.writelines(f"import {module}\n" for module in imports)
            for name in names:
                if self.types[name] == "struct" and (call := self.made(name)):
                    file.write(f"\nextension {name} {{\n    static var exemplar: {name} {{ {call} }}\n}}\n")
        blocks = [(name, list(self.lines(name))) for name in names]
        with open(f"{folder}/Values.swift", "w", encoding="utf-8") as file:
            file.writelines(f"import {module}\n" for module in imports)
            file.write("\nfunc useValues() {\n")
            file.writelines(f"    use{name.replace('.', '')}()\n" for name, lines in blocks if lines)
            file.write("}\n")
            for name, lines in blocks:
                if lines:
                    file.write(f"\nprivate func use{name.replace('.', '')}() {{\n")
                    file.writelines(f"    {line}\n" for line in lines)
                    file.write("}\n")
