# SPDX-License-Identifier: Apache-2.0
"""VocabMaster: words, completed and not, per category and language, on two devices.

The app's document: WordEntity has id, word, definition, example, pronunciation, language, translationLanguage and categoryType;
CompletedWordEntity has wordId and completedDate. Words are added, updated, deleted and moved; completions are made and undone.
A device's ids are its own, also of the words that every device seeds.
"""
import json
import sys

from common import CoreDataApp, core_data_time as date, feedings, halved, rfc3339 as iso, seeded

CATEGORIES = ["business", "travel", "daily", "academic"]
LANGUAGES = ["en", "es", None]
SPELLINGS = ["chat", "Chat", "luggage", "Luggage ", "invoice", "niño", "bank", "gift", "thesis", "pan"]
CHOSEN = "en"
START, DAY = 1_769_936_400_000, 86_400_000
AT = "2026-06-01T12:00:00Z"
TEXT = "VARCHAR"
ENTITIES = {
    "WordEntity": {key: TEXT for key in (
        "id", "word", "definition", "example", "pronunciation", "language", "translationLanguage", "categoryType")},
    "CompletedWordEntity": {"wordId": TEXT, "completedDate": "TIMESTAMP"},
    "SettingsEntity": {"currentLanguage": TEXT},
}


class Device:
    """A device with its store, and the state that the app would show."""

    def __init__(self, rng, folder, name, seeds):
        self.rng, self.name = rng, name
        self.store = CoreDataApp(folder, name, ENTITIES)
        self.store.add("SettingsEntity", currentLanguage=CHOSEN)
        self.words, self.completions, self.serial = {}, {}, 0
        self.now = START + rng.randrange(DAY)
        for spelling, category, language in seeds:
            self.add(spelling, category, language)

    def add(self, spelling, category, language):
        self.serial += 1
        id = f"{self.name}-{self.serial}-{self.rng.randrange(10**9)}"
        row = self.store.add(
            "WordEntity", id=id, word=spelling, definition=f"what {spelling} means", example=f"A {spelling}.",
            pronunciation=None, language=language, translationLanguage="de", categoryType=category,
        )
        self.words[id] = [row, spelling, category, language]

    def live(self):
        rng = self.rng
        self.now += rng.randrange(1, DAY)
        what = rng.choices(
            ["complete", "uncomplete", "delete", "spell", "move", "define", "translate", "add"], [8, 3, 1, 1, 1, 1, 1, 2]
        )[0]
        id = rng.choice(list(self.words)) if self.words else None
        if what == "add" or id is None:
            return self.add(rng.choice(SPELLINGS), rng.choice(CATEGORIES), rng.choice(LANGUAGES))
        row, spelling, category, language = self.words[id]
        if what == "complete" and id not in self.completions:
            key = self.store.add("CompletedWordEntity", wordId=id, completedDate=date(self.now))
            self.completions[id] = (key, self.now)
        elif what == "uncomplete" and self.completions:
            self.uncomplete(rng.choice(list(self.completions)))
        elif what == "delete":
            self.store.delete("WordEntity", row)
            del self.words[id]
            if id in self.completions:
                self.uncomplete(id)
        elif what == "spell":
            self.words[id][1] = rng.choice(SPELLINGS)
            self.store.change("WordEntity", row, word=self.words[id][1])
        elif what == "move":
            self.words[id][2] = rng.choice(CATEGORIES)
            self.store.change("WordEntity", row, categoryType=self.words[id][2])
        elif what == "translate":
            self.words[id][3] = rng.choice(LANGUAGES)
            self.store.change("WordEntity", row, language=self.words[id][3])
        elif what == "define":
            self.store.change("WordEntity", row, definition=f"defined {self.now}")

    def uncomplete(self, id):
        self.store.delete("CompletedWordEntity", self.completions.pop(id)[0])

    def state(self):
        """The words, and the completed ones among them, as (language, category, spelling)."""
        key = {id: (language or CHOSEN, category, spelling) for id, (_, spelling, category, language) in self.words.items()}
        return set(key.values()), {key[id] for id in self.completions}


def numbers(words, completed):
    fields = {
        "totalWordsKnown": len(words), "totalWordsLearned": len(completed), "metrics.words": len(words),
        "metrics.completed": len(completed), "metrics.completed_percent": 100 * len(completed) / len(words),
    }
    for category in CATEGORIES:
        fields[f"metrics.{category}_words"] = sum(word[1] == category for word in words)
        fields[f"metrics.{category}_completed"] = sum(word[1] == category for word in completed)
    return fields


