"""People who open replays, in a process of their own: they must not slow those who measure."""

import asyncio
import json
import os
import sys
from time import perf_counter

import httpx

PATIENCE = 60.0


async def opened(http: httpx.AsyncClient, path: str, cookie: str = "") -> float:
    """Seconds of one request."""
    begun = perf_counter()
    answer = await http.get(f"/api{path}", headers={"cookie": f"polyopolis={cookie}"} if cookie else {})
    answer.raise_for_status()
    return perf_counter() - begun


async def newcomer(http: httpx.AsyncClient) -> str:
    """The cookie of a new person. Only few requests of one person may wait."""
    cookie = (await http.get("/api/hello")).raise_for_status().cookies["polyopolis"]
    http.cookies.clear()
    return cookie


async def main(url: str, pause: float, tables: list[str]) -> None:
    """All replays at once, after a pause, each by a person of its own; prints how long each took."""
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
        readers = [(table, await newcomer(http)) for table in tables]
        await asyncio.sleep(pause)
        taken = await asyncio.gather(
            *(opened(http, f"/tables/{table}/matches/0/replay", cookie) for table, cookie in readers)
        )
        print(json.dumps(taken))


if __name__ == "__main__":
    os.nice(10)  # where there are fewer cores than processes
    asyncio.run(main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
