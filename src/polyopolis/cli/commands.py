"""The commands. Each one asks the house and prints the answer."""

# ruff: noqa: PLR0913, PLR0917 - the options of a command are the arguments of its function

import os
import secrets
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console

from polyopolis.bots import bot
from polyopolis.bots.http_bot import HttpBot
from polyopolis.bots.tournaments.arena import Contest
from polyopolis.bots.tournaments.ladder import DECKS, QUICK, Ladder
from polyopolis.bots.tournaments.weight_tuning import TuningBudget
from polyopolis.cli.arguments import BadOption, campaign_of, filled, hands_of, names_in, setup_of
from polyopolis.cli.experiments import arena_report, dataset_export, strength_runs, training_runs
from polyopolis.cli.experiments.perft import perft as counted
from polyopolis.cli.hosting import bot_admin, data_admin, people_admin, ratings_admin, static_site
from polyopolis.cli.hosting import serve as servers
from polyopolis.cli.hosting.option_flags import with_flags
from polyopolis.cli.phrases import count, say
from polyopolis.cli.reports import (
    content_check,
    exercise_files,
    replay_check,
    review_html,
    review_text,
    sheet_svg,
)
from polyopolis.cli.terminal.campaign_file import SavedCampaign, resumed
from polyopolis.cli.terminal.game_loop import TerminalGame, names_of
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.engine import AnyGame, Campaign, Match
from polyopolis.games import game
from polyopolis.records import RecordError
from polyopolis.server.options import Options
from polyopolis.server.settings import load_settings

app = typer.Typer(add_completion=False, suggest_commands=False, rich_markup_mode=None)

people = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
ANY_WORD = {"ignore_unknown_options": True}
"""Some people are called by something that begins like an option."""
app.add_typer(people, name="people", help="What a host does about people, also while a server runs.")
bots = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(bots, name="bots", help="What a host does about outside bots, also while a server runs.")

Key = Annotated[str, typer.Argument(metavar="GAME", help="The key of a game, as mycity.", show_default=False)]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A field of the setup, as seats=3.")]
Bots = Annotated[str, typer.Option(metavar="NAMES", help="Names with commas; a short list repeats.")]
Data = Annotated[
    Path,
    typer.Option(metavar="DIR", help="Where tables are kept.", envvar="POLYOPOLIS_DATA", show_envvar=False),
]
Database = Annotated[
    str,
    typer.Option(
        metavar="URL", envvar="POLYOPOLIS_DATABASE", help="Where tables are kept in a PostgreSQL.", show_default=False
    ),
]
TableId = Annotated[str, typer.Argument(metavar="TABLE", help="As its address names it.", show_default=False)]
Seed = Annotated[str, typer.Option(metavar="TEXT", help="Any word or number; the same one gives the same luck.")]

Jobs = Annotated[int, typer.Option(min=1, help="How many processes.")]
Ray = Annotated[
    str, typer.Option(metavar="ADDRESS", help="A Ray cluster in place of processes; local starts one for this command.")
]


def _console() -> Console:
    return Console(highlight=False, markup=False)


