# SPDX-License-Identifier: Apache-2.0
"""The proxies of Packaging in front of a service, with TLS, as a browser and as a stranger see them."""
import contextlib, http.client, json, os, re, shutil, socket, ssl, subprocess, tempfile, time, urllib.parse

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
LEARNER = "a/b%c"
PATH = "/v1/learners/a%2Fb%25c"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """A proxy on a free port, which asks the service on another."""

    def __init__(self, program, port, is_plain=False):
        self.port, self.is_plain = port, is_plain
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        # What the examples take from the environment comes from here alone.
        environment = {name: value for name, value in os.environ.items() if name not in ("LAUREL", "SITE")}
        self.errors = open(f"{self.folder}/stderr.txt", "w")
        self.process = subprocess.Popen(program(self), stderr=self.errors, env=environment | {"HOME": self.folder, "XDG_DATA_HOME": self.folder})
        self.wait()

    def wait(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError):
                if self.ask("GET", "/healthz").status == 200:
                    return
            time.sleep(0.05)
        raise SystemExit(f"the proxy does not start: {open(f'{self.folder}/stderr.txt').read()}")

    def ask(self, method, path, body=None, headers={}):
        if self.is_plain:
            connection = http.client.HTTPConnection("localhost", self.port, timeout=20)
        else:
            # Its certificate is of the moment.
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            connection = http.client.HTTPSConnection("localhost", self.port, timeout=20, context=context)
        connection.request(method, path, body, headers)
        return connection.getresponse()

    def logged(self):
        """What the proxy has written anywhere in its folder."""
        files = [os.path.join(at, name) for at, _, names in os.walk(self.folder) for name in names if name.endswith((".log", ".txt"))]
        return "".join(open(path, errors="replace").read() for path in files)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # It would wait for the streams.
        self.process.kill()
        self.process.wait(20)
        self.errors.close()
        self.temporary.cleanup()


