#!/usr/bin/env python3
"""Opens pages in headless Chromium and reports, as JSON, what a reader would see of them.

usage: inspect_pages.py FILE.html…

Per page: the requests it made beside itself, the console's messages, and per viewport and colour scheme what overflows
sideways, which labels of a chart overlap, and which texts and marks have too little contrast (WCAG 2.2, 1.4.3 and 1.4.11).
Chromium is driven by its DevTools protocol over a pipe, for which Python needs no library.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

VIEWPORTS = [(360, "light"), (360, "dark"), (1100, "light"), (1100, "dark")]

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
  const result = { overflow: [], overlaps: [], faintText: [], faintMarks: [] };
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) result.overflow.push('page: ' + document.documentElement.scrollWidth);
  for (const element of document.querySelectorAll('body *')) {
    if (!visible(element) || ['TITLE', 'STYLE'].includes(element.tagName.toUpperCase())) continue;
    const scrolls = element.closest('.scroll');
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
      const ratio = contrast(parse(isGraphic ? style.fill : style.color), background(element));
      if (ratio < (isLarge ? 3 : 4.5)) result.faintText.push(ratio.toFixed(2) + ' ' + element.textContent.slice(0, 40));
    }
    if (/(^| )s[1-7]( |$)/.test(element.getAttribute('class') || '')) {
      const colour = element instanceof SVGElement ? style.fill : style.backgroundColor;
      const ratio = contrast(parse(colour), background(element.parentElement));
      if (ratio < 3) result.faintMarks.push(ratio.toFixed(2) + ' ' + element.getAttribute('class'));
    }
  }
  for (const chart of document.querySelectorAll('svg')) {
    const boxes = [...chart.querySelectorAll('text')].filter(visible).map((text) => [text, text.getBoundingClientRect()]);
    boxes.forEach(([one, a], index) => {
      for (const [other, b] of boxes.slice(index + 1)) {
        const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
        if (!apart) result.overlaps.push(one.textContent + ' / ' + other.textContent);
      }
    });
  }
  return result;
})()
"""


class Browser:
    def __init__(self):
        self.home = tempfile.TemporaryDirectory()
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def place_pipes():
            # Chromium reads from descriptor 3 and writes to 4.
            reader, writer = os.dup(to_browser), os.dup(from_browser)
            for place, descriptor in [(3, reader), (4, writer)]:
                os.dup2(descriptor, place)
                os.set_inheritable(place, True)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"]
        flags += ["--disable-dev-shm-usage", "--disable-background-networking", f"--user-data-dir={self.home.name}"]
        self.process = subprocess.Popen(
            ["chromium", *flags, "about:blank"],
            preexec_fn=place_pipes,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.events = []
        self.last = 0

    def receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.read_end, 1 << 16)
            if not piece:
                sys.exit("chromium went away")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.receive())

    def evaluate(self, session, expression):
        answer = self.call("Runtime.evaluate", session, expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"in the page: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def close(self):
        self.call("Browser.close")
        self.process.wait(timeout=20)


def inspect(browser, file):
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ["Page", "Network", "Runtime", "Log"]:
        browser.call(f"{domain}.enable", session)
    browser.events.clear()
    address = pathlib.Path(file).resolve().as_uri()
    browser.call("Page.navigate", session, url=address)
    browser.wait("Page.loadEventFired")
    page = {"file": file, "views": []}
    for width, scheme in VIEWPORTS:
        browser.call("Emulation.setDeviceMetricsOverride", session, width=width, height=900, deviceScaleFactor=1, mobile=False)
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.call("Emulation.setEmulatedMedia", session, features=media)
        page["views"].append({"width": width, "scheme": scheme, **browser.evaluate(session, INSPECT)})
    page["text"] = browser.evaluate(session, "document.body.innerText")
    page["title"] = browser.evaluate(session, "document.title")
    page["scripts"] = browser.evaluate(session, "document.querySelectorAll('script, [onload], [onclick], [onerror]').length")
    sent = [e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"]
    page["requests"] = [url for url in sent if url != address and not url.startswith("data:")]
    logged = [e["params"]["entry"]["text"] for e in browser.events if e.get("method") == "Log.entryAdded"]
    page["messages"] = logged + [str(e["params"]) for e in browser.events if e.get("method") == "Runtime.consoleAPICalled"]
    browser.call("Target.closeTarget", targetId=target)
    return page


def main():
    browser = Browser()
    pages = [inspect(browser, file) for file in sys.argv[1:]]
    browser.close()
    json.dump(pages, sys.stdout)


main()