@app.callback(invoke_without_command=True)
def polyopolis(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """City-building board games: play, replay, measure."""
    if show_version:
        typer.echo(f"polyopolis {version('polyopolis')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def play(
    key: Key,
    fields: Set = None,
    bots: Bots = "greedy",
    seed: Seed = "",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the record here, round by round.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with the campaign kept here.")] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="What you are called.")] = "You",
) -> None:
    """Play against bots, or alone where a game allows it; you have seat 0. --set mode=campaign plays all episodes."""
    rules, opponents = game(key), names_in(bots)
    strength_runs.notice(opponents)
    seats = max(rules.seats[0], len(opponents) + 1)
    journey, match = resumed(resume, rules) if resume else _begun(rules, fields or [], seats)
    others = filled(opponents, match.setup.seats - 1) if match.setup.seats > 1 else []
    desk = TerminalGame(
        console=_console(),
        screen=screen_of(key),
        match=match,
        names=tuple(names_of(name, others, len(match.result.scores))),
        bots={seat: bot(other) for seat, other in enumerate(others, start=1)},
        seed=seed or secrets.token_hex(4),
        file=save or resume,
        journey=journey,
    )
    desk.play()


def _begun(rules: AnyGame, fields: Sequence[str], seats: int) -> tuple[SavedCampaign | None, Match]:
    """A match, or the first one of a campaign."""
    setup, plan = campaign_of(rules, fields, seats)
    journey = SavedCampaign(Campaign(rules, plan, setup)) if plan else None
    return journey, journey.next_match() if journey else Match.start(rules, setup)


@app.command()
def show(board: Annotated[str, typer.Argument(metavar="BOARD", help="As mycity/eternal, or eternal.")]) -> None:
    """Draw a board."""
    console = _console()
    for line in content_check.drawing(board):
        console.print(line, soft_wrap=True)


@app.command()
def perft(
    key: Key,
    depth: Annotated[int, typer.Option(min=1, help="How many moves deep.")],
    fields: Set = None,
) -> None:
    """Count the ways to make 1, 2, ... moves, those of chance included."""
    rules = game(key)
    state = rules.start(setup_of(rules, fields or [], seats=rules.seats[0]))
    typer.echo(f"{say('perft', 'depth'):>5}  {say('perft', 'leaves'):>14}  {say('perft', 'seconds'):>8}")
    for deep in range(1, depth + 1):
        start = perf_counter()
        leaves = counted(rules, state, deep)
        typer.echo(f"{deep:>5}  {leaves:>14}  {perf_counter() - start:>8.2f}")


@app.command("check-content")
def check_content(
    key: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; else all.", show_default=False)] = None,
) -> None:
    """Read all boards, cards and episodes in all versions."""
    for line in content_check.contents(key):
        typer.echo(line)


@app.command()
def arena(
    key: Key,
    bots: Bots = "greedy,random",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Seed = "arena",
    jobs: Jobs = 1,
    ray: Ray = "",
    save: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep every record in this folder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    fields: Set = None,
) -> None:
    """Let bots play many games, or whole campaigns, and compare them."""
    contest = _contest(key, bots, games, seed, fields or [])
    with hands_of(jobs, ray) as hands:
        played = arena_report.played(contest, hands, save)
    if as_json:
        typer.echo(arena_report.json_of(contest, played))
    else:
        _console().print(arena_report.table(played))
        typer.echo(say("arena", "about", games=_counted(contest), game=key, seed=seed))


def _contest(key: str, bots: str, games: int, seed: str, fields: Sequence[str]) -> Contest:
    rules, names = game(key), names_in(bots)
    setup, plan = campaign_of(rules, fields, seats=max(rules.seats[0], len(names)))
    rules.start(setup)
    filled(names, setup.seats)
    for name in names:
        bot(name)
    strength_runs.notice(names)
    return Contest(key, setup, tuple(names), games, seed, plan)


def _counted(contest: Contest) -> str:
    return count("campaign" if contest.plan else "game", contest.games)


@app.command()
def games(
    key: Key,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where they go, as Parquet.", show_default=False)],
    bots: Bots = "level-3",
    number: Annotated[int, typer.Option("--count", min=1, help="How many games.")] = 100,
    seed: Seed = "games",
    jobs: Jobs = 1,
    ray: Ray = "",
    fields: Set = None,
) -> None:
    """Let bots play, and keep every decision as data: what was seen, what was done, what came of it (docs/data.md)."""
    contest = _contest(key, bots, number, seed, fields or [])
    with hands_of(jobs, ray) as hands:
        rows = dataset_export.kept(contest, hands, out)
    typer.echo(say("games", "kept", decisions=count("decision", rows), games=_counted(contest), file=out))


@app.command()
def tune(
    key: Key,
    seconds: Annotated[float, typer.Option(min=1, help="How long, for all parts together.")] = 300.0,
    part: Annotated[str, typer.Option(metavar="NAME", help="One part, as episode-3; else all.")] = "",
    seed: Seed = "tune",
    jobs: Jobs = 1,
    ray: Ray = "",
    data: Annotated[Path, typer.Option(metavar="DIR", help="Where it is kept how far it came.")] = Path("data/tune"),
) -> None:
    """Find what the features of a city are worth, by cross-entropy; it goes on where it was stopped."""
    with hands_of(jobs, ray) as hands:
        strength_runs.tune(game(key).key, part, TuningBudget(seconds, seed), data, hands)


@app.command()
def ladder(
    key: Key,
    seats: Annotated[int, typer.Option(help="How many levels sit at a table.")] = 2,
    quick: Annotated[bool, typer.Option("--quick", help=f"{QUICK} decks for each table of levels.")] = False,
    decks: Annotated[int | None, typer.Option(min=1, help=f"Decks for each table; else {DECKS}.")] = None,
    seed: Seed = "ladder",
    levels: Annotated[str, typer.Option(metavar="NAMES", help="Which levels, as level-5,master; else the five.")] = "",
    jobs: Jobs = 1,
    ray: Ray = "",
    data: Annotated[Path, typer.Option(metavar="DIR", help="Where played games are kept.")] = Path("data/ladder"),
    docs: Annotated[Path, typer.Option(metavar="DIR", help="Where GAME.md is.")] = Path("docs/games"),
    bots_from: Annotated[
        list[str] | None,
        typer.Option(metavar="[NAME=]URL", help="An outside bot plays the levels; the table is only told."),
    ] = None,
) -> None:
    """Let all levels play against each other and write the table into the game's document."""
    strangers = tuple(map(HttpBot.read, bots_from or ()))
    many = decks or (QUICK if quick else DECKS)
    climbing = Ladder(game(key).key, seats, many, seed, tuple(names_in(levels)), strangers)
    path = None if strangers else strength_runs.document(docs, key)
    with hands_of(jobs, ray) as hands:
        table = strength_runs.climbed(climbing, hands, data)
    typer.echo(table)
    if path:
        strength_runs.put(path, climbing, table)


@app.command()
def train(
    key: Key,
    part: Annotated[
        str, typer.Option(metavar="NAME", help="eternal, episodes, or one, as episode-3; else the first that there is.")
    ] = "",
    minutes: Annotated[float, typer.Option(min=0.01, help="How long, for all episodes together.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Of the luck in its games.")] = 1,
    data: Annotated[Path, typer.Option(metavar="DIR", help="Where it is kept, with reports.")] = Path("data/train"),
    net: Annotated[str, typer.Option(metavar="KIND", help="deep, or slim, which kernels evaluate; else deep.")] = "",
    name: Annotated[str, typer.Option(help="What the folder of a net is called; else like its kind.")] = "",
    teacher: Annotated[str, typer.Option(metavar="NAME", help="A net to learn from in place of games.")] = "",
    begun_with: Annotated[str, typer.Option(metavar="NAME", help="A net whose weights to begin with.")] = "",
    games: Annotated[int | None, typer.Option(min=1, help="How many games a net plays in step; else 8192.")] = None,
) -> None:
    """Learn by self-play what cities come to: a net for the eternal game, on a card if there is one, patterns for
    episodes, on one core. It goes on where it was stopped."""
    options = {"net": net, "name": name, "teacher": teacher, "begun_with": begun_with, "games": games}
    given = {what: value for what, value in options.items() if value}
    training_runs.train(game(key).key, part, training_runs.Effort(minutes, seed), data, given)


@app.command("warm-up")
def warm_up(
    laboratory: Annotated[bool, typer.Option("--lab", help="Compile the batches of the laboratory, too.")] = False,
) -> None:
    """Compile what bots need, so that nobody waits for it later."""
    typer.echo(strength_runs.compile_kernels(laboratory))


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    step: Annotated[bool, typer.Option("--step", help="Show the table after every round.")] = False,
) -> None:
    """Re-play records and check them to the last event."""
    if as_json and step:
        raise BadOption("--json and --step do not go together")
    found = []
    for path, outcome in replay_check.all_replayed(files):
        found.append((path, outcome))
        if isinstance(outcome, RecordError):
            complain(outcome)
        elif not as_json:
            if step:
                replay_check.step(outcome, _console())
            typer.echo(replay_check.line(outcome))
    if as_json:
        values = [replay_check.as_json(outcome, path) for path, outcome in found]
        typer.echo(msgspec.json.format(msgspec.json.encode(values), indent=2))
    if any(isinstance(outcome, RecordError) for _, outcome in found):
        raise typer.Exit(2)


