# SPDX-License-Identifier: Apache-2.0
"""openapi-python-client makes a client of /openapi.json, and every operation of the document is called through it.

Paths, parameters, bodies and answers are those of the document: a route that is added or renamed is called without a change here, as
long as this file has a value for its parameters."""
import datetime, importlib, inspect, json, os, pkgutil, re, subprocess, sys, tempfile, types, typing

from calls import fits, same
from scene import demand, event, expect, serving, until
from webhooks import Receiver

METHODS = ("get", "post", "put", "patch", "delete")
# The document says that some operations answer with these types. They are not called, for these reasons.
LEFT_OUT = {"text/event-stream": "the generated function waits for the end of a stream that has none; `streams` reads streams"}
# The generator does not know the types of the export and of drafts; its own setting says that they are text and bytes.
TYPES = {"application/x-ndjson": "text/plain", "application/zip": "application/octet-stream", "message/rfc822": "text/plain"}
# Bodies for operations whose example in the document is unsuitable here, by the path's last word.
RULES = {"version": 1, "name": "example", "xp": [{"id": "line", "on": "line.spoken", "award": 1}]}
BODIES = {"rules": RULES, "check": RULES, "diff": RULES}
# Parameters for a second call of an operation, as far as it has them.
OPTIONAL = {"at": datetime.datetime(2026, 1, 25, 20, tzinfo=datetime.timezone.utc), "limit": 2, "week": "2026-W04"}
LEARNER = "learner-0002"


def generate(folder, document):
    """Gives the package of the generated client, and the words of the generator."""
    with open(f"{folder}/openapi.json", "w") as file:
        json.dump(document, file)
    with open(f"{folder}/config.json", "w") as file:
        json.dump({"content_type_overrides": TYPES}, file)
    bin = os.path.dirname(sys.executable)
    words = ["--path", "openapi.json", "--config", "config.json", "--meta", "none", "--output-path", f"{folder}/laurel_generated"]
    # The generator looks for ruff on the path, and formats the client with it.
    done = subprocess.run([f"{bin}/openapi-python-client", "generate", *words], cwd=folder, capture_output=True, text=True, timeout=60,
                          env=os.environ | {"PATH": f"{bin}:{os.environ['PATH']}"})
    expect(done.returncode == 0, f"generated: the generator ends well: {done.stdout}{done.stderr}")
    sys.path.insert(0, folder)
    return importlib.import_module("laurel_generated"), done.stdout + done.stderr


def functions(package):
    """Gives the generated modules by method and path; None for one that Python cannot import."""
    found = {}
    for info in pkgutil.walk_packages(package.api.__path__, f"{package.__name__}.api."):
        source = info.module_finder.find_spec(info.name).loader.get_source(info.name)
        if "def _get_kwargs" not in source:
            continue
        method, path = re.search(r'"method": "(\w+)"', source)[1], re.search(r'"url": "([^"]+)"', source)[1]
        try:
            module = importlib.import_module(info.name)
        except Exception as error:
            expect(False, f"generated: {method.upper()} {path}: the generated module cannot be imported: {error!r}")
            module = None
        found[method, re.sub(r"\{.*?\}", "{}", path)] = module
    return found


class Prepared:
    """Values for the parameters of paths, by the word before each in the path, and values that may be deleted."""

    def __init__(self, service, receiver):
        self.service = service
        webhooks = [self.made("webhooks", {"url": receiver.address}) for _ in range(2)]
        own = {"source": "others/app", "time": "2026-01-18T18:00:00Z"}
        demand(service, "POST", "/v1/events", [event(1, **own), event("bad-1", **own, data={"accuracy": 95})])
        demand(service, "POST", "/v1/events", [event("bad-2", **own, data={"accuracy": 95}), event("bad-3", **own, data={"accuracy": 95})])
        demand(service, "POST", "/v1/events", [event("joined", **own, type="group.joined", data={"group": "blue"})])
        refused = demand(service, "GET", "/v1/quarantine")
        job = demand(service, "POST", "/v1/verify")["id"]
        until(20, lambda: demand(service, "GET", f"/v1/jobs/{job}")["state"] in ("done", "failed"))
        keys = [self.made("keys", {"name": name, "scopes": ["read"]}) for name in ("one", "two")]
        deliveries = lambda: demand(service, "GET", f"/v1/webhooks/{webhooks[0]['id']}/deliveries")
        until(10, lambda: [one for one in deliveries() if one["state"] == "delivered"])
        note = self.made("learners/ana/notes", {"text": "Speaks well."})["id"]
        # The path of an event needs its source and its id.
        self.values = {"learners": LEARNER, "sessions": self.of_learner("sessions")["sessionId"], "words": self.of_learner("words")["word"],
                       "achievements": self.of_learner("achievements")["id"], "jobs": job, "keys": keys[0]["id"],
                       "webhooks": webhooks[0]["id"], "deliveries": next(one["id"] for one in deliveries()),
                       "quarantine": refused[0]["id"], "notes": note, "reports": "weekly-xp", "groups": "blue", "leagues": "weekly", **self.an_event()}
        self.spare = {"learners": "ana", "keys": keys[1]["id"], "webhooks": webhooks[1]["id"], "quarantine": refused[-1]["id"]}
        hash = demand(service, "GET", "/v1/rules")[0]["hash"]
        self.named = OPTIONAL | {"learner": LEARNER, "If-Match": f'"{hash}"'}
        self.bodies = BODIES | {"webhooks": {"url": receiver.address}}

    def made(self, kind, body):
        return demand(self.service, "POST", f"/v1/{kind}", body)

    def of_learner(self, kind):
        return demand(self.service, "GET", f"/v1/learners/{LEARNER}/{kind}")[0]

    def an_event(self):
        lines = demand(self.service, "GET", f"/v1/export?learner={LEARNER}").splitlines()
        one = json.loads(lines[0])
        return {"events": one["source"], "source": one["id"]}

    def of_path(self, method, path, name):
        words = path.strip("/").split("/")
        before = words[words.index(f"{{{name}}}") - 1].strip("{}")
        known = self.values | (self.spare if method == "delete" else {})
        return known.get(before)


