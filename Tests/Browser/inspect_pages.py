#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages in headless Chromium and reports what a reader would see of them.

usage: inspect_pages.py, which reads the name of a file from each line of its input, and answers with a line of JSON. Where `few`
and a tab come first, the page is looked at in the narrowest view, a usual one and that of paper, and is not printed.

Per page: the requests it made beside itself, the console's messages, how much of each sheet of paper is used, and per
viewport and colour scheme what overflows or has to be scrolled sideways, which numbers are torn by the end of a line, which
labels of a chart are cut off or overlap, which texts and marks have too little contrast (WCAG 2.2, 1.4.3 and 1.4.11), and
which neighbouring marks hardly differ, and which controls have a wrong size. pdftoppm draws the paper.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from Harness import chromium

chromium.enter("reports are")

from playwright.sync_api import sync_playwright

# Paper is as wide as an A4 page between its margins.
PRINT = (695, "print")
VIEWPORTS = [(360, "light"), (390, "dark"), (768, "light"), (1280, "dark"), (1920, "light"), PRINT]
WHOLE = [(width, scheme) for width in (360, 768, 1280, 1920) for scheme in ("light", "dark")] + [PRINT]
FEW = [(360, "light"), (1280, "dark"), PRINT]
# Dots per inch, enough to find the positions of marks.
PAPER = 18