@app.command()
def review(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with boards here.")] = None,
) -> None:
    """Tell luck and skill apart: what each decision lost, what each card was worth, which moments mattered."""
    strength_runs.notice()
    found, console = [], _console()
    for each in review_text.of_files(files):
        found.append(each)
        if not as_json:
            for line in review_text.page(each):
                console.print(line, soft_wrap=isinstance(line, str))
    if as_json:
        typer.echo(review_text.as_json(found))
    if html:
        html.write_text(review_html.html(found), encoding="utf-8")


@app.command()
def puzzles(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where records are.", show_default=False)],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the exercises go, as JSON.")] = Path("puzzles.json"),
) -> None:
    """Make exercises out of the mistakes in many records, with how often each level fails."""
    typer.echo(exercise_files.write(folder, out))


@app.command()
def sheet(
    episode: Annotated[int, typer.Option(help="Of Roll & Write, 1 to 12.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the drawing goes, as SVG.")],
) -> None:
    """Draw a sheet of Roll & Write to print."""
    out.write_text(sheet_svg.sheet(episode), encoding="utf-8")


@app.command("verify-luck")
def verify_luck(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match or a campaign, recorded.", show_default=False)],
    published: Annotated[str, typer.Option("--hash", help="What was published at the start.")] = "",
) -> None:
    """Check that all luck follows from the seed of its match, and that the one announced is among the seeds."""
    for line in replay_check.luck(file, published):
        typer.echo(line)


