# SPDX-License-Identifier: Apache-2.0
"""The proxies of Packaging in front of a service, with TLS, as a browser and as a stranger see them."""
import http.client, json, shutil, urllib.parse

from Harness import free_port, until
from Harness.proxies import Proxy, caddy, nginx
from Harness.service import Service

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
LEARNER = "a/b%c"
PATH = "/v1/learners/a%2Fb%25c"


PLAIN = "access_log off; server { listen 443; location / { proxy_pass http://127.0.0.1:%d; } }"


def check(expect):
    sites = [("nginx", "nginx.conf"), ("nginx", "nginx-nodes.conf"), ("caddy", "Caddyfile")]
    for program, site in sites:
        if not shutil.which(program):
            print(f"  {program} is not installed")
            continue
        plain_port = free_port()
        with Service(access=(), key="read,ingest,admin") as service:
            key = service.key
            with Proxy(caddy(service.port, plain_port) if program == "caddy" else nginx(site, service.port)) as proxy:
                told = lambda holds, what: expect(holds, f"{site}: {what}")
                if program == "caddy":
                    check_plain(plain_port, key, told)
                token = check_requests(proxy, key, told)
                check_session(proxy, key, told)
                check_log(proxy, service, key, token, told)
    if shutil.which("nginx"):
        check_stranger(expect)


def check_requests(proxy, key, expect):
    """Events, ids with percent signs and streams go through. Returns a learner's token."""
    bearer = {"Authorization": f"Bearer {key}"}
    line = {"id": "1", "source": "test", "type": "line.spoken", "subject": LEARNER, "time": "2026-04-05T18:00:00Z", "language": "es"}
    answer = proxy.ask("POST", "/v1/events", json.dumps(line), bearer | {"Content-Type": "application/x-ndjson"})
    expect(answer.status == 200, f"events are taken: {answer.status}")
    answer = proxy.ask("GET", f"{PATH}/progress", headers=bearer)
    expect(answer.status == 200, f"percent signs go through: {answer.status}")
    answer = proxy.ask("POST", "/v1/tokens", json.dumps({"learner": LEARNER, "scopes": ["read"]}), bearer)
    token = json.loads(answer.read()).get("token", "")
    stream = proxy.ask("GET", f"{PATH}/stream?access_token={token}", headers={"Referer": "https://localhost/?from=referring"})
    expect(stream.read(15) == b"event: progress", "streams are not held back")
    stream.close()
    for path in ("/healthz", "/v1/learners"):
        answer = proxy.ask("GET", path)
        expect("max-age=31536000" in answer.headers.get("Strict-Transport-Security", ""), f"HSTS stands in the answer {answer.status} of {path}")
    return token


def check_plain(port, key, expect):
    """Requests without TLS are redirected, and neither answered nor forwarded."""
    connection = http.client.HTTPConnection("localhost", port, timeout=20)
    connection.request("GET", "/v1/learners", headers={"Authorization": f"Bearer {key}"})
    answer = connection.getresponse()
    expect(answer.status == 308 and answer.headers["Location"].startswith("https://localhost"), f"without TLS: {answer.status} {answer.headers}")


def check_session(proxy, key, expect):
    """A browser signs in with a secure cookie, and its forms work from the page's own origin, including the port."""
    origin = f"https://localhost:{proxy.port}"
    # A client that sends the proxy's headers itself has no effect.
    forged = {"X-Forwarded-Proto": "http", "Forwarded": "for=192.0.2.1;proto=http"}
    for headers in ({}, forged):
        answer = proxy.ask("POST", "/sign-in", urllib.parse.urlencode({"key": key}), FORM | {"Origin": origin} | headers)
        cookie = answer.headers.get("Set-Cookie", "")
        marks = {mark.strip() for mark in cookie.split(";")[1:]}
        expect(answer.status == 303 and {"Secure", "HttpOnly", "SameSite=Strict"} <= marks, f"signing in, the cookie is Secure: {answer.status} {cookie}")
    session = {"Cookie": cookie.split(";")[0]}
    expect(proxy.ask("GET", "/learners", headers=session).status == 200, "the cookie is taken")
    origins = [(origin, 202), ("https://localhost", 403), ("https://evil.example", 403), ("null", 403)]
    for sent, status in origins:
        answer = proxy.ask("POST", "/v1/verify", "", session | {"Origin": sent})
        expect(answer.status == status, f"a form of {sent} is answered with {status}, not {answer.status}: {answer.read()[:200]}")


def check_log(proxy, service, key, token, expect):
    """The proxy's log contains requests, but no tokens and learners, even while the service is down."""
    service.end()
    answer = proxy.ask("GET", f"{PATH}/stream?access_token={token}&again=1", headers={"Authorization": f"Bearer {key}"})
    expect(answer.status == 502, f"502 while the service is away, not {answer.status}")
    answer.read()
    until(5, lambda: "502" in proxy.logged())
    log = proxy.logged()
    expect("/v1/learners/*/stream" in log and "502" in log, f"requests are logged: {log[-500:]}")
    secrets = {"a query": "access_token", "a token": token, "a key": key, "a learner": "a%2Fb", "an unpacked id": LEARNER, "a referrer": "referring"}
    for what, secret in secrets.items():
        expect(secret and secret not in log, f"the log has {what}: {log[-2000:]}")


def check_stranger(expect):
    """Through a proxy without forwarding headers, a service without keys stays closed, whatever host clients name."""
    with Service(access=()) as service:
        with Proxy(nginx(PLAIN % service.port), is_plain=True) as proxy:
            for host in ("localhost", "127.0.0.1", "127.evil.example", "progress.example"):
                for method, path in (("GET", "/v1/learners"), ("GET", "/learners"), ("POST", "/v1/keys"), ("DELETE", "/v1/learners/ana")):
                    answer = proxy.ask(method, path, headers={"Host": host})
                    expect(answer.status in (303, 401), f"a stranger through a plain proxy: {method} {path} at {host} is answered with {answer.status}")