def arguments(method, path, operation, prepared, module, optional):
    """Gives the arguments of a generated function, by its own names for them."""
    parameters = operation.get("parameters", [])
    names = {re.sub(r"\W", "_", name).strip("_").lower(): name for name in inspect.signature(module.sync_detailed).parameters}
    given = {}
    for one in parameters:
        if one["in"] == "path":
            value = prepared.of_path(method, path, one["name"])
        elif one.get("required"):
            value = prepared.named.get(one["name"])
            value = [value] if one["schema"].get("type") == "array" else value
        elif one["in"] == "query" and one["name"] == "id":
            value = prepared.spare[path.strip("/").split("/")[-1]]
        else:
            value = prepared.named.get(one["name"]) if one["in"] == "header" or (optional and one["name"] in OPTIONAL) else None
            if value is None:
                continue
        expect(value is not None, f"generated: {method.upper()} {path}: there is a value for {one['name']}")
        given[names[re.sub(r"\W", "_", one["name"]).lower()]] = value
    if "requestBody" in operation:
        given["body"] = body(path, operation, prepared, module)
    return given


def body(path, operation, prepared, module):
    """Makes an object of the generated class from the body of this file, or else from the document's example."""
    content = operation["requestBody"]["content"]
    examples = [one["example"] for kind, one in content.items() if kind.endswith("json") and isinstance(one.get("example"), dict)]
    wanted = prepared.bodies.get(path.strip("/").split("/")[-1]) or next(iter(examples), None)
    kind = typing.get_type_hints(module._get_kwargs)["body"]
    kinds = typing.get_args(kind) if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union else [kind]
    classes = [one for one in kinds if hasattr(one, "from_dict")]
    expect(classes and wanted, f"generated: {path}: there is a class for the body, and a body: {kinds} {wanted}")
    return classes[0].from_dict(wanted) if classes and wanted else None


def call(client, method, path, operation, prepared, module, optional=False):
    """Calls the function, and compares its answer with the document."""
    given = arguments(method, path, operation, prepared, module, optional)
    what = f"generated: {method.upper()} {path}{' with ' + ', '.join(sorted(set(given) & set(OPTIONAL))) if optional else ''}"
    try:
        answer = module.sync_detailed(client=client, **given)
    except Exception as error:
        return expect(False, f"{what}: the client does not read the answer: {error!r}")
    wanted = next(code for code in operation["responses"] if code.startswith("2"))
    if not expect_status(answer, wanted, what):
        return
    content = operation["responses"][wanted].get("content", {})
    if content:
        schemas = [one.get("schema", {}) for one in content.values()]
        expect(any(fits(answer.parsed, schema) for schema in schemas),
               f"{what}: the answer is {type(answer.parsed).__name__}, and declared is {json.dumps(schemas)[:200]}")
        expect(same(answer), f"{what}: the client reads less or other than was answered: {answer.content[:300]}")


def expect_status(answer, wanted, what):
    holds = str(int(answer.status_code)) == wanted
    expect(holds, f"{what}: the answer is {wanted}, not {int(answer.status_code)}: {answer.content[:300].decode('utf-8', 'replace')}")
    return holds


def ordered(document):
    """Puts operations that read first, and those that delete last, the learners' very last, behind what a learner has."""
    every = [(method, path, operation) for path, item in document["paths"].items()
             for method, operation in item.items() if method in METHODS]
    return sorted(every, key=lambda one: (METHODS.index(one[0]), "learners" in one[1], -one[1].count("/") if one[0] == "delete" else 0))


def check():
    receiver = Receiver()
    with serving(learners=True, settings="allow-private-webhooks: true\n") as service, tempfile.TemporaryDirectory() as folder:
        document = demand(service, "GET", "/openapi.json")
        package, said = generate(folder, document)
        importlib.import_module("laurel_generated.api")
        importlib.import_module("laurel_generated.models")
        prepared, modules = Prepared(service, receiver), functions(package)
        called, left_out = 0, []
        operations = ordered(document)
        with package.AuthenticatedClient(base_url=service.address, token=service.key, timeout=20) as client:
            for method, path, operation in operations:
                kinds = [kind for answer in operation["responses"].values() for kind in answer.get("content", {})]
                if reasons := [LEFT_OUT[kind] for kind in kinds if kind in LEFT_OUT]:
                    left_out.append(f"{method.upper()} {path} ({reasons[0]})")
                    continue
                place = method, re.sub(r"\{.*?\}", "{}", path)
                expect(place in modules, f"generated: the generator makes {method.upper()} {path}: {omission(said, method, path)}")
                if module := modules.get(place):
                    call(client, method, path, operation, prepared, module)
                    if method == "get" and {one["name"] for one in operation.get("parameters", [])} & set(OPTIONAL):
                        call(client, method, path, operation, prepared, module, optional=True)
                    called += 1
    receiver.end()
    return f"{called} of {len(operations)} operations are called; left out: {', '.join(left_out)}"


def omission(said, method, path):
    """Finds the generator's own words about an operation."""
    start = rf"(?:WARNING|ERROR) parsing {method.upper()} {re.escape(path)} within"
    found = re.search(rf"{start}.*?(?=\n\n\n|\nWARNING|\nERROR|\nIf you)", said, re.S)
    return " ".join(found[0].split()) if found else "it does not say why not"
