# SPDX-License-Identifier: Apache-2.0
"""Tests that need a browser: of the example, Examples/VocabularyTrainer, with and without the network, and of a page's outbox. --pictures FOLDER saves pictures of the pages."""
import json, os, re, subprocess, sys, tempfile, urllib.request

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright, expect as shown
from Harness import chromium, expect, failures, free_port, root, until
from machine import Service, Site, here

pictures = sys.argv[2] if sys.argv[1:2] == ["--pictures"] else None
sizes = {"phone": (360, 640, "light"), "phone-dark": (390, 844, "dark"), "wide": (1280, 800, "light"), "wide-dark": (1280, 800, "dark")}


def looked_at(page, state):
    """Checks the page at every size: nothing scrolls sideways, and everything is accessible."""
    for name, (width, height, scheme) in sizes.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        expect(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{state}, {name}: the page is too wide")
        found = Axe().run(page).response["violations"]
        expect(not found, f"{state}, {name}: {[(one['id'], one['nodes'][0]['html'][:100]) for one in found]}")
        if pictures:
            page.screenshot(path=f"{pictures}/{state}-{name}.png")


def ready(page):
    page.wait_for_function("document.getElementById('word').textContent !== ''", timeout=10_000)


def answer(page, key):
    page.keyboard.press("Space")
    shown(page.locator("#grades")).to_be_visible()
    page.keyboard.press(key)
    shown(page.locator("#show")).to_be_visible()


# A page's outbox with refused events, and with too many.
outbox_script = """async () => {
  const { LaurelClient, events } = await import('/laurel.js');
  const context = { learner: 'ana', language: 'es' };
  const client = await LaurelClient.open({ application: 'page', limits: { events: 3, whenFull: 'dropOldest' } });
  for (const line of ['1', '2', '3', '4', '5']) await client.record(events.lineSpoken({ line }), context);
  const { dropped, pending } = client.status;
  await client.flush();
  const refused = (await client.refused()).map(({ event, code }) => [event.data.line, code]);
  await client.forget((await client.refused()).slice(0, 1).map(({ id }) => id));
  const left = (await client.refused()).map(({ event }) => event.data.line);
  await client.close();
  const strict = await LaurelClient.open({ application: 'page', limits: { events: 2 } });
  const three = ['6', '7', '8'].map((line) => events.lineSpoken({ line }));
  const code = await strict.record(three, context).then(() => 'taken', (error) => error.code);
  return { dropped, pending, refused, left, code, waiting: strict.status.pending, isSame: strict.source === client.source };
}"""


def outbox(browser):
    site = Site([here, f"{root}/Clients/JavaScript"])
    page = browser.new_page()

    def answer(route):
        count = len(route.request.post_data.split("\n"))
        problems = [{"index": index, "code": "invalid-field", "message": "wrong"} for index in range(1, count)]
        route.fulfill(json={"read": count, "problems": problems})

    page.route("**/v1/events", answer)
    page.goto(f"http://localhost:{site.port}/empty.html")
    found = page.evaluate(outbox_script)
    wanted = {"dropped": 2, "pending": 3, "refused": [["4", "invalid-field"], ["5", "invalid-field"]], "left": ["5"], "code": "full",
              "waiting": 0, "isSame": True}
    expect(found == wanted, f"the outbox of a page: {found}")
    page.close()


def trainer(browser, folder):
    site = Site([f"{root}/Examples/VocabularyTrainer"])
    origin = f"http://localhost:{site.port}"
    service = Service(folder, origin, key="ingest,read,admin")
    request = urllib.request.Request(f"{service.address}/v1/tokens", json.dumps({"learner": "ana", "scopes": ["ingest", "read"]}).encode(),
                                     {"Authorization": f"Bearer {service.key}"})
    token = json.load(urllib.request.urlopen(request))["token"]
    context = browser.new_context(service_workers="allow")
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: message.type in ("error", "warning") and said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda one: asked.append(one.url))
    # Without a token the service refuses, the page says so, and nothing is lost.
    page.goto(f"{origin}/#service={service.address}&learner=ana")
    ready(page)
    answer(page, "2")
    shown(page.locator("#delivery")).to_contain_text("key is needed", timeout=10_000)
    said.clear()
    page.goto("about:blank")
    page.goto(f"{origin}/#token={token}")
    ready(page)
    shown(page.locator("#delivery")).to_have_text("Every answer has arrived.", timeout=10_000)
    expect(token not in page.url, "the token is not in the address")
    for key in ("1", "3", "4"):
        answer(page, key)
    shown(page.locator("#xp")).not_to_have_text("–", timeout=10_000)
    page.wait_for_function("Number(document.getElementById('xp').textContent) > 0", timeout=10_000)
    looked_at(page, "card")
    page.keyboard.press("Space")
    looked_at(page, "answer")
    page.keyboard.press("3")
    shown(page.locator("#show")).to_be_visible()
    expect(not said, f"nothing is wrong on the console: {said}")
    expect(all(url.startswith((origin, service.address, "data:", "about:")) for url in asked), f"nothing is asked elsewhere: {asked}")
    # Without the network the page comes from the cache, and answers are kept.
    page.wait_for_function("navigator.serviceWorker.controller !== null", timeout=10_000)
    page.reload()
    context.set_offline(True)
    page.reload()
    ready(page)
    expect(page.locator("#xp").text_content() != "–", "the last numbers are shown without the network")
    for _ in range(5):
        answer(page, "3")
    shown(page.locator("#delivery")).to_contain_text("until they can be sent", timeout=10_000)
    looked_at(page, "offline")
    page.reload()
    shown(page.locator("#delivery")).to_contain_text("until they can be sent", timeout=10_000)
    context.set_offline(False)
    shown(page.locator("#delivery")).to_have_text("Every answer has arrived.", timeout=30_000)
    graded = [event["data"]["grade"] for event in service.stored() if event["type"] == "review.graded"]
    expect(sorted(graded) == sorted(["hard", "again", "good", "easy", "good"] + ["good"] * 5), f"each answer is stored once: {graded}")
    service.end()