@app.command()
@with_flags(Options)
def serve(
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Options as TOML; docs/hosting.md lists all.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    flags: Any = None,
) -> None:
    """Open the table in the browser. Each option may stand in a file or in the environment, too: POLYOPOLIS_PORT=80."""
    options = load_settings(Options, config, os.environ, flags)
    with servers.opened(options):
        listener = servers.listening(options.host, options.port)
        strength_runs.notice()
        servers.serve(options, listener, open_page)


@app.command()
def site(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A folder, empty or not there yet.", show_default=False)],
) -> None:
    """Write a site that needs no server: the whole table in the page, as files for any host, under any path."""
    static_site.write(out)


@app.command("verify-store")
def verify_store(data: Data = Path("data"), database: Database = "") -> None:
    """Re-play every match that is kept with what is installed, and list what would break. Nothing is changed."""
    if not data_admin.verified(data_admin.DataLocation(data, database)):
        raise typer.Exit(2)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that is not there yet.", show_default=False)],
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Copy all that is kept into one file, also while people play."""
    data_admin.back_up(data_admin.DataLocation(data, database), file)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `backup` has written.", show_default=False)],
    data: Data = Path("data"),
) -> None:
    """Put a copy in the place of what is kept, while no server runs; what was there stays beside it."""
    data_admin.restore(data, file)


@app.command("set-aside")
def set_aside(table: TableId, data: Data = Path("data"), database: Database = "") -> None:
    """Take a table that cannot be read out of the database and into a file, while no server runs."""
    data_admin.set_aside(data_admin.DataLocation(data, database), table)


@app.command("put-back")
def put_back(table: TableId, data: Data = Path("data"), database: Database = "") -> None:
    """Put a table that was set aside back into the database, while no server runs."""
    data_admin.put_back(data_admin.DataLocation(data, database), table)


@app.command("move-store")
def move_store(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A folder, or the address of a PostgreSQL.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The same; nothing may be kept there yet.")],
) -> None:
    """Copy all that is kept to another database and re-play every match there, while no server runs."""
    if not data_admin.move(data_admin.site_of(source), data_admin.site_of(target)):
        raise typer.Exit(2)


@people.command("list")
def list_people(
    name: Annotated[str, typer.Option(metavar="TEXT", help="Only those whose name holds it.")] = "",
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """List all who have a name here, the last who played first."""
    _console().print(people_admin.listed(data_admin.DataLocation(data, database), name))


@people.command(context_settings=ANY_WORD)
def mute(
    person: people_admin.Person, undo: people_admin.Undo = False, data: Data = Path("data"), database: Database = ""
) -> None:
    """Let somebody play and not be heard."""
    typer.echo(people_admin.mute(data_admin.DataLocation(data, database), person, undo))


@people.command(context_settings=ANY_WORD)
def remove(
    person: people_admin.Person, undo: people_admin.Undo = False, data: Data = Path("data"), database: Database = ""
) -> None:
    """Sign somebody out everywhere, for good; their seats stay as they are."""
    typer.echo(people_admin.remove(data_admin.DataLocation(data, database), person, undo))


@bots.command("list")
def list_bots(data: Data = Path("data"), database: Database = "") -> None:
    """List all outside bots and their tokens."""
    _console().print(bot_admin.listed(data_admin.DataLocation(data, database)))


@bots.command("make")
def make_bot(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called.", show_default=False)],
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Make an outside bot that is nobody's, with a token, which is told once."""
    typer.echo(bot_admin.make(data_admin.DataLocation(data, database), name))


