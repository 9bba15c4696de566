"""Makes an Anki collection with Anki's own package, and a file of facts about it.

    python3 -m venv venv && venv/bin/pip install anki && venv/bin/python make_anki.py FOLDER

FOLDER must be empty. It gets exports of a collection in both formats, as deck package and as collection package, an export
from the middle of the history, and the collection some time later. facts.json has the review log's content, read by Anki,
and the days with reviews, counted by hand.
"""

import datetime
import gzip
import json
import os
import random
import sys
import zoneinfo

from anki.collection import Collection, DeckIdLimit, ExportAnkiPackageOptions
from anki.scheduler.v3 import CardAnswer

START = datetime.date(2026, 1, 5)
ZONE = zoneinfo.ZoneInfo("Europe/Madrid")
# Days of practice, counted from the first; the gaps are missed days.
DAYS = [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22]
HALF = 10
WORDS = [
    ("<b>hablar</b>", "to speak<br>to talk", ["verb", "a1"]),
    ("caf&eacute;&nbsp;[sound:cafe.mp3]", "coffee &amp; milk", ["noun"]),
    ("<div>ma&#241;ana</div>", "tomorrow", []),
    ("la niña", "the girl", ["noun", "a1"]),
    ("perro<img src=\"perro.jpg\">", "dog", ["noun"]),
    ("¿qué?", "what?", []),
    ("a < b", "less than", ["a1"]),
    ("zapato", "shoe", []),
]


def instant(day, hour, minute):
    local = datetime.datetime.combine(
        START + datetime.timedelta(days=day), datetime.time(hour, minute), ZONE
    )
    return int(local.timestamp() * 1000)


def backdate(col):
    """Moves the creation of notes and cards to the day before the first practice, because Anki creates them now."""
    for number, note in enumerate(col.db.list("SELECT id FROM notes ORDER BY id")):
        made = instant(-1, 12, number)
        col.db.execute("UPDATE notes SET id = ?, mod = ? WHERE id = ?", made, made // 1000, note)
        col.db.execute("UPDATE cards SET nid = ? WHERE nid = ?", made, note)
    for number, card in enumerate(col.db.list("SELECT id FROM cards ORDER BY id")):
        col.db.execute("UPDATE cards SET id = ? WHERE id = ?", instant(-1, 12, number) + 1, card)


def answer(col, card_id, rating, at, taken):
    states = col._backend.get_scheduling_states(card_id)
    card = col.get_card(card_id)
    card.start_timer()
    made = col.sched.build_answer(card=card, states=states, rating=rating)
    made.answered_at_millis = at
    made.milliseconds_taken = taken
    col._backend.answer_card(made)


def practise(col, days, chance):
    cards = col.db.list("SELECT id FROM cards ORDER BY id")
    for day in days:
        # Some practice is after midnight. Until four, it counts for the previous day.
        hour, minute = chance.choice([(7, 30), (13, 5), (21, 45), (25, 20), (27, 50)])
        for number, card in enumerate(chance.sample(cards, min(len(cards), 6))):
            shifted = day + hour // 24
            at = instant(shifted, hour % 24, minute) + number * 9137
            answer(col, card, chance.choice(range(4)), at, chance.randint(900, 20000))


def export(col, path, deck, legacy):
    options = ExportAnkiPackageOptions(
        with_scheduling=True, with_deck_configs=True, with_media=False, legacy=legacy
    )
    limit = DeckIdLimit(deck) if deck else None
    col.export_anki_package(out_path=path, options=options, limit=limit)


def facts(col):
    reviews = col.db.all(
        "SELECT id, ease, time, cid FROM revlog"
        " WHERE ease BETWEEN 1 AND 4 AND NOT (type = 3 AND factor = 0) ORDER BY id"
    )
    days = set()
    for at, *_ in reviews:
        local = datetime.datetime.fromtimestamp(at / 1000, ZONE)
        days.add((local - datetime.timedelta(hours=4)).date())
    longest = current = 0
    last = None
    for day in sorted(days):
        current = current + 1 if last and (day - last).days == 1 else 1
        longest, last = max(longest, current), day
    return {
        "notes": col.db.scalar("SELECT count(*) FROM notes"),
        "reviews": len(reviews),
        "byHand": col.db.scalar("SELECT count(*) FROM revlog") - len(reviews),
        "grades": {str(e): sum(1 for r in reviews if r[1] == e) for e in (1, 2, 3, 4)},
        "milliseconds": sum(r[2] for r in reviews),
        "ids": [r[0] for r in reviews],
        "days": [str(d) for d in sorted(days)],
        "streakOnLastDay": current,
        "longestStreak": longest,
    }


def main(folder):
    os.makedirs(folder, exist_ok=True)
    path = lambda name: os.path.join(folder, name)
    chance = random.Random(4)
    col = Collection(path("collection.anki2"))
    verbs, deck = col.decks.id("Spanish::Verbs"), col.decks.id("Spanish")
    basic = col.models.by_name("Basic")
    reversed_ = col.models.by_name("Basic (and reversed card)")
    for number, (front, back, tags) in enumerate(WORDS):
        note = col.new_note(reversed_ if number == 1 else basic)
        note["Front"], note["Back"], note.tags = front, back, tags
        col.add_note(note, verbs if number == 0 else deck)
    note = col.new_note(col.models.by_name("Cloze"))
    note["Text"] = "Yo {{c1::tengo::verb}} un gato"
    col.add_note(note, deck)
    backdate(col)

    practise(col, DAYS[:HALF], chance)
    export(col, path("half.apkg"), None, False)
    practise(col, DAYS[HALF:], chance)
    cards = col.db.list("SELECT id FROM cards ORDER BY id")
    # No reviews: a card is set back, another rescheduled.
    col.sched.schedule_cards_as_new([cards[2]])
    col.sched.set_due_date([cards[3]], "5")
    with open(path("facts.json"), "w") as file:
        json.dump(facts(col), file, indent=1)
        file.write("\n")
    export(col, path("new.apkg"), None, False)
    export(col, path("old.apkg"), None, True)
    col.export_collection_package(path("new.colpkg"), include_media=False, legacy=False)
    col = Collection(path("collection.anki2"))
    col.export_collection_package(path("old.colpkg"), include_media=False, legacy=True)

    # Later, a note is changed, a reviewed note is deleted, and a note has a schedule without reviews, as in shared decks.
    col = Collection(path("collection.anki2"))
    col.db.execute(
        "UPDATE notes SET flds = ?, mod = ? WHERE id = (SELECT min(id) FROM notes)",
        "hablar\x1fto speak", instant(30, 9, 0) // 1000,
    )
    col.remove_notes([col.get_card(cards[-2]).nid])
    col.db.execute("DELETE FROM revlog WHERE cid = ?", cards[-1])
    col.close()
    with open(path("collection.anki2"), "rb") as made, gzip.GzipFile(path("later.anki2.gz"), "wb", mtime=0) as packed:
        packed.write(made.read())
    os.remove(path("collection.anki2"))


if __name__ == "__main__":
    main(sys.argv[1])
