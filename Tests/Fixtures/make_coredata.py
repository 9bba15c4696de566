"""Makes the Core Data stores of three apps, with tables, columns and values by Core Data's conventions.

    python3 make_coredata.py (immersion-rooms | vocabmaster | flippin) FILE [part]

`part` is 1 or 2 for a store with half of the rows, or `later` for the store some days later.
"""

import sqlite3
import sys
import uuid

# 2026-02-01T09:00:00Z in seconds since 2001.
DAY0 = 1769936400 - 978307200


def at(day, hour=0.0):
    return DAY0 + day * 86400 + hour * 3600


def identity(name):
    return uuid.uuid5(uuid.NAMESPACE_DNS, name).bytes


def create(file, entities):
    """Creates an empty store. `entities` is {name: {attribute: SQL type}}."""
    db = sqlite3.connect(file)
    db.execute("CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
    db.execute("CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
    db.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    db.execute("INSERT INTO Z_METADATA VALUES (1, ?, ?)", (str(uuid.uuid5(uuid.NAMESPACE_DNS, file)), b"bplist00"))
    for number, (name, attributes) in enumerate(sorted(entities.items()), start=1):
        columns = "".join(f", Z{a.upper()} {t}" for a, t in attributes.items())
        db.execute(f"CREATE TABLE Z{name.upper()} (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER{columns})")
        db.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, 0)", (number, name))
    return db


def insert(db, table, /, version=1, **values):
    # Core Data never uses a key again.
    entity, key = db.execute("SELECT Z_ENT, Z_MAX + 1 FROM Z_PRIMARYKEY WHERE Z_NAME = ?", (table,)).fetchone()
    columns = ", ".join(["Z_PK", "Z_ENT", "Z_OPT"] + [f"Z{key.upper()}" for key in values])
    marks = ", ".join("?" for _ in range(len(values) + 3))
    db.execute(f"INSERT INTO Z{table.upper()} ({columns}) VALUES ({marks})", [key, entity, version, *values.values()])
    db.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?", (key, table))
    return key


def halves(rows, part):
    middle = len(rows) // 2
    return {"1": rows[:middle], "2": rows[middle:]}.get(part, rows)


def immersion_rooms(file, part):
    text, date, number, real = "VARCHAR", "TIMESTAMP", "INTEGER", "FLOAT"
    db = create(file, {
        "UserEntity": {
            "id": "BLOB", "username": text, "email": text, "createdDate": date, "currentStreak": number,
            "longestStreak": number, "totalStudyTime": real, "currentLevel": text, "targetLanguage": text,
            "wordsLearned": number, "conversationsCompleted": number, "lastActiveDate": date,
        },
        "VocabularyEntity": {
            "id": "BLOB", "word": text, "translation": text, "category": text, "language": text,
            "firstEncounteredDate": date, "timesEncountered": number, "timesReviewed": number,
            "masteryLevel": number, "lastReviewedDate": date, "audioURL": text, "imageURL": text, "user": number,
        },
        "ConversationEntity": {
            "id": "BLOB", "startDate": date, "endDate": date, "duration": real, "characterName": text,
            "messagesJSON": text, "wordsUsedCount": number, "grammarErrorsCount": number,
            "averageResponseTime": real, "user": number,
        },
        "SessionEntity": {
            "id": "BLOB", "startDate": date, "endDate": date, "duration": real, "wordsEncountered": number,
            "conversationTime": real, "objectsScanned": number, "user": number,
        },
    })
    later = part == "later"
    user = insert(
        db, "UserEntity", id=identity("ana"), username="Ana", email="ana@our.example", createdDate=at(0),
        currentStreak=5 if later else 3, longestStreak=9, totalStudyTime=7200.0, currentLevel="beginner",
        targetLanguage="es", wordsLearned=40, conversationsCompleted=5,
        lastActiveDate=at(6, 11.5) if later else at(4, 11.5),
    )
    words = [("mesa", "table", 3, 4, 2), ("silla", "chair", 1, 0, 0), ("ventana", "window", 2, 7, 4),
             ("puerta", "door", 1, 2, 1)]
    for index, (word, translation, met, reviewed, mastery) in halves(list(enumerate(words)), part):
        insert(
            db, "VocabularyEntity", version=2 if later else 1, id=identity(word), word=word,
            translation=translation, category="furniture", language="es", firstEncounteredDate=at(index, 1),
            timesEncountered=met + (2 if later else 0), timesReviewed=reviewed,
            masteryLevel=min(5, mastery + (1 if later and reviewed else 0)),
            lastReviewedDate=at(4 + (2 if later else 0), 1) if reviewed else None, user=user,
        )
    talks = [(1, "Marta", "[{}, {}, {}]", True), (2, "Luis", "not JSON", True), (4, "Marta", "[]", False)]
    for day, character, messages, ended in halves(talks, part):
        insert(
            db, "ConversationEntity", id=identity(f"talk{day}"), startDate=at(day, 2),
            endDate=at(day, 2.25) if ended else None, duration=900.5, characterName=character,
            messagesJSON=messages, wordsUsedCount=12, grammarErrorsCount=2, averageResponseTime=1.75, user=user,
        )
    for day in halves([0, 1, 4, 5], part):
        insert(
            db, "SessionEntity", id=identity(f"session{day}"), startDate=at(day, 0.5),
            endDate=None if day == 5 else at(day, 1.0), duration=1800.0, wordsEncountered=6,
            conversationTime=900.0, objectsScanned=4, user=user,
        )
    return db


def vocabmaster(file, part):
    text = "VARCHAR"
    db = create(file, {
        "WordEntity": {key: text for key in (
            "id", "word", "definition", "example", "pronunciation", "language", "translationLanguage",
            "categoryType")},
        "CompletedWordEntity": {"wordId": text, "completedDate": "TIMESTAMP"},
        "SettingsEntity": {"currentLanguage": text},
    })
    insert(db, "SettingsEntity", currentLanguage="de")
    categories = ["business", "travel", "daily", "academic"]
    words = [(f"word-{n:02}", categories[n % 4], None if n == 7 else "en") for n in range(20)]
    for word, category, language in halves(words, part):
        # Every device has its own ids for the same words.
        insert(
            db, "WordEntity", id=f"{file}-{word}", word=word.capitalize(), definition=f"what {word} means",
            example=f"A {word}.", pronunciation=None, language=language, translationLanguage="es",
            categoryType=category,
        )
    done = [(0, 0), (1, 1), (2, 2), (1, 5), (12, 2.5), (13, 3)] + ([(14, 6)] if part == "later" else [])
    # One word is completed twice. Completions are in the same half as their words.
    for n, day in [d for d in done if part not in ("1", "2") or (d[0] < 10) == (part == "1")]:
        insert(db, "CompletedWordEntity", wordId=f"{file}-word-{n:02}", completedDate=at(day, 1))
    if part not in ("1", "2"):
        insert(db, "CompletedWordEntity", wordId="gone", completedDate=at(5))
    return db


def flippin(file, part):
    text = "VARCHAR"
    db = create(file, {
        "CardItem": {
            "timestamp": "TIMESTAMP", "frontText": text, "backText": text, "frontLanguageRaw": text,
            "backLanguageRaw": text, "notes": text, "id": text, "isFavorite": "INTEGER",
        },
        "Tag": {"id": text, "name": text},
    })
    db.execute("CREATE TABLE Z_1TAGS (Z_1CARDS INTEGER, Z_2TAGS INTEGER, PRIMARY KEY (Z_1CARDS, Z_2TAGS))")
    tags = [insert(db, "Tag", id=f"t{n}", name=name) for n, name in enumerate(["food", "verbs", "unused"])]
    cards = [("Hola", "Hello", [0]), ("Comer", "To eat", [0, 1]), ("Ir", "To go", []), ("Sol", "Sun", [])]
    for front, back, own in halves(cards, part):
        edited = part == "later" and front == "Ir"
        card = insert(
            db, "CardItem", version=2 if edited else 1, timestamp=at(cards.index((front, back, own))),
            frontText=front, backText="To go, to leave" if edited else back, frontLanguageRaw="es",
            backLanguageRaw="en", notes="with article" if front == "Sol" else None,
            id=str(uuid.UUID(bytes=identity(front))).upper(), isFavorite=int(front == "Hola"),
        )
        for tag in own:
            db.execute("INSERT INTO Z_1TAGS VALUES (?, ?)", (card, tags[tag]))
    if part not in ("1", "2"):
        # A copy of a card, as CloudKit makes.
        db.execute("INSERT INTO ZCARDITEM SELECT 99, Z_ENT, Z_OPT, ZTIMESTAMP, ZFRONTTEXT, ZBACKTEXT, ZFRONTLANGUAGERAW,"
                   " ZBACKLANGUAGERAW, ZNOTES, ZID, ZISFAVORITE FROM ZCARDITEM WHERE ZFRONTTEXT = 'Sol'")
    return db


if __name__ == "__main__":
    app, file = sys.argv[1], sys.argv[2]
    make = {"immersion-rooms": immersion_rooms, "vocabmaster": vocabmaster, "flippin": flippin}[app]
    database = make(file, sys.argv[3] if len(sys.argv) > 3 else None)
    database.commit()
    database.close()