@bots.command("token")
def make_token(
    bot: bot_admin.Bot,
    name: Annotated[str, typer.Option(metavar="TEXT", help="How the list calls it.")] = "host",
    scopes: Annotated[str, typer.Option(metavar="WORDS", help="What it is for: watch, play, or both.")] = "watch,play",
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Make another token for an outside bot; it is told once."""
    typer.echo(bot_admin.make_token(data_admin.DataLocation(data, database), bot, name, scopes))


@bots.command("revoke")
def revoke_token(
    token: Annotated[str, typer.Argument(metavar="TOKEN", help="As the list names it.", show_default=False)],
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """A token lets nobody in any more."""
    typer.echo(bot_admin.revoke(data_admin.DataLocation(data, database), token))


@app.command("ratings")
def show_ratings(
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Find all anew, with bots as their ladders have measured them last.")
    ] = False,
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Show how well people play, as rated matches tell; also while a server runs."""
    site = data_admin.DataLocation(data, database)
    if rebuild:
        typer.echo(ratings_admin.rebuild(site))
    else:
        _console().print(ratings_admin.listed(site))


@people.command(context_settings=ANY_WORD)
def reports(
    dismiss: Annotated[
        str, typer.Option("--dismiss", metavar="REPORT", help="It was read, and is not listed any more.")
    ] = "",
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """List what people have reported of what others write, the last first."""
    site = data_admin.DataLocation(data, database)
    if dismiss:
        typer.echo(people_admin.dismiss(site, dismiss))
    else:
        _console().print(people_admin.reported(site))


@app.command("change-secret")
def change_secret(
    forget: Annotated[
        bool, typer.Option("--forget", help="Cookies of before mean nothing any more: guests lose their seats.")
    ] = False,
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Sign cookies with a new secret; those of before hold, and are signed anew when they are next seen."""
    typer.echo(people_admin.change_secret(data_admin.DataLocation(data, database), forget))


def complain(what: object) -> None:
    """One sentence on stderr."""
    sentence = " ".join(str(what).split()).rstrip(".")
    print(f"polyopolis: {sentence}.", file=sys.stderr)
