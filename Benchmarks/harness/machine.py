# SPDX-License-Identifier: Apache-2.0
"""The machine on which the figures were measured."""

import os
import pathlib
import platform
import subprocess
from importlib import metadata

from . import tools


def facts():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_bytes": memory,
        "kernel": platform.release(),
        "file_system": first_line(["findmnt", "-no", "FSTYPE,SOURCE", "-T", str(tools.CACHE)]),
        "load_before": os.getloadavg()[0],
        "versions": versions(),
    }


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def versions():
    return {
        "laurel": first_line([str(tools.LAUREL), "--version"]),
        "commit": first_line(["git", "-C", str(tools.PROJECT), "describe", "--always", "--dirty"]),
        "swift": first_line(["swift", "--version"]),
        "zstd": first_line(["zstd", "--version"]),
        "python": platform.python_version(),
        "duckdb": metadata.version("duckdb"),
        "eventsourcing": metadata.version("eventsourcing"),
    }


def first_line(command):
    try:
        output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return "unknown"
    return " ".join(output.split("\n")[0].split())
