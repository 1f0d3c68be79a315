"""A bot that plays random legal actions: python examples/bot.py https://cities.example TOKEN

It joins every table that invites external bots, and plays there. docs/bot-api.md describes the requests and messages.
"""

import json
import random
import sys
from contextlib import suppress
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE, TOKEN = sys.argv[1:]


def ask(path, body=None):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    return urlopen(Request(f"{SITE}/api{path}", body and json.dumps(body).encode(), headers))


def play(table, done=-1):
    for told in map(json.loads, filter(bytes.strip, ask(f"/bot/stream/{table}"))):
        for mine in told.get("mine", ()):
            if mine["choices"] and mine["staged"] is None and mine["turn"] != done:
                done, action = mine["turn"], random.choice(mine["choices"])
                ask(f"/bot/stream/{table}", {"type": "act", "seat": mine["seat"], "turn": done, "action": action})


playing = set()
for event in map(json.loads, filter(bytes.strip, ask("/stream/event"))):
    key = event["table"]["table"]
    if event["type"] == "invited":
        free = next(seat["seat"] for seat in event["table"]["seats"] if seat["kind"] == "open")
        with suppress(HTTPError):  # the seat was taken in the meantime
            ask(f"/tables/{key}/seats/{free}", {"type": "join", "name": "Chance"})
    elif event["type"] in ("playing", "turn") and key not in playing:
        playing.add(key)
        Thread(target=play, args=[key], daemon=True).start()