def nginx(site, service_port):
    """A site of Packaging, or the text of one, changed in nothing but places: ports, files and machines."""
    def program(proxy):
        folder = proxy.folder
        text = open(f"{root}/Packaging/{site}").read() if site.endswith(".conf") else site
        text = text.replace("listen 443", f"listen 127.0.0.1:{proxy.port}").replace("/var/log/nginx", folder)
        text = re.sub(r"^(\s*server) [a-z0-9.-]+:8080", rf"\1 127.0.0.1:{service_port}", text, flags=re.M)
        text = re.sub(r"(ssl_certificate) .*;", rf"\1 {folder}/certificate.pem;", text)
        text = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {folder}/key.pem;", text)
        if not proxy.is_plain:
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
                            "/CN=localhost", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"], check=True, capture_output=True)
        paths = "".join(f"{name}_temp_path {folder}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(f"{folder}/nginx.conf", "w") as file:
            file.write(f"pid {folder}/pid; error_log {folder}/main.log; daemon off; master_process off; events {{}} http {{ {paths}\n{text} }}")
        return ["nginx", "-c", f"{folder}/nginx.conf", "-p", folder]
    return program


def caddy(service_port):
    def program(proxy):
        proxy.plain_port = free_port()
        text = open(f"{root}/Packaging/Caddyfile").read()
        text = text.replace("{$SITE:progress.example}", f"localhost:{proxy.port}").replace("{$LAUREL:127.0.0.1:8080}", f"127.0.0.1:{service_port}")
        # The certificate is of Caddy's own authority, which the machine need not trust.
        text = text.replace("{\n", f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {proxy.plain_port}\n", 1)
        with open(f"{proxy.folder}/Caddyfile", "w") as file:
            file.write(text)
        return ["caddy", "run", "--config", f"{proxy.folder}/Caddyfile"]
    return program


PLAIN = "access_log off; server { listen 443; location / { proxy_pass http://127.0.0.1:%d; } }"


def check(start, key_of, expect):
    """start(folder) gives a service on the store in that folder; key_of(folder) adds a key to that store first."""
    sites = [("nginx", "nginx.conf"), ("nginx", "nginx-nodes.conf"), ("caddy", "Caddyfile")]
    for program, site in sites:
        if not shutil.which(program):
            print(f"  {program} is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            key = key_of(folder)
            with start(folder) as service:
                made = caddy(service.port) if program == "caddy" else nginx(site, service.port)
                with Proxy(made, free_port()) as proxy:
                    told = lambda holds, what: expect(holds, f"{site}: {what}")
                    if program == "caddy":
                        check_plain(proxy.plain_port, key, told)
                    token = check_requests(proxy, key, told)
                    check_session(proxy, key, told)
                    check_log(proxy, service, key, token, told)
    if shutil.which("nginx"):
        check_stranger(start, expect)


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
    """What comes without TLS is led to it, and neither answered nor passed on."""
    connection = http.client.HTTPConnection("localhost", port, timeout=20)
    connection.request("GET", "/v1/learners", headers={"Authorization": f"Bearer {key}"})
    answer = connection.getresponse()
    expect(answer.status == 308 and answer.headers["Location"].startswith("https://localhost"), f"without TLS: {answer.status} {answer.headers}")


def check_session(proxy, key, expect):
    """A browser signs in with a cookie for TLS alone, and its forms work from the page's own origin, port and all."""
    origin = f"https://localhost:{proxy.port}"
    # A client that writes the proxy's header fields itself changes nothing.
    forged = {"X-Forwarded-Proto": "http", "Forwarded": "for=192.0.2.1;proto=http"}
    for headers in ({}, forged):
        answer = proxy.ask("POST", "/sign-in", urllib.parse.urlencode({"key": key}), FORM | {"Origin": origin} | headers)
        cookie = answer.headers.get("Set-Cookie", "")
        marks = {mark.strip() for mark in cookie.split(";")[1:]}
        expect(answer.status == 303 and {"Secure", "HttpOnly", "SameSite=Strict"} <= marks, f"signing in, the cookie is Secure: {answer.status} {cookie}")
    session = {"Cookie": cookie.split(";")[0]}
    expect(proxy.ask("GET", "/class", headers=session).status == 200, "the cookie is taken")
    origins = [(origin, 202), ("https://localhost", 403), ("https://evil.example", 403), ("null", 403)]
    for sent, status in origins:
        answer = proxy.ask("POST", "/v1/verify", "", session | {"Origin": sent})
        expect(answer.status == status, f"a form of {sent} is answered with {status}, not {answer.status}: {answer.read()[:200]}")


def check_log(proxy, service, key, token, expect):
    """The proxy's log tells of requests, and neither of tokens nor of learners, also while the service is away."""
    service.end()
    answer = proxy.ask("GET", f"{PATH}/stream?access_token={token}&again=1", headers={"Authorization": f"Bearer {key}"})
    expect(answer.status == 502, f"502 while the service is away, not {answer.status}")
    answer.read()
    deadline = time.monotonic() + 5
    while "502" not in proxy.logged() and time.monotonic() < deadline:
        time.sleep(0.05)
    log = proxy.logged()
    expect("/v1/learners/*/stream" in log and "502" in log, f"requests are logged: {log[-500:]}")
    secrets = {"a query": "access_token", "a token": token, "a key": key, "a learner": "a%2Fb", "an unpacked id": LEARNER, "a referrer": "referring"}
    for what, secret in secrets.items():
        expect(secret and secret not in log, f"the log has {what}: {log[-2000:]}")


def check_stranger(start, expect):
    """A proxy that tells nothing of its clients opens no service, whichever host they name."""
    with tempfile.TemporaryDirectory() as folder, start(folder) as service:
        with Proxy(nginx(PLAIN % service.port, service.port), free_port(), is_plain=True) as proxy:
            for host in ("localhost", "127.0.0.1", "127.evil.example", "progress.example"):
                for method, path in (("GET", "/v1/learners"), ("GET", "/class"), ("POST", "/v1/keys"), ("DELETE", "/v1/learners/ana")):
                    answer = proxy.ask(method, path, headers={"Host": host})
                    expect(answer.status in (303, 401), f"a stranger through a plain proxy: {method} {path} at {host} is answered with {answer.status}")