def tutorial(browser, folder):
    """The page of docs/tutorials/browser.md shows XP after a click, and delivers what was recorded without the service."""
    document = open(f"{root}/docs/tutorials/browser.md").read()
    site = f"http://localhost:{free_port()}"
    service = Service(folder, site, key="ingest,read,keys")
    for kind, name in (("python", "site.py"), ("html", "index.html")):
        text = re.search(rf"```{kind}\n(.*?)```", document, re.S)[1]
        with open(f"{folder}/{name}", "w") as file:
            file.write(text.replace("http://localhost:8080", service.address))
    with open(f"{folder}/key.txt", "w") as file:
        file.write(service.key)
    process = subprocess.Popen([sys.executable, "site.py", site, service.address], cwd=folder, stderr=subprocess.DEVNULL)
    page = browser.new_page()

    def opened():
        try:
            return page.goto(site)
        except Exception:
            return None

    expect(until(20, opened), "the tutorial's page opens")
    shown(page.locator("output")).to_have_text("0 XP", timeout=10_000)
    page.click("button")
    shown(page.locator("output")).to_have_text(re.compile("[1-9][0-9]* XP"), timeout=10_000)
    service.end()
    page.click("button")
    service.command[service.command.index("--listen") + 1] = service.address.removeprefix("http://")
    service.start()
    expect(until(60, lambda: len(service.stored()) == 2), f"the tutorial's answers arrive: {len(service.stored())}")
    page.close()
    process.kill()
    process.wait()
    service.end()


with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
    browser = chromium.launch(playwright)
    outbox(browser)
    for what in (trainer, tutorial):
        os.mkdir(f"{folder}/{what.__name__}")
        what(browser, f"{folder}/{what.__name__}")
    browser.close()
sys.exit(1 if failures else 0)
