# SPDX-License-Identifier: Apache-2.0
"""A Python service that only inserts, with FastAPI, uvicorn and SQLite, and a commit per request.

service_fastapi.py PORT FILE"""
import sqlite3
import sys

import fastapi
import pydantic
import uvicorn

database = sqlite3.connect(sys.argv[2], check_same_thread=False)
database.execute("PRAGMA journal_mode=WAL")
database.execute("PRAGMA synchronous=FULL")
database.execute("CREATE TABLE events(subject, source, id, body, PRIMARY KEY(subject, source, id)) WITHOUT ROWID")
app = fastapi.FastAPI()


class Event(pydantic.BaseModel):
    id: str
    source: str
    subject: str
    type: str
    time: str
    language: str
    data: dict


@app.post("/v1/events")
async def events(event: Event):
    with database:
        database.execute("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?)", (event.subject, event.source, event.id, event.model_dump_json()))
    return {"read": 1, "stored": 1}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