def expected(words, completed):
    result = [{"command": f"progress ana --at {AT} --json", "fields": numbers(words, completed)}]
    for language in sorted({word[0] for word in words}):
        own = [{word for word in some if word[0] == language} for some in (words, completed)]
        command = f"progress ana --language {language} --at {AT} --json"
        result.append({"command": command, "fields": numbers(*own)})
    return result


def stores(rng, folder):
    seeds = [(f"word{n}", CATEGORIES[n % 4], None if n % 7 == 3 else "en") for n in range(20)]
    devices = [Device(rng, folder, name, seeds) for name in ("phone", "pad")]
    files = []
    for _ in range(rng.randint(4, 6)):
        device = rng.choice(devices)
        for _ in range(rng.randint(1, 12)):
            device.live()
        files.append(device.store.copy())
    for device in devices:
        if not device.store.copies:
            files.append(device.store.copy())
    # Changes after a device's last copy are in no copy.
    last = {}
    for device in devices:
        last[device.name] = device.state()
    words = set().union(*(state[0] for state in last.values()))
    completed = set().union(*(state[1] for state in last.values()))
    return {
        "name": "stores of two devices", "rules": "Rules/vocabmaster.yaml",
        "feedings": feedings(rng, [("--format coredata-vocabmaster --subject ana --timezone Europe/Madrid", name) for name in files]),
        "expected": expected(words, completed),
    }


def live(rng, folder):
    """Events of an app that sends them, from one device whose ids are the words' own."""
    lines, words, completed = [], {}, set()

    def send(type, word, language, **data):
        time = START + len(lines) * 3_600_000
        lines.append(json.dumps({
            "id": f"{type}-{len(lines)}", "source": "phone", "type": type, "subject": "ana", "language": language,
            "time": iso(time), "data": {"word": word, **data},
        }))

    for n in range(rng.randint(20, 40)):
        language, category = rng.choice(["en", "es"]), rng.choice(CATEGORIES)
        words[f"w{n}"] = (language, category)
        send("word.added", f"w{n}", language, text=f"word {n}", category=category)
    for _ in range(rng.randint(30, 60)):
        id = rng.choice(list(words))
        language, category = words[id]
        if id in completed and rng.random() < 0.3:
            completed.discard(id)
            send("word.unlearned", id, language)
        else:
            completed.add(id)
            send("word.learned", id, language)
    keys = {id: (*words[id], id) for id in words}
    truth = expected(set(keys.values()), {keys[id] for id in completed})
    for item in truth:  # a category's metric counts completions, not what became of them
        item["fields"] = {name: value for name, value in item["fields"].items() if not (
            name.endswith("_completed") and name != "metrics.completed")}
    return {
        "name": "live events", "rules": "Rules/vocabmaster.yaml",
        "feedings": halved(rng, folder, "live", "", lines), "expected": truth,
    }


def two_devices(rng, folder):
    """Two devices that send events of the same words under ids of their own."""
    words = [(f"word {n}", CATEGORIES[n % 4]) for n in range(20)]
    lines, completed = [], set()
    for device in ("phone", "pad"):
        for n, (text, category) in enumerate(words):
            lines.append((START, device, "word.added", {"word": f"{device}-{n}", "text": text, "category": category}))
        for n in rng.sample(range(20), rng.randint(3, 12)):
            completed.add(words[n])
            lines.append((START + rng.randrange(1, 30 * DAY), device, "word.learned", {"word": f"{device}-{n}"}))
    texts = [json.dumps({
        "id": f"{device}-{index}", "source": device, "type": type, "subject": "ana", "language": "en", "time": iso(time),
        "data": data}) for index, (time, device, type, data) in enumerate(sorted(lines, key=lambda line: line[0]))]
    fields = numbers({("en", category, text) for text, category in words}, {("en", *reversed(word)) for word in completed})
    fields = {name: value for name, value in fields.items() if not name.startswith("total")}
    return {
        "name": "live events of two devices", "rules": "Rules/vocabmaster.yaml",
        "feedings": halved(rng, folder, "both", "", texts),
        "expected": [{"command": f"progress ana --at {AT} --json", "fields": fields}],
    }


if __name__ == "__main__":
    rng, folder = seeded(sys.argv)
    print(json.dumps({"cases": [make(rng, folder) for make in (stores, live, two_devices)]}))
