"""Games between bots in a Parquet file: docs/data.md lists its columns.

A file is written group by group beside where it goes, and takes its name when it is whole. It holds no time and
nothing of the machine, so that the same contest gives the same bytes, by however many hands.
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

VERSION = 1
"""Of the columns and of what stands in them."""
ABOUT = b"polyopolis"
"""Under which a file says what it is about."""
GROUP = 2**25
"""Bytes of observations after which a group of rows is written: so much is held at once."""
DICTIONARY = 2**26
"""Bytes up to which a text that many rows share is written once: the records of a group."""

NAMED = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
NUMBERS = pyarrow.list_(pyarrow.uint16())


def schema_of(contest: Contest) -> Any:
    """The columns, and what the file is about."""
    observer = observer_of(contest.game, contest.setup.seats)
    columns = {
        "game": pyarrow.int32(),
        "match": pyarrow.int8(),
        "move": pyarrow.int32(),
        "seat": pyarrow.int8(),
        "bot": NAMED,
        "observation": pyarrow.list_(pyarrow.float32(), observer.size),
        "legal": NUMBERS,
        "action": pyarrow.uint16(),
        "options": NUMBERS,
        "values": pyarrow.list_(pyarrow.float32()),
        "final": pyarrow.bool_(),
        "score": pyarrow.int32(),
        "rank": pyarrow.int8(),
        "total": pyarrow.int32(),
        "place": pyarrow.int8(),
        "record": NAMED,
    }
    about = {
        "version": VERSION,
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
    return pyarrow.schema(fields, metadata={ABOUT: msgspec.json.encode(about)})


def write(contest: Contest, crops: Iterable[GameDataset], path: Path) -> int:
    """A file of all these games; how many rows it has. Until it is whole its name ends with `.part`."""
    schema, part, rows = schema_of(contest), path.with_name(f"{path.name}.{os.getpid()}.part"), 0
    try:
        with part.open("wb") as file:
            with parquet.ParquetWriter(
                file, schema, compression="zstd", dictionary_pagesize_limit=DICTIONARY, write_statistics=False
            ) as writer:
                for group in grouped(crops, GROUP // (4 * schema.field("observation").type.list_size)):
                    table = table_of(group, schema)
                    writer.write_table(table, row_group_size=len(table))
                    rows += len(table)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return rows


def grouped(crops: Iterable[GameDataset], rows: int) -> Iterator[list[GameDataset]]:
    """Whole games, as many as make up so many rows or some more."""
    group = list[GameDataset]()
    for crop in crops:
        group.append(crop)
        if sum(len(each.decisions) for each in group) >= rows:
            yield group
            group = []
    if group:
        yield group


def table_of(group: list[GameDataset], schema: Any) -> Any:
    rows = [(crop, decision) for crop in group for decision in crop.decisions]
    seen = numpy.concatenate([decision.seen.observation for _, decision in rows])
    size = schema.field("observation").type.list_size
    columns: dict[str, Any] = {
        "game": [crop.number for crop, _ in rows],
        "match": [decision.match for _, decision in rows],
        "move": [decision.move for _, decision in rows],
        "seat": [decision.seat for _, decision in rows],
        "bot": shared(crop.players[decision.seat] for crop, decision in rows),
        "observation": pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(seen, pyarrow.float32()), size),
        "legal": [decision.seen.legal for _, decision in rows],
        "action": [decision.thought.action for _, decision in rows],
        "options": [decision.thought.options for _, decision in rows],
        "values": [decision.thought.values for _, decision in rows],
        "final": [decision.thought.final for _, decision in rows],
        "score": [crop.results[decision.match][0][decision.seat] for crop, decision in rows],
        "rank": [crop.results[decision.match][1][decision.seat] for crop, decision in rows],
        "total": [crop.final[0][decision.seat] for crop, decision in rows],
        "place": [crop.final[1][decision.seat] for crop, decision in rows],
        "record": shared(crop.records[decision.match] for crop, decision in rows),
    }
    arrays = [
        column if isinstance(column, pyarrow.Array) else pyarrow.array(column, schema.field(name).type)
        for name, column in columns.items()
    ]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def shared(texts: Iterable[str]) -> Any:
    """Texts that many rows have in common, each of them once."""
    places = dict[str, int]()
    found = [places.setdefault(text, len(places)) for text in texts]
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(found, pyarrow.int32()), pyarrow.array(list(places)))


def about(path: Path) -> dict[str, Any]:
    """What a file says of itself: version, id, contest, where each part of an observation stands, what numbers mean."""
    found: dict[str, Any] = msgspec.json.decode(parquet.read_schema(path).metadata[ABOUT])
    return found
