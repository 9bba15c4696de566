# SPDX-License-Identifier: Apache-2.0
"""nginx and Caddy with the sites of Packaging, in front of services."""
import contextlib, http.client, itertools, os, re, ssl, subprocess, tempfile, time

from Harness import Failure, free_port, root


class Proxy:
    """A proxy on a free port, unless it is given one; `command` writes its configuration."""

    def __init__(self, command, port=None, is_plain=False):
        self.port, self.is_plain = port or free_port(), is_plain
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        # The examples get only these variables of the environment.
        environment = {name: value for name, value in os.environ.items() if name not in ("LAUREL", "SITE")}
        self.errors = open(f"{self.folder}/stderr.txt", "w")
        self.process = subprocess.Popen(command(self.folder, self.port, is_plain), stderr=self.errors,
                                        env=environment | {"HOME": self.folder, "XDG_DATA_HOME": self.folder})
        self.wait()

    def wait(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError):
                if self.ask("GET", "/healthz").status == 200:
                    return
            time.sleep(0.05)
        raise Failure(f"the proxy does not start: {open(f'{self.folder}/stderr.txt').read()}")

    def ask(self, method, path, body=None, headers={}):
        if self.is_plain:
            connection = http.client.HTTPConnection("localhost", self.port, timeout=20)
        else:
            # A temporary certificate.
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            connection = http.client.HTTPSConnection("localhost", self.port, timeout=20, context=context)
        connection.request(method, path, body, headers)
        return connection.getresponse()

    def logged(self):
        """The text of all logs in the proxy's folder."""
        files = [os.path.join(at, name) for at, _, names in os.walk(self.folder) for name in names if name.endswith((".log", ".txt"))]
        return "".join(open(path, errors="replace").read() for path in files)

    def end(self, *_):
        # A graceful stop would wait for the streams.
        self.process.kill()
        self.process.wait(20)
        self.errors.close()
        self.temporary.cleanup()

    def __enter__(self):
        return self

    __exit__ = end


def nginx(site, *services):
    """A site of Packaging, or the text of one, changed in nothing but places: ports, files and machines. The machines are services on
    these ports, in turn. A plain site loses its TLS."""
    def command(folder, port, is_plain=False):
        text = open(f"{root}/Packaging/{site}").read() if site.endswith(".conf") else site
        text = text.replace("listen 443", f"listen 127.0.0.1:{port}").replace("/var/log/nginx", folder)
        machine = r"^ *server [a-z0-9.-]+(:8080.*\n)"
        options = re.findall(machine, text, re.M)
        options += options[-1:] * (len(services) - len(options))
        lines = "".join(f"server 127.0.0.1{rest.replace('8080', str(service), 1)}" for rest, service in zip(options, itertools.cycle(services)))
        text = re.sub(f"({machine})+", lines, text, flags=re.M)
        if is_plain:
            text = re.sub(r" *ssl_.*\n", "", text.replace(" ssl http2;", ";"))
        else:
            text = re.sub(r"(ssl_certificate) .*;", rf"\1 {folder}/certificate.pem;", text)
            text = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {folder}/key.pem;", text)
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
                            "/CN=localhost", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"], check=True, capture_output=True)
        paths = "".join(f"{name}_temp_path {folder}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(f"{folder}/nginx.conf", "w") as file:
            file.write(f"pid {folder}/pid; error_log {folder}/main.log; daemon off; master_process off; events {{}} http {{ {paths}\n{text} }}")
        return ["nginx", "-c", f"{folder}/nginx.conf", "-p", folder]
    return command


def caddy(service, plain_port):
    """Packaging's Caddyfile in front of a service on a port. Requests without TLS go to the plain port."""
    def command(folder, port, _):
        text = open(f"{root}/Packaging/Caddyfile").read()
        text = text.replace("{$SITE:progress.example}", f"localhost:{port}").replace("{$LAUREL:127.0.0.1:8080}", f"127.0.0.1:{service}")
        # The certificate is from Caddy's own authority, which the machine does not trust.
        text = text.replace("{\n", f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {plain_port}\n", 1)
        with open(f"{folder}/Caddyfile", "w") as file:
            file.write(text)
        return ["caddy", "run", "--config", f"{folder}/Caddyfile"]
    return command
