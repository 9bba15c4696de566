# SPDX-License-Identifier: Apache-2.0
"""Finds the public calls that the outside package does not make."""
import glob, re, shutil, subprocess

from Harness import root
from Harness.symbols import CALLED, declaration, import_options, kind, path
from Outside.values import Values

here = f"{root}/Tests/Outside"
# The same as in Package.swift.
STRICT = ["-swift-version", "6", "-warnings-as-errors", "-enable-upcoming-feature", "ExistentialAny",
          "-enable-upcoming-feature", "MemberImportVisibility"]


def write_sources(folder, symbols):
    """Copies the package's sources into a folder, and generates the others beside them."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(f"{here}/Sources/Outside", folder)
    Values(list(symbols.values())).write(folder)


def exceptions():
    """Patterns of calls that the package need not make, each after its reason."""
    lines = open(f"{here}/exceptions.txt", encoding="utf-8").read().splitlines()
    return [line.strip() for line in lines if line.startswith(" ")]


def complaints(folder, symbols):
    """The errors of compiling the sources in a folder against .build/debug, else the public symbols that they do not use."""
    done = subprocess.run(["swiftc", "-dump-ast", "-dump-ast-format", "json", "-module-name", "Outside", *STRICT,
                           *import_options(f"{root}/.build/debug"), *sorted(glob.glob(f"{folder}/*.swift"))],
                          capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if re.match(r"/.*: error: ", line)]
        return ["Tests/Outside does not compile:", *(errors or [done.stderr[:5000]])]
    used = set(re.findall(r'"decl_usr":"([^"]+)"', done.stdout + done.stderr))
    patterns = exceptions()
    return [f"Tests/Outside does not use {path(symbol)}: {declaration(symbol)}" for identifier, symbol in symbols.items()
            if kind(symbol) in CALLED and identifier not in used
            and not any(path(symbol) == pattern or path(symbol).endswith(f".{pattern}") for pattern in patterns)]
