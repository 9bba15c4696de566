# SPDX-License-Identifier: Apache-2.0
"""A browser's EventSource on a page of an allowed origin receives a learner's progress. A page of another origin receives nothing."""
import sys
from urllib.parse import urlencode

sys.dont_write_bytecode = True
from scene import Site, event, expect, failures, here, post, serving, token
from Harness import chromium
from playwright.sync_api import TimeoutError, sync_playwright


def hears(page, what, condition):
    """Returns true if the page receives a message that meets the condition within five seconds."""
    try:
        page.wait_for_function(f"window.told.some((one) => {condition})", timeout=5_000)
    except TimeoutError:
        expect(False, f"browser: {what}: {page.evaluate('window.told')}")


def check(browser):
    site, stranger = Site([here]), Site([here])
    with serving(f"http://localhost:{site.port}") as service:
        post(service, event(1, type="session.started", session="s1", data={}))
        words = urlencode({"service": service.address, "token": token(service)})
        page, outside = browser.new_page(), browser.new_page()
        page.goto(f"http://localhost:{site.port}/stream.html#{words}")
        hears(page, "the first state comes", "one.type === 'progress' && one.data.events === 1")
        post(service, event(2))
        hears(page, "the next state comes", "one.type === 'progress' && one.data.events === 2")
        hears(page, "an achievement is told", "one.type === 'achievement' && one.data.id")
        shown = page.locator("#xp").text_content()
        expect(int(shown or 0) > 0, f"browser: the page shows the XP: {shown}")
        errors = page.evaluate("window.told.filter((one) => one.type === 'error').length")
        expect(errors == 0, f"browser: the stream does not break off: {errors} errors")
        outside.goto(f"http://localhost:{stranger.port}/stream.html#{words}")
        hears(outside, "a page of another origin is told of an error", "one.type === 'error'")
        told = outside.evaluate("window.told.filter((one) => one.type !== 'error')")
        expect(not told, f"browser: a page of another origin hears nothing: {told}")


with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    check(browser)
    browser.close()
sys.exit(1 if failures else 0)
