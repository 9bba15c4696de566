"""Makes an Anki collection with a log of reviews, and the memory state of each note by Anki's FSRS.

    TZ=Europe/Madrid python make_anki_memory.py FOLDER SEED

FOLDER gets collection.anki2 and memory.json: stability and difficulty by note. Cards are learned in steps, within some minutes.
Reviews are at all hours, many around midnight and the hour at which Anki's day begins.
"""

import datetime
import json
import random
import sys

from anki.collection import Collection

WEIGHTS = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
]
START = datetime.datetime(2026, 1, 10, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
HOURS = [0.2, 2, 5, 5.5, 12, 22, 23, 23.5]
LEARN, REVIEW = 0, 1


def reviews(rng):
    """The reviews of one card, each with its time, its grade and its kind."""
    day = 1
    first = START + datetime.timedelta(days=day, hours=rng.choice(HOURS))
    for minutes, grade in [(0, rng.choice([1, 2, 3])), (1, rng.choice([1, 3])), (11, 3)]:
        yield first + datetime.timedelta(minutes=minutes), grade, LEARN
    for _ in range(rng.randint(1, 7)):
        day += rng.choice([1, 1, 2, 3, 7, 20])
        yield START + datetime.timedelta(days=day + 1, hours=rng.choice(HOURS)), rng.choice([1, 2, 3, 3, 3, 4]), REVIEW


def main(folder, seed):
    rng = random.Random(seed)
    collection = Collection(f"{folder}/collection.anki2")
    collection.set_config("fsrs", True)
    options = collection.decks.get_config(1)
    options["fsrsParams6"] = WEIGHTS
    collection.decks.update_config(options)
    cards, used = {}, set()
    for number in range(60):
        note = collection.new_note(collection.models.by_name("Basic"))
        note.fields = [f"front {number}", f"back {number}"]
        collection.add_note(note, 1)
        card = note.card_ids()[0]
        for time, grade, kind in reviews(rng):
            row = int(time.timestamp() * 1000)
            while row in used:
                row += 1
            used.add(row)
            collection.db.execute("INSERT INTO revlog VALUES (?, ?, -1, ?, 1, 1, 2500, 4000, ?)", row, card, grade, kind)
        collection.db.execute("UPDATE cards SET type = 2, queue = 2, due = 400, ivl = 1 WHERE id = ?", card)
        cards[note.id] = card
    memory = {note: collection.compute_memory_state(card) for note, card in cards.items()}
    with open(f"{folder}/memory.json", "w") as file:
        json.dump({note: [state.stability, state.difficulty] for note, state in memory.items()}, file)
    collection.close()


main(sys.argv[1], int(sys.argv[2]))
