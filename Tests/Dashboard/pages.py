# SPDX-License-Identifier: Apache-2.0
"""The pages of the dashboard, found by following links, and the faults that a reader would see on them."""
import html, os, re, sys, urllib.parse

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Browser"))
import inspect_pages

# The part of a path after one of these is an id, except for these names of pages.
collections = {"learners", "sessions", "notes", "jobs", "keys", "webhooks", "rules", "drafts", "quarantine"}
names = {"drafts", "rotate", "replay"}
# Tables of the dashboard may scroll sideways. The other findings of the reports' inspection are faults here, too.
faults = ["overflow", "torn", "cut", "overlaps", "faintText", "faintMarks", "alike", "controls"]


def kind(path):
    """The path without ids and query: one page of each kind is enough. Reports and forms are kinds of their own."""
    parts = urllib.parse.urlsplit(path).path.split("/")
    return "/".join("*" if before in collections and part not in names else part for before, part in zip([""] + parts, parts))


def links(text):
    """The pages of the service that a page links to."""
    for address in re.findall(r'<a [^>]*?href="(/[^"#]*)', text):
        path = html.unescape(address)
        if not path.startswith(("/v1/", "/assets/", "/metrics", "/openapi")) and "format=" not in path and path != "/":
            yield path


def read(service, path):
    status, body, _ = service.ask("GET", path, headers={"Accept": "text/html"}, connection=service.connection(timeout=120))
    return status, body.decode()


def every(service, learner=None):
    """One path of each kind of page by its kind, and every report with its usual subject.

    learner: whose pages are shown; None for the first learner that is linked."""
    found = {}
    at = learner and f"/learners/{urllib.parse.quote(learner, safe='')}"
    first = [at, f"{at}/why/achievement?achievement=first_steps", f"{at}/words", f"{at}/sessions", f"{at}/why/xp"] if at else []
    waiting = first + ["/sign-in", "/home", "/learners", "/nowhere"]
    while waiting:
        path = waiting.pop(0)
        if kind(path) in found:
            continue
        found[kind(path)] = path
        _, text = read(service, path)
        waiting += [link for link in links(text) if kind(link) not in found]
    for name, path in list(found.items()):
        if not name.startswith("/reports/"):
            continue
        _, form = read(service, path)
        shown = f"{name}?show=true&week=this"
        if 'name="cohort"' in form:
            found[f"{name}, shown"] = shown
        if 'name="learner"' in form and at:
            found[f"{name}, of a learner"] = shown + "&learner=" + urllib.parse.quote(learner, safe="")
    return found


def inspect(page):
    """The faults of the page that a browser shows, each as a sentence."""
    found = page.evaluate(inspect_pages.INSPECT)
    return [f"{fault}: {text}" for fault in faults for text in found[fault]]