INSPECT = r"""
(() => {
  const parse = (text) => {
    const numbers = (text.match(/[\d.]+/g) || []).map(Number);
    return { r: numbers[0], g: numbers[1], b: numbers[2], a: numbers.length > 3 ? numbers[3] : 1 };
  };
  const channel = (value) => {
    value /= 255;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  };
  const luminance = (c) => 0.2126 * channel(c.r) + 0.7152 * channel(c.g) + 0.0722 * channel(c.b);
  const contrast = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const background = (element) => {
    for (let node = element; node; node = node.parentElement) {
      if (node instanceof SVGElement && node.tagName !== 'svg') continue;
      const colour = parse(getComputedStyle(node).backgroundColor);
      if (colour.a === 1) return colour;
    }
    return { r: 255, g: 255, b: 255, a: 1 };
  };
  const visible = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0;
  // What a mark is told apart by: a pattern, or a colour; a hollow one shows its outline.
  const isPattern = (mark) => getComputedStyle(mark).fill.startsWith('url(');
  const isHollow = (mark) => {
    const fill = getComputedStyle(mark).fill;
    return !isPattern(mark) && contrast(parse(fill), background(mark)) < 1.1;
  };
  const ink = (mark) => {
    const style = getComputedStyle(mark);
    if (!isPattern(mark)) return parse(isHollow(mark) ? style.stroke : style.fill);
    const parts = [...document.querySelector(style.fill.match(/#[^")]+/)[0]).children].map((part) => parse(getComputedStyle(part).fill));
    return parts.sort((a, b) => contrast(b, background(mark)) - contrast(a, background(mark)))[0];
  };
  const isAlike = (one, other) => {
    if (isPattern(one) || isPattern(other)) return getComputedStyle(one).fill === getComputedStyle(other).fill;
    return contrast(ink(one), ink(other)) < 3 && isHollow(one) === isHollow(other);
  };
  const marks = (root) => [...root.querySelectorAll('rect')].filter((mark) => /^(mark )?[sr]\d+$/.test(mark.getAttribute('class') || ''));
  const isPaper = matchMedia('print').matches;
  const result = { overflow: [], scrolled: [], torn: [], cut: [], overlaps: [], faintText: [], faintMarks: [], alike: [], controls: [] };
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) result.overflow.push('page: ' + document.documentElement.scrollWidth);
  for (const element of document.querySelectorAll('body *')) {
    if (!visible(element) || ['TITLE', 'STYLE'].includes(element.tagName.toUpperCase())) continue;
    // Texts for screen readers.
    if (element.closest('.skip, .hidden')) continue;
    // Nobody can scroll paper.
    const scrolls = !isPaper && element.closest('.scroll, .top ul, .code, .source');
    const card = element.closest('.exhibit');
    if (isPaper && card && element.getBoundingClientRect().right > card.getBoundingClientRect().right + 0.5) {
      result.overflow.push('cut off: ' + element.tagName + ' ' + element.textContent.slice(0, 40));
    }
    const box = element.getBoundingClientRect();
    if (!scrolls && (box.right > width + 0.5 || box.left < -0.5)) {
      result.overflow.push(element.tagName + '.' + element.getAttribute('class') + ' ' + element.textContent.slice(0, 40));
    }
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const style = getComputedStyle(element);
    if (hasText) {
      const isGraphic = element instanceof SVGElement;
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
      // Digits within an id are no number.
      const number = /(?<![\p{L}\p{Nd}_:\/-])\p{Nd}[\p{Nd}.,٬٫’\u00a0\u202f]*(?:\u00a0[^\s]+)*(?![\p{L}\p{Nd}_-])/gu;
      for (const node of element.childNodes) {
        for (const found of node.nodeType === 3 ? node.textContent.matchAll(number) : []) {
          const range = document.createRange();
          range.setStart(node, found.index);
          range.setEnd(node, found.index + found[0].length);
          const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top)));
          if (lines.size > 1) result.torn.push(found[0] + ' in ' + element.textContent.slice(0, 40));
        }
      }
      const clips = style.whiteSpace === 'nowrap' || ['hidden', 'clip'].includes(style.overflowX);
      if (element instanceof HTMLElement && clips && element.scrollWidth > element.clientWidth + 1 && !element.closest('table, .hidden')) {
        result.cut.push(element.textContent.slice(0, 40));
      }
      const ratio = contrast(parse(isGraphic ? style.fill : style.color), background(element));
      if (ratio < (isLarge ? 3 : 4.5)) result.faintText.push(ratio.toFixed(2) + ' ' + element.textContent.slice(0, 40));
    }
    if (/(^| )[sr]\d+( |$)/.test(element.getAttribute('class') || '') && !element.closest('defs')) {
      const ratio = contrast(ink(element), background(element.parentElement));
      if (ratio < 3) result.faintMarks.push(ratio.toFixed(2) + ' ' + element.getAttribute('class'));
    }
  }
  // A finger needs 24 pixels (WCAG 2.5.8). A label around a check box is part of it. A link within a text is not measured.
  const isTick = (control) => ['checkbox', 'radio'].includes(control.type);
  for (const control of document.querySelectorAll('button, .button, input:not([type=hidden]), select, textarea, summary, nav a')) {
    if (!visible(control) || control.closest('.skip')) continue;
    const [own, target] = [control, (isTick(control) && control.closest('label')) || control].map((node) => node.getBoundingClientRect());
    const name = (control.getAttribute('aria-label') || control.labels?.[0]?.textContent || control.textContent).trim().slice(0, 40);
    const size = `${Math.round(own.width)} by ${Math.round(own.height)}: ${control.tagName} ${name}`;
    if (target.width < 24 || target.height < 24) result.controls.push('too small, ' + size);
    if (isTick(control) && own.width > 32) result.controls.push('too wide, ' + size);
    if (control.matches('button, .button') && (own.width > 480 || own.height > 96)) result.controls.push('too large, ' + size);
    if (control.matches('input:not([type=checkbox], [type=radio]), select, textarea') && own.width < 64) result.controls.push('too narrow, ' + size);
  }
  for (const label of document.querySelectorAll('label, legend, button, .button, thead th')) {
    const text = label.textContent.trim();
    if (!visible(label) || text.length < 12) continue;
    const range = document.createRange();
    range.selectNodeContents(label);
    const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top))).size;
    if (lines > 4 && text.length / lines < 6) result.controls.push('broken into letters: ' + text.slice(0, 40));
  }
  for (const chart of document.querySelectorAll('svg:not(.patterns)')) {
    const boxes = [...chart.querySelectorAll('text')].filter(visible).map((text) => [text, text.getBoundingClientRect()]);
    boxes.forEach(([one, a], index) => {
      for (const [other, b] of boxes.slice(index + 1)) {
        const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
        if (!apart) result.overlaps.push(one.textContent + ' / ' + other.textContent);
      }
    });
    const frame = chart.getBoundingClientRect();
    if (getComputedStyle(chart).overflow !== 'visible') {
      for (const [text, box] of boxes) {
        if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5) result.cut.push('label ' + text.textContent);
      }
    }
    // Parts of one bar stand on each other, or beside each other in a list.
    const parts = marks(chart).map((mark) => [mark, mark.getBoundingClientRect()]);
    const isList = chart.closest('.bars');
    parts.forEach(([one, a], index) => {
      const next = parts[index + 1];
      if (!next || (!isList && Math.abs(a.left - next[1].left) > 0.5) || (isList && Math.abs(a.top - next[1].top) > 0.5)) return;
      const names = one.getAttribute('class') + ' / ' + next[0].getAttribute('class');
      const steps = /r\d/.test(names);
      if (steps && isAlike(one, next[0])) result.alike.push(names + ' ' + contrast(ink(one), ink(next[0])).toFixed(2));
      const gap = a.top - next[1].bottom;
      const drawn = isList ? one.nextElementSibling && one.nextElementSibling.matches('.gap') : gap >= 1;
      if (!drawn && a.height > 6 && next[1].height > 6) result.alike.push(names + ' without a gap');
    });
  }
  for (const key of document.querySelectorAll('.key')) {
    const swatches = marks(key).filter(visible);
    swatches.forEach((one, index) => {
      for (const other of swatches.slice(index + 1)) {
        const names = one.getAttribute('class') + ' / ' + other.getAttribute('class');
        if (names.split(' / ')[0] === names.split(' / ')[1]) result.alike.push('in the key: ' + names);
        const isStep = /^r/.test(names) && other === swatches[index + 1];
        if (isStep && isAlike(one, other)) result.alike.push('in the key: ' + names);
      }
    });
  }
  // A grid of weeks is wider than a phone; it scrolls within its card.
  for (const box of document.querySelectorAll('.scroll:not(:has(.heat))')) {
    if (visible(box) && box.scrollWidth > box.clientWidth + 1) result.scrolled.push(box.textContent.slice(0, 60));
  }
  return result;
})()
"""


