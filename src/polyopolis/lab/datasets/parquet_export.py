"""Writes decisions to a Parquet file; docs/data.md lists the columns.

A file is written in row groups under a temporary name and renamed when it is complete. It contains no time and no
data of the machine, so the same contest gives the same bytes with any number of workers.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy
import pyarrow
from pyarrow import parquet

from polyopolis.bots.tournaments.arena import Contest
from polyopolis.lab.action_numbers import numbering_of
from polyopolis.lab.datasets.decision_dataset import GameDataset, offer_for
from polyopolis.lab.observations import observer_of

FORMAT_VERSION = 1
"""Version of the columns and their contents."""
METADATA_KEY = b"polyopolis"
"""Key of the file's metadata."""
ROW_GROUP_BYTES = 2**25
"""Bytes of observations per row group, which is held in memory."""
DICTIONARY_PAGE_BYTES = 2**26
"""Maximum bytes of the dictionary of a text column: the records of a row group are written once."""

TEXT_TYPE = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
NUMBERS_TYPE = pyarrow.list_(pyarrow.uint16())


def schema_of(contest: Contest) -> Any:
    """Returns the columns and metadata."""
    observer = observer_of(contest.game, contest.setup.seats)
    columns = {
        "game": pyarrow.int32(),
        "match": pyarrow.int8(),
        "move": pyarrow.int32(),
        "seat": pyarrow.int8(),
        "bot": TEXT_TYPE,
        "observation": pyarrow.list_(pyarrow.float32(), observer.size),
        "legal": NUMBERS_TYPE,
        "action": pyarrow.uint16(),
        "options": NUMBERS_TYPE,
        "values": pyarrow.list_(pyarrow.float32()),
        "final": pyarrow.bool_(),
        "score": pyarrow.int32(),
        "rank": pyarrow.int8(),
        "total": pyarrow.int32(),
        "place": pyarrow.int8(),
        "record": TEXT_TYPE,
    }
    about = {
        "version": FORMAT_VERSION,
        "id": offer_for(contest).id,
        "contest": contest,
        "parts": {
            name: {"first": where.start, "shape": shape} for name, (where, shape) in observer.slices.items()
        },
        "numbers": {
            name: (section.start, section.stop) for name, section in numbering_of(contest.game).SECTIONS.items()
        },
    }  # fmt: skip
    fields = [pyarrow.field(name, kind, nullable=False) for name, kind in columns.items()]
    return pyarrow.schema(fields, metadata={METADATA_KEY: msgspec.json.encode(about)})


def write_parquet(contest: Contest, games: Iterable[GameDataset], path: Path) -> int:
    """Writes all games to a file and returns the number of rows. The name ends with `.part` until the file is
    complete."""
    schema, part, rows = schema_of(contest), path.with_name(f"{path.name}.{os.getpid()}.part"), 0
    try:
        with part.open("wb") as file:
            with parquet.ParquetWriter(
                file,
                schema,
                compression="zstd",
                dictionary_pagesize_limit=DICTIONARY_PAGE_BYTES,
                write_statistics=False,
            ) as writer:
                for group in row_groups(games, ROW_GROUP_BYTES // (4 * schema.field("observation").type.list_size)):
                    table = arrow_table(group, schema)
                    writer.write_table(table, row_group_size=len(table))
                    rows += len(table)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return rows


def row_groups(games: Iterable[GameDataset], rows: int) -> Iterator[list[GameDataset]]:
    """Yields lists of whole games with at least this number of rows."""
    group = list[GameDataset]()
    for game in games:
        group.append(game)
        if sum(len(each.decisions) for each in group) >= rows:
            yield group
            group = []
    if group:
        yield group


def arrow_table(group: list[GameDataset], schema: Any) -> Any:
    rows = [(game, decision) for game in group for decision in game.decisions]
    seen = numpy.concatenate([decision.seen.observation for _, decision in rows])
    size = schema.field("observation").type.list_size
    columns: dict[str, Any] = {
        "game": [game.number for game, _ in rows],
        "match": [decision.match for _, decision in rows],
        "move": [decision.move for _, decision in rows],
        "seat": [decision.seat for _, decision in rows],
        "bot": dictionary_array(game.players[decision.seat] for game, decision in rows),
        "observation": pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(seen, pyarrow.float32()), size),
        "legal": [decision.seen.legal for _, decision in rows],
        "action": [decision.thought.action for _, decision in rows],
        "options": [decision.thought.options for _, decision in rows],
        "values": [decision.thought.values for _, decision in rows],
        "final": [decision.thought.final for _, decision in rows],
        "score": [game.results[decision.match][0][decision.seat] for game, decision in rows],
        "rank": [game.results[decision.match][1][decision.seat] for game, decision in rows],
        "total": [game.final[0][decision.seat] for game, decision in rows],
        "place": [game.final[1][decision.seat] for game, decision in rows],
        "record": dictionary_array(game.records[decision.match] for game, decision in rows),
    }
    arrays = [
        column if isinstance(column, pyarrow.Array) else pyarrow.array(column, schema.field(name).type)
        for name, column in columns.items()
    ]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def dictionary_array(texts: Iterable[str]) -> Any:
    """Returns repeated texts as a dictionary array."""
    places = dict[str, int]()
    found = [places.setdefault(text, len(places)) for text in texts]
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(found, pyarrow.int32()), pyarrow.array(list(places)))


def about(path: Path) -> dict[str, Any]:
    """Returns the metadata of a file: version, id, contest, parts of an observation, ranges of action numbers."""
    found: dict[str, Any] = msgspec.json.decode(parquet.read_schema(path).metadata[METADATA_KEY])
    return found
