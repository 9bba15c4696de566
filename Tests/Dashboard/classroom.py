# SPDX-License-Identifier: Apache-2.0
"""Services for tests of the dashboard, and pages that report forbidden behaviour."""
import datetime, http.server, json, re, threading

from Harness import chromium, expect, run, service

now = datetime.datetime.now(datetime.timezone.utc)
evil = "<script>window.hit=1</script><img src=x onerror='window.hit=1'>\"' \u202eמכונה"
long = "W" * 10_000


def event(id, learner="ana", type="line.spoken", minutes=5, **more):
    time = (now - datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"id": str(id), "source": "test", "type": type, "subject": learner, "time": time, "language": "es",
            "data": {"accuracy": 0.9}} | more


def simulated(learners, days):
    """A class whose last day is today, or was yesterday, as NDJSON."""
    day = (now - datetime.timedelta(days=days)).strftime("%Y-%m-%d")
    return run("simulate", "--learners", str(learners), "--days", str(days), "--seed", "3", "--start", day, check=True).stdout


def hostile():
    """The events of a learner who practises, one with a hostile name, and one with a very long name."""
    lines = [event(1), event(2, "ana", "learner.updated", data={"displayName": "Ana"}), event(3, evil),
             event(4, evil, "learner.updated", data={"displayName": evil, "cohort": evil}),
             event(5, evil, "word.added", data={"word": evil, "text": evil, "translation": long}), event(6, "longest"),
             event(7, "longest", "learner.updated", data={"displayName": long}), event(8, "ana", "line.spokn")]
    return "\n".join(json.dumps(e) for e in lines)


class Service(service.Service):
    """A service over a store of its own, with some events."""

    def __init__(self, events):
        super().__init__("--allow-private-webhooks", "true", key="ingest,read,admin", starts=False)
        run("ingest", "--store", self.store, input=events, check=True)
        self.start()

    def send(self, *events):
        return self.post(events)[0]

    def __exit__(self, *_):
        self.end(seconds=30)
        super().__exit__()


class Browser:
    """A browser whose pages report a request to another site, an error in the console, or a script from data."""

    def __init__(self, playwright, service, **how):
        self.service = service
        self.browser = chromium.launch(playwright)
        self.context = self.browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | how))
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.page.on("request", lambda r: expect(r.url.startswith(service.address), f"{r.url} is asked for"))
        self.page.on("console", lambda m: m.type == "error" and "status of 4" not in m.text
                     and expect(False, f"the console says {m.text} at {self.page.url}"))
        self.page.on("pageerror", lambda error: expect(False, f"{error} at {self.page.url}"))

    def sign_in(self, key=None):
        self.go("/sign-in")
        self.page.get_by_label("Key or token").fill(key or self.service.key)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(re.compile("/(home|learners)"))
        return self

    def go(self, path):
        self.page.goto(self.service.address + path)
        return self.page

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.close()


class Other:
    """Another party's site, which answers each path with prepared content, and keeps the posted bodies."""

    def __init__(self, pages=None, status=200):
        self.pages, self.status, self.posted = pages or {}, status, []
        other = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status, body=b""):
                self.send_response(status)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                page = other.pages.get(self.path)
                self.answer(200 if page else 404, (page or "").encode())

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                other.posted.append(self.headers["webhook-id"])
                self.answer(other.status)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