def paper(page):
    """The used share of each sheet, from 0 to 1: the position of its last mark between the margins."""
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        page.emulate_media(media="print", color_scheme="light")
        page.pdf(path=base / "paper.pdf", prefer_css_page_size=True)
        subprocess.run(["pdftoppm", "-gray", "-r", str(PAPER), base / "paper.pdf", base / "sheet"], check=True)
        for sheet in sorted(base.glob("sheet*.pgm")):
            kind, size, _, pixels = sheet.read_bytes().split(b"\n", 3)
            assert kind == b"P5"
            width, height = map(int, size.split())
            margin = 14 / 25.4 * PAPER
            used = [row for row in range(height) if min(pixels[row * width : (row + 1) * width]) < 224]
            shares.append(round((max(used, default=0) - margin) / (height - 2 * margin), 2))
    return shares


def keep(page, width, path):
    """A picture of the page, cut to the height that a contact sheet shows."""
    height = min(page.evaluate("document.documentElement.scrollHeight"), 6000)
    page.screenshot(path=path, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height})


def inspect(browser, file, viewports=VIEWPORTS, shots=None):
    """The findings about the page in a file. With a folder `shots`, a picture NAME-WIDTH-SCHEME.png is kept for each viewport."""
    page = browser.new_page()
    requests, messages = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    address = pathlib.Path(file).resolve().as_uri()
    page.goto(address)
    found = {"file": file, "views": []}
    for width, scheme in viewports:
        page.set_viewport_size({"width": width, "height": 900})
        if scheme == "print":
            page.emulate_media(media="print", color_scheme="light")
        else:
            page.emulate_media(media="screen", color_scheme=scheme)
        found["views"].append({"width": width, "scheme": scheme, **page.evaluate(INSPECT)})
        if shots:
            keep(page, width, pathlib.Path(shots) / f"{pathlib.Path(file).stem}-{width}-{scheme}.png")
    page.emulate_media(media="screen")
    found["text"] = page.evaluate("document.body.innerText")
    found["title"] = page.title()
    found["scripts"] = page.evaluate("document.querySelectorAll('script, [onload], [onclick], [onerror]').length")
    found["paper"] = [] if viewports is FEW else paper(page)
    found["requests"] = [url for url in requests if url != address and not url.startswith("data:")]
    found["messages"] = messages
    page.close()
    return found


def main():
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for line in sys.stdin:
            kind, _, file = line.rstrip("\n").rpartition("\t")
            print(json.dumps(inspect(browser, file, FEW if kind == "few" else VIEWPORTS)), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
