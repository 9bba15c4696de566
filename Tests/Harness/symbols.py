# SPDX-License-Identifier: Apache-2.0
"""The public interface from the compiler, for the modules that `swift build` has built."""
import glob, json, os, platform, re, shutil, subprocess

from Harness import root

# The products, and the modules that they re-export.
MODULES = ["Laurel", "LaurelResults", "LaurelWire", "LaurelReports", "LaurelSimulation", "LaurelClient"]
# Kinds of symbols that a program can call.
CALLED = {"method", "type.method", "func", "func.op", "init", "property", "type.property", "subscript", "enum.case"}


def import_options(build):
    """The options with which the compiler imports the modules in a build folder."""
    options = ["-I", f"{build}/Modules"]
    for path in [*sorted(glob.glob(f"{root}/Sources/*/module.modulemap")), *sorted(glob.glob(f"{build}/*.build/module.modulemap"))]:
        options += ["-I", os.path.dirname(path)]
    for library in re.findall(r'pkgConfig: "([^"]*)"', open(f"{root}/Package.swift", encoding="utf-8").read()):
        flags = subprocess.run(["pkg-config", "--cflags-only-I", library], capture_output=True, text=True, check=True).stdout.split()
        options += [word for flag in flags for word in ("-Xcc", flag)]
    return options


def extract(module, folder, *options):
    """Writes a module's symbol graphs into a folder: its own, and those of its extensions of other modules."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run(["swift-symbolgraph-extract", "-module-name", module, *import_options(f"{root}/.build/debug"),
                    "-target", f"{platform.machine()}-unknown-linux-gnu", "-minimum-access-level", "public",
                    "-skip-synthesized-members", "-output-dir", folder, *options], check=True)
    return read(folder)


def read(folder):
    return [json.load(open(path, encoding="utf-8")) for path in sorted(glob.glob(f"{folder}/*.json"))]


def kind(symbol):
    return symbol["kind"]["identifier"].removeprefix("swift.")


def path(symbol):
    return ".".join(symbol["pathComponents"])


def declaration(symbol):
    return " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())


def by_identifier(graphs):
    """The symbols of graphs, each once, by the compiler's identifier."""
    found = {}
    for graph in graphs:
        for symbol in graph["symbols"]:
            found.setdefault(symbol["identifier"]["precise"], symbol)
    return found
