"""Clients that open replays, in a separate process so that they do not slow the process that measures."""

import asyncio
import json
import os
import sys
from time import perf_counter

import httpx

TIMEOUT_SECONDS = 60.0


async def time_request(http: httpx.AsyncClient, path: str, cookie: str = "") -> float:
    """Returns the seconds that one request takes."""
    start = perf_counter()
    response = await http.get(f"/api{path}", headers={"cookie": f"polyopolis={cookie}"} if cookie else {})
    response.raise_for_status()
    return perf_counter() - start


async def new_guest(http: httpx.AsyncClient) -> str:
    """Returns the cookie of a new guest. One guest may have only a few waiting requests."""
    cookie = (await http.get("/api/hello")).raise_for_status().cookies["polyopolis"]
    http.cookies.clear()
    return cookie


async def main(url: str, pause: float, tables: list[str]) -> None:
    """Opens all replays at once after `pause` seconds, each as a different guest; prints the seconds that each took."""
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS) as http:
        readers = [(table, await new_guest(http)) for table in tables]
        await asyncio.sleep(pause)
        seconds = await asyncio.gather(
            *(time_request(http, f"/tables/{table}/matches/0/replay", cookie) for table, cookie in readers)
        )
        print(json.dumps(seconds))


if __name__ == "__main__":
    os.nice(10)  # matters when there are fewer cores than processes
    asyncio.run(main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
