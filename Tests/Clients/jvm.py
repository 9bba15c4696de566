# SPDX-License-Identifier: Apache-2.0
"""The checks of what the Kotlin client alone has: its journal, a caller in Java, and the repositories of BabLanguageSDK."""
import json, tempfile

import kotlin
from Harness import expect, root
from machine import Service, run

# The repositories' answers. The words are those that the learner has left: reviewed four times, imported and reviewed twice, translated.
answers = {
    "all": ["arena", "sol", "árbol"], "due": ["árbol", "arena"], "found": ["arena", "árbol"], "stats": [3, 3, 0, 3],
    "left": [["arena", "sand", 0, 0, "NOUN", "¡arena!"], ["sol", "a sol", 4, 3, "NOUN", "¡sol!"], ["tren", "a tren", 11, 7, "NOUN", "¡tren!"]],
    "other": [], "unknown": None, "problems": 0, "small": True, "progress": ["ana/1", "es", 1, 1, 1, 5, 1, "A1"],
    "sessions": [["HOST", "café", 1, 3, 1, True, True]], "achievements": [["SOCIAL", True, 1]],
    "offline": [2, 1, 1, 2, 1], "offlineProgress": [None, [], []], "told": True,
}
said = ["live 4", "session.ended: data.durationMs is -1; it must be a whole number, 0 or more", "422 unknown-item", "4 events, 0 waiting, 0 refused"]


def journals(random):
    """The file journal survives damage, the outbox keeps its limits, and invalid events are refused with a reason."""
    with tempfile.TemporaryDirectory() as folder:
        seed = random.randrange(1 << 31)
        done = run(*kotlin.command("journals"), folder, str(seed))
        expect(done.returncode == 0 and not done.stdout, f"seed {seed}: {done.stdout}{done.stderr}")


def repositories(_):
    """BabLanguageSDK's repositories answer from a service, and without one."""
    with tempfile.TemporaryDirectory() as folder:
        service = Service(folder, rules=f"{root}/Rules/bab-language.yaml")
        done = run(*kotlin.command("repositories"), f"{folder}/outbox", service.address, "http://127.0.0.1:9")
        expect(done.returncode == 0, f"the repositories: {done.stderr}")
        found = json.loads(done.stdout or "{}")
        differences = {key: found.get(key) for key, value in answers.items() if found.get(key) != value}
        expect(not differences, f"the repositories: not {differences}")
        grades = [event["data"]["grade"] for event in service.stored() if event["type"] == "review.graded"]
        expect(grades == ["good", "hard", "easy", "again", "hard", "good"], f"the grades of the reviews: {grades}")
        service.end()


def java(_):
    """A program in Java compiles without a warning, and uses the client."""
    with tempfile.TemporaryDirectory() as folder:
        path = kotlin.classpath()
        done = run("javac", "-Werror", "-Xlint:all,-classfile", "-cp", path, "-d", folder, *kotlin.files(kotlin.trials, "java"))
        expect(done.returncode == 0, f"Java compiles: {done.stdout}{done.stderr}")
        service = Service(folder)
        done = run("java", "-cp", f"{folder}:{path}", "School", f"{folder}/outbox", service.address)
        expect(done.stdout.splitlines() == said, f"Java says {done.stdout}{done.stderr}")
        service.end()
