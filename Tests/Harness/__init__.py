# SPDX-License-Identifier: Apache-2.0
"""The servers and browsers that tests start, and the failures that a test notes."""
import os, socket, subprocess, sys, time

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Absolute, because services run in folders of their own.
laurel = os.path.abspath(os.environ.get("LAUREL") or f"{root}/.build/debug/laurel")
failures = []


class Failure(Exception):
    """A failed check."""


def expect(holds, what):
    if not holds:
        failures.append(what)
        print(f"FAILED {what}", file=sys.stderr, flush=True)


def run(*words, **how):
    """Runs a command of `laurel`."""
    return subprocess.run([laurel, *words], capture_output=True, text=True, timeout=600, **how)


def until(seconds, holds):
    """Returns the first true result of `holds`, or the last result after a time."""
    end = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
