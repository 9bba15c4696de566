# SPDX-License-Identifier: Apache-2.0
"""Debian's Chromium, driven by Playwright from .build/browser-tools (`make browser-tools`); no browser is downloaded."""
import os
import sys

from Harness import root

environment = f"{root}/.build/browser-tools"


def enter(what, status=0):
    """Continues in the environment with Playwright. Without it, prints that `what` is skipped, and ends with a status."""
    python = f"{environment}/bin/python"
    if not os.path.exists(python):
        print(f"Playwright is not there: {what} not tried in a browser", file=sys.stderr)
        raise SystemExit(status)
    if os.path.realpath(sys.prefix) != os.path.realpath(environment):
        os.execv(python, [python, *sys.argv])


def launch(playwright, **options):
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"], **options)
