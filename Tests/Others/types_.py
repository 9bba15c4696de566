# SPDX-License-Identifier: Apache-2.0
"""Type checkers read a small app of each client, strictly; then the app runs against a real service."""
import os, shutil, subprocess, sys, tempfile

from scene import expect, here, root, serving

# Both apps print the same.
SAID = ["4 recorded, 4 waiting", "delivered", "{xp} XP, level 1, 1 day", "2026-04-05: 2 reviews", "live: {live} events",
        "line.spoken: data.accuracy", "404 unknown-learner", "conflict", "closed", "closed"]


def run(*words, **how):
    return subprocess.run(words, capture_output=True, text=True, timeout=80, **how)


def expect_said(what, done, live):
    """The XP stands between the bars, and depends on the rules."""
    expect(done.returncode == 0, f"{what} runs: {done.stdout}{done.stderr}")
    lines = done.stdout.splitlines()
    xp = lines[2].split()[0] if len(lines) > 2 else "0"
    expect(xp.isdecimal() and int(xp) > 0, f"{what} earns XP: {xp}")
    wanted = [line.format(xp=xp, live=live) for line in SAID]
    expect(lines == wanted, f"{what} says {wanted}, not {lines}")


def check_python():
    with tempfile.TemporaryDirectory() as folder:
        client = f"{root}/Clients/Python"
        environment = os.environ | {"MYPYPATH": client, "PYTHONPATH": client, "PYTHONDONTWRITEBYTECODE": "1"}
        words = ["--strict", "--cache-dir", f"{folder}/cache", f"{here}/app.py"]
        done = run(sys.executable, "-m", "mypy", *words, cwd=folder, env=environment)
        expect(done.returncode == 0, f"python-types: mypy reads app.py: {done.stdout}{done.stderr}")
        with serving() as service:
            done = run(sys.executable, f"{here}/app.py", f"{folder}/outbox.db", service.address, service.key, env=environment)
        # The session's start names no language.
        expect_said("python-types: app.py", done, 2)
    return "mypy --strict, and the app runs"


def check_typescript():
    """The app lies beside a copy of laurel.js, as an app's would that has it in its own folder."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("laurel.js", "laurel.d.ts", "package.json"):
            shutil.copy(f"{root}/Clients/JavaScript/{name}", folder)
        shutil.copy(f"{here}/app.ts", folder)
        words = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2020", "--module", "es2020", "--moduleResolution", "node"]
        done = run("tsc", *words, "--lib", "es2020,dom,dom.iterable", "app.ts", cwd=folder)
        expect(done.returncode == 0, f"typescript-types: tsc reads app.ts: {done.stdout}{done.stderr}")
        with open(f"{folder}/main.js", "w") as file:
            file.write("import { main } from './app.js';\nawait main(...process.argv.slice(2), (line) => console.log(line));\n")
        with serving() as service:
            done = run("node", "main.js", f"{folder}/outbox", service.address, service.key, cwd=folder)
        expect_said("typescript-types: app.ts", done, 3)
    return "tsc --strict, and the app runs"
