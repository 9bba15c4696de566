#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every report, for learners and classes of all sizes, at every width, in light, in dark and on paper.

usage: report_matrix.py LAUREL OUT [SUBJECT…]

Makes the stores and pages in the folder OUT, opens them in headless Chromium (inspect_pages.py), prints what overflows, is
cut off, overlaps or has too little contrast, and draws OUT/sheet-REPORT.png, where each report is to be seen in all its
states. Ends with 1 where something is wrong. A class of 20,000 takes minutes, and a release build.
"""

import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from Harness import chromium

chromium.enter("reports are", status=1)

import inspect_pages
from playwright.sync_api import sync_playwright

WEEK = "2026-W13"
AT = "2026-06-01T00:00:00Z"
# Learners and days of practice; the week is the last of the 84 days, or one in the middle of a short time.
CLASSES = {"0": (0, 0, WEEK), "1": (1, 90, WEEK), "40": (40, 90, WEEK), "400": (400, 60, "2026-W08"), "20000": (20000, 14, "2026-W02")}
SUBJECTS = ["empty", "typical", "heavy", *CLASSES]
# The findings that are errors. Long names may be cut on purpose.
FAULTS = ["overflow", "scrolled", "torn", "cut", "overlaps", "faintText", "faintMarks", "alike"]
ON_SHEET = [(360, "light"), (768, "dark"), (1280, "light"), (1920, "dark"), (695, "print")]


def event(number, kind, time, data):
    return json.dumps({"id": str(number), "source": "matrix", "subject": "ana", "type": kind, "time": time, "language": "es", "data": data})


class Matrix:
    def __init__(self, laurel, out):
        self.laurel, self.out = laurel, out
        self.reports = json.loads(self.run("report", "--list", "--json"))

    def run(self, *arguments, text=None):
        done = subprocess.run([self.laurel, *arguments], input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"laurel {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def store(self, name, lines):
        path = self.out / f"{name}.db"
        for old in self.out.glob(f"{name}.db*"):
            old.unlink()
        self.run("ingest", "--store", str(path), "--now", AT, text=lines)
        return path

    def simulated(self, learners, days):
        return self.run("simulate", "--learners", str(learners), "--days", str(days), "--seed", "4") if learners else ""

    def pages(self, name, store, week, learner=None):
        for report in self.reports:
            if ("learner" if learner else "cohort") not in report["about"]:
                continue
            options = ["report", report["name"], "--store", str(store), "--week", week, "--at", AT, "--format", "html"]
            target = self.out / f"{report['name']}-{name}.html"
            target.write_text(self.run(*options, *(["--learner", learner] if learner else [])))
            yield target

    def subject(self, name):
        """The pages of one subject."""
        if name == "empty":
            told = event(1, "learner.updated", "2026-03-23T10:00:00Z", {"displayName": "Ana"})
            return list(self.pages(name, self.store(name, told + "\n"), WEEK, "ana"))
        if name in ("typical", "heavy"):
            lines = self.simulated(40, 90)
            if name == "heavy":
                grand = {"id": "grand", "source": "matrix", "subject": "learner-0004", "type": "xp.adjusted", "language": "es"}
                lines += json.dumps({**grand, "time": "2026-03-25T10:00:00Z", "data": {"amount": 100_000}}) + "\n"
            return list(self.pages(name, self.store(name, lines), WEEK, "learner-0004"))
        learners, days, week = CLASSES[name]
        return list(self.pages(f"class-{name}", self.store(f"class-{name}", self.simulated(learners, days)), week))


def sheet(browser, out, report, names):
    """One picture of a report in all its states."""
    rows = "".join(
        f"<tr><th>{name}</th>" + "".join(
            f"<td><div><img src='shots/{report}-{name}-{width}-{scheme}.png'></div>{width} {scheme}</td>"
            for width, scheme in ON_SHEET) + "</tr>"
        for name in names)
    style = "body{font:14px sans-serif;margin:8px}td{vertical-align:top;padding:4px;color:#555}img{height:auto;display:block}" \
        "div{height:900px;overflow:hidden;border:1px solid #999}th{text-align:left;vertical-align:top}"
    widths = "".join(f"td:nth-child({place + 2}) img{{width:{180 + (width > 400) * 140 + (width > 800) * 140}px}}"
                     for place, (width, _) in enumerate(ON_SHEET))
    page = out / f"sheet-{report}.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><style>{style}{widths}</style><h1>{report}</h1><table>{rows}</table>")
    view = browser.new_page(viewport={"width": 2000, "height": 1000})
    view.goto(page.resolve().as_uri())
    height = min(view.evaluate("document.documentElement.scrollHeight"), 12_000)
    view.screenshot(path=out / f"sheet-{report}.png", full_page=True, clip={"x": 0, "y": 0, "width": 2000, "height": height})
    view.close()


def look(matrix, browser, subjects):
    """The number of pages, and of faults."""
    out, seen, faults = matrix.out, {}, 0
    for subject in subjects:
        for file in matrix.subject(subject):
            report = next(item["name"] for item in matrix.reports if file.stem.startswith(item["name"] + "-"))
            seen.setdefault(report, []).append(file.stem.removeprefix(report + "-"))
            page = inspect_pages.inspect(browser, str(file), inspect_pages.WHOLE, out / "shots")
            for view in page["views"]:
                for kind in FAULTS:
                    for found in view[kind]:
                        faults += 1
                        print(f"{file.stem}, {view['width']} {view['scheme']}: {kind}: {found}")
            for kind in ("requests", "messages"):
                for found in page[kind]:
                    faults += 1
                    print(f"{file.stem}: {kind}: {found}")
    for report, names in seen.items():
        sheet(browser, out, report, names)
        print(out / f"sheet-{report}.png")
    return sum(map(len, seen.values())), faults


def main():
    laurel, out = sys.argv[1], pathlib.Path(sys.argv[2])
    (out / "shots").mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        pages, faults = look(Matrix(laurel, out), browser, sys.argv[3:] or SUBJECTS)
        browser.close()
    print(f"{pages} pages, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
