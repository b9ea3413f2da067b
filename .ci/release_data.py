"""The program of `.ci/release-data`: fills a database by calls and commands, and writes the folder of a release.

Reads the messages of `cargo build`, which name the binary and the descriptors of the API."""

import contextlib
import datetime
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

from throwaway import Postgres, free_port, until

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The maximum size of a folder, in bytes.
SIZE_MAX = 2_000_000
# A `not_before_time` near the limit, which is 366 days ahead.
LATER = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=365)).strftime("%Y-%m-%dT%H:%M:%SZ")
OPEN = ("JOB_STATE_QUEUED", "JOB_STATE_RUNNING")

CONFIG = """
[[target]]
level = "hard"
target = 50
low_water = 10
cron = "0 1 * * *"
time_zone = "Europe/Berlin"
window_minutes = 60

[[series]]
name = "daily"
time_zone = "Asia/Tokyo"
# No puzzle on a shelf has this symmetry, so the days of the series take none from the stock.
weekdays = [
  {level = "easy", symmetry = "diagonal"}, {level = "easy", symmetry = "diagonal"},
  {level = "medium", symmetry = "diagonal"}, {level = "medium", symmetry = "diagonal"},
  {level = "hard", symmetry = "diagonal"}, {level = "hard", symmetry = "diagonal"},
  {level = "evil", symmetry = "diagonal"},
]
"""

PRINCIPALS = {"app": "reader", "newsroom": "maker", "desk": "ops", "chief": "admin"}

# The number of puzzles of each variant that `STOCK` does not name.
OTHERS = 2
# Kind, variant, level, and number of the puzzles that everyone can get.
STOCK = [
    ("SUDOKU", "", "EASY", 60),
    ("SUDOKU", "", "MEDIUM", 30),
    ("SUDOKU", "", "HARD", 25),
    ("SUDOKU", "", "EXPERT", 25),
    ("SUDOKU", "", "EVIL", 15),
    ("KAKURO", "6x6", "EASY", 40),
    ("KAKURO", "6x6", "MEDIUM", 25),
    ("KAKURO", "6x6", "HARD", 20),
    ("KAKURO", "8x10", "EXPERT", 20),
    ("KAKURO", "5x5-runs9-white40", "MEDIUM", 15),
]


class Server:
    """A server that runs until the end of the `with` block, and calls of its API as JSON over HTTP."""

    def __init__(self, binary, folder, *flags):
        self.address = f"127.0.0.1:{free_port()}"
        command = [binary, "serve", "--listen", self.address, "--database", "sqlite:stock.db", *flags]
        self.log = open(folder / "log", "a")
        self.process = subprocess.Popen(command, cwd=folder, stderr=self.log)
        asked = [binary, "health", "--address", self.address]
        until(lambda: subprocess.run(asked, capture_output=True, check=False).returncode == 0, "no server")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.terminate()
        code = self.process.wait(timeout=60)
        self.log.close()
        assert code == 0 or any(error), f"the server ended with exit code {code}"

    def caller(self, token):
        """A function that makes calls with a token."""

        def call(method, **fields):
            service, name = method.split(".")
            request = urllib.request.Request(
                f"http://{self.address}/puzzled.v1.{service}Service/{name}",
                json.dumps(fields).encode(),
                {"content-type": "application/json", "authorization": f"Bearer {token}"},
            )
            try:
                with urllib.request.urlopen(request, timeout=300) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                raise SystemExit(f"{method} {fields}: {error.read().decode()}") from error

        return call


def main():
    program, descriptors = built()
    version = run(program, "--version").strip()
    folder = ROOT / "tests/released" / version.split()[1]
    if folder.exists() and "--force" not in sys.argv[1:]:
        raise SystemExit(f"{folder} exists; to write it again, add --force")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        # Another user runs PostgreSQL in a folder below this one.
        work.chmod(0o755)
        fill(program, work)
        files = written(program, descriptors, work)
    commit = run("git", "rev-parse", "HEAD", cwd=ROOT)
    files["commit"] = f"{commit}{version}\n".encode()
    size = sum(map(len, files.values()))
    assert size <= SIZE_MAX, f"{size} bytes, more than {SIZE_MAX}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in sorted(files.items()):
        (folder / name).write_bytes(content)
        print(f"{folder.relative_to(ROOT)}/{name}: {len(content)} bytes")


def built():
    """The binary and the descriptors of the API, as `cargo build` reports them."""
    messages = [json.loads(line) for line in sys.stdin if line.startswith("{")]
    ended = [message for message in messages if message["reason"] == "build-finished"]
    if not ended or not ended[-1]["success"]:
        raise SystemExit("the build failed")
    programs = [message["executable"] for message in messages if message.get("target", {}).get("name") == "puzzled"]
    scripts = [message for message in messages if message["reason"] == "build-script-executed"]
    outs = [message["out_dir"] for message in scripts if message["package_id"].startswith(f"path+file://{ROOT}/crates/api#")]
    return next(filter(None, programs)), pathlib.Path(outs[0], "puzzled_descriptors.bin")


def run(*command, cwd=None, code=0, **options):
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, **options)
    assert ran.returncode == code, (command, ran.returncode, ran.stdout, ran.stderr)
    return ran.stdout


def fill(program, work):
    """Makes the database `stock.db` in a folder."""
    (work / "puzzled.toml").write_text(CONFIG)
    tokens, access = {}, ""
    for name, role in PRINCIPALS.items():
        token, entry = run(program, "token", "new", "--principal", name).split("\n", 1)
        tokens[name] = token
        access += f'[[principal]]\nname = "{name}"\nrole = "{role}"\nsolutions = true\n{entry}\n'
    (work / "access.toml").write_text(access)
    flags = ["--config", "puzzled.toml", "--access", "access.toml", "--workers", "2", "--top-up-count", "5"]
    with Server(program, work, *flags, "--daily-ahead-days", "3") as server:
        calls = {name: server.caller(token) for name, token in tokens.items()}
        make_stock(calls["newsroom"], calls["desk"])
        import_some(program, work, calls["desk"])
        deliver(calls["app"], calls["newsroom"], calls["desk"])
        withdraw(calls["newsroom"], calls["desk"])
        # A refused call for the audit log: the app must not change the queue.
        with contextlib.suppress(SystemExit):
            calls["app"]("Job.PauseQueue", reason="curious")
        calls["chief"]("Server.ListAuditEntries")
        leave_open(calls["newsroom"], calls["desk"])
    # Marks some puzzles as rated by an older rater, so that `rerate` adds ratings.
    with contextlib.closing(sqlite3.connect(work / "stock.db")) as db, db:
        db.execute("update puzzles set rater_version = rater_version - 1 where id % 50 = 0 and withdrawn_at is null")
    assert run(program, "rerate", "--database", "sqlite:stock.db", cwd=work)


def ended(call, job):
    """Waits until a job has ended, and returns its state."""
    until(lambda: call("Job.GetJob", id=job)["job"]["state"] not in OPEN, f"{job} does not end")
    return call("Job.GetJob", id=job)["job"]["state"]


def generate(call, kind, variant, level, count, **fields):
    fields |= {"kind": f"KIND_{kind}", "variant": variant, "level": f"LEVEL_{level}", "count": count}
    return call("Puzzle.Generate", **fields)["job"]["id"]


def make_stock(maker, ops):
    # So few givens leave no unique solution.
    rare = {"symmetry": "SYMMETRY_ROTATION90", "minGivens": 20, "maxGivens": 20}
    failing = generate(maker, "SUDOKU", "", "EASY", 2, labels={"end": "failed"}, **rare)
    jobs = []
    for number, (kind, variant, level, count) in enumerate(STOCK + other_variants(maker)):
        named = {"requestId": f"stock-{number}", "seed": number + 1, "labels": {"for": "stock"}}
        jobs.append(generate(maker, kind, variant, level, count, **named))
    jobs.append(generate(maker, "SUDOKU", "", "MEDIUM", 6, audience="book-7"))
    jobs.append(generate(maker, "KAKURO", "6x6", "EASY", 4, audience="book-8"))
    for job in jobs:
        assert ended(maker, job) == "JOB_STATE_SUCCEEDED", job
    cancelled = generate(maker, "SUDOKU", "", "EVIL", 9, notBeforeTime=LATER, labels={"end": "cancelled"})
    maker("Job.CancelJob", id=cancelled)
    generate(maker, "SUDOKU", "", "EASY", 3, notBeforeTime=LATER, labels={"end": "none"})
    target = {"kind": "KIND_SUDOKU", "level": "LEVEL_EASY", "target": 66, "lowWater": 64}
    target = ops("Stock.CreateStockTarget", **target)["target"]["id"]
    until(lambda: maker("Job.ListJobs", targetId=target).get("jobs"), "no refill")
    assert ended(maker, maker("Job.ListJobs", targetId=target)["jobs"][0]["id"]) == "JOB_STATE_SUCCEEDED"
    asked = {"kind": "KIND_KAKURO", "variant": "7x7", "enqueueIfShort": True, "wait": True}
    maker("Puzzle.GetPuzzle", audience="newsroom", **asked)
    for name in ("world", "ended"):
        # No puzzle that everyone can get has this variant.
        series = {"kind": "KIND_KAKURO", "variant": "5x6", "timeZone": "Etc/GMT-14"}
        ops("Series.CreateDailySeries", name=name, criteria=[{"level": "LEVEL_EASY"}], **series)
    until(lambda: all(one.get("daysReady") == 4 for one in maker("Series.ListDailySeries")["series"]), "a day has no puzzle")
    ops("Series.EndDailySeries", name="ended")
    ops("Series.UpdateDailySeries", name="world", criteria=[{"level": "LEVEL_MEDIUM"}])
    assert ended(maker, failing) == "JOB_STATE_FAILED"


def other_variants(maker):
    """The variants that `STOCK` does not name, each with one of its levels. A pattern of names, `WxH`, is no variant."""
    stated = {(kind, variant) for kind, variant, _, _ in STOCK}
    rows = []
    for kind in maker("Server.GetServerInfo")["kinds"]:
        name, default = kind["kind"].removeprefix("KIND_"), kind["defaultVariant"]
        for variant in kind["variants"]:
            is_stated = (name, variant["name"]) in stated or (variant["name"] == default and (name, "") in stated)
            if not is_stated and not variant["name"].startswith("WxH"):
                levels = variant["levels"]
                level = levels[len(rows) % len(levels)]["level"].removeprefix("LEVEL_")
                rows.append((name, variant["name"], level, OTHERS))
    return rows


def import_some(program, work, ops):
    # Puzzles that a job of this server does not make.
    made = run(program, "generate", "--level", "medium", "--count", "8", "--seed", "99")
    kakuro = run(program, "generate", "--kind", "kakuro", "--size", "6x6", "--level", "medium", "--count", "4", "--seed", "99")
    texts = [("SUDOKU", text) for text in made.splitlines()] + [("KAKURO", text) for text in kakuro.strip().split("\n\n")]
    records = [
        {"line": line, "kind": f"KIND_{kind}", "text": text, "note": f"page {line}"}
        for line, (kind, text) in enumerate(texts, 1)
    ]
    records[0]["note"] = ""
    answer = ops("Puzzle.ImportPuzzles", importId="book-1", source="A book for Ada, 2nd edition", records=records)
    assert not any("refusal" in result for result in answer["results"]), answer


def deliver(reader, maker, ops):
    for number in range(12):
        kind = {"kind": "KIND_SUDOKU"} if number % 3 else {"kind": "KIND_KAKURO", "variant": "any"}
        reader("Puzzle.GetPuzzle", audience="player-1", requestId=f"game-{number}", **kind)
    # All matching puzzles except two.
    fit = {"kind": "KIND_KAKURO", "variant": "6x6", "level": "LEVEL_HARD"}
    for _ in range(18):
        reader("Puzzle.GetPuzzle", audience="club", **fit)
    for number in range(2):
        exclusive = {"audience": "book-7", "exclusive": True, "requestId": f"page-{number}"}
        reader("Puzzle.GetPuzzle", kind="KIND_SUDOKU", **exclusive)
    for series in ("daily", "world"):
        reader("Puzzle.GetDailyPuzzle", series=series, audience="player-1")
    had = maker("Puzzle.ListDeliveries", audience="player-1")["deliveries"]
    text = run_text(maker)
    puzzles = [{"id": "puzzle-1"}, {"repeatHash": had[0]["repeatHash"]}, {"kind": "KIND_SUDOKU", "text": text}]
    maker("Puzzle.RecordDeliveries", audience="player-2", puzzles=puzzles)
    reader("Puzzle.GetPuzzle", audience="gone", kind="KIND_SUDOKU")
    ops("Puzzle.ForgetAudience", audience="gone")


def run_text(maker):
    """The text of a view, which is not stored. Its repeat hash is that of the stored puzzle."""
    return maker("Puzzle.GetPuzzle", id="puzzle-20", scrambleSeed=5)["puzzle"]["text"]


def withdraw(maker, ops):
    had = maker("Puzzle.ListDeliveries", audience="player-1")["deliveries"]
    named = next(one for one in had if one.get("requestId") == "game-1")
    ops("Puzzle.WithdrawPuzzle", id=named["puzzleId"], reason="a misprint")
    ops("Puzzle.WithdrawPuzzles", importId="book-1", kind="KIND_KAKURO", reason="the licence ended")
    job = generate(maker, "SUDOKU", "", "EASY", 3, labels={"end": "forgotten"})
    assert ended(maker, job) == "JOB_STATE_SUCCEEDED"
    ops("Puzzle.WithdrawPuzzles", jobId=job, reason="an odd request", forget=True)


def leave_open(maker, ops):
    """Pauses the queue in the middle of a job."""
    labels = {"end": "none", "paused": "yes"}
    rare = {"symmetry": "SYMMETRY_ROTATION90", "minGivens": 24, "maxGivens": 24}
    job = generate(maker, "SUDOKU", "", "EXPERT", 30, labels=labels, **rare)
    until(lambda: maker("Job.GetJob", id=job)["job"].get("made"), "no rare puzzle")
    ops("Job.PauseQueue", reason="the release")
    left = maker("Job.GetJob", id=job)["job"]
    assert left["state"] in OPEN and left["made"] < left["wanted"], left


def written(program, descriptors, work):
    """The files of the folder with their contents."""
    run(program, "backup", "released.db", "--database", "sqlite:stock.db", cwd=work)
    run(program, "check", "--database", "sqlite:released.db", cwd=work)
    files = {"stock.db": (work / "released.db").read_bytes(), "api.binpb": descriptors.read_bytes()}
    for number, write in enumerate((dump, transcript)):
        place = work / str(number)
        place.mkdir()
        shutil.copy(work / "released.db", place / "stock.db")
        name, text = write(program, place)
        files[name] = text.encode()
    return files


def dump(program, place):
    """The database on PostgreSQL. `puzzled copy` copies all rows except those of processes."""
    place.chmod(0o755)
    server = Postgres(place)
    try:
        run(program, "copy", "--from", "sqlite:stock.db", "--to", server.url, cwd=place)
        run(program, "check", "--database", server.url)
        text = run(server.programs / "pg_dump", "--inserts", "--no-owner", server.url)
    finally:
        server.stop()
    # Only psql reads its own commands.
    return "stock.sql", "".join(line for line in text.splitlines(True) if not line.startswith("\\"))


def transcript(program, place):
    """Commands with their outputs. None of them changes the database, depends on the time, or shows what a version may change."""
    with contextlib.closing(sqlite3.connect(place / "stock.db")) as db:

        def one(table, where):
            return db.execute(f"select id from {table} where {where} order by id limit 1").fetchone()[0]

        days = db.execute("select name, min(date) from days join series on series.id = series_id group by name").fetchall()
        sudoku = one("puzzles", "position is not null and text not like '%#%'")
        kakuro = one("puzzles", "position is not null and text like '%#%'")
        others = [one("puzzles", "holder is not null"), one("puzzles", "withdrawn_at is not null")]
        text = db.execute("select text from puzzles where id = ?", (sudoku,)).fetchone()[0]
        cancelled = one("jobs", "state = 'cancelled'")
        # The first puzzle of each variant whose texts name it.
        select = "select kind, min(puzzles.id) from puzzles join shelves on shelves.id = shelf_id where text like '%: %' group by kind, variant"
        of_grid = db.execute(select).fetchall()
        kinds = sorted({kind for kind, _ in of_grid} - {"sudoku"})
    commands = [
        f"get puzzle-{sudoku} --solution",
        f"get puzzle-{kakuro}",
        *(f"get puzzle-{id}{flags}" for _, id in of_grid for flags in ("", " --json --solution")),
        *(f"solve puzzle-{id}" for _, id in of_grid),
        *(f"list --kind {kind} --limit 5 --json" for kind in kinds),
        *(f"get puzzle-{id} --json --solution" for id in [sudoku, kakuro, *others]),
        "get --audience player-1 --request-id game-0 --kind kakuro --variant any",
        "get --audience player-1 --request-id game-1 --json",
        "list --level hard --limit 5 --json",
        "list --import book-1 --json",
        f"solve puzzle-{sudoku}",
        f"solve puzzle-{sudoku} --scramble-seed 7",
        f"solve puzzle-{kakuro}",
        f"validate {text}",
        *(f"daily --series {name} --date {date}" for name, date in days),
        *(f"daily --series {name} --date {date} --json" for name, date in days),
        "jobs --state succeeded --state failed --state cancelled --state ended --limit 100 --json",
        "jobs --label end=none --json",
        f"audit --subject job-{cancelled} --json",
        "audit --principal desk --json",
        "audit --principal app --json",
        "target list --json",
        "export --import book-1 --format csv --solutions",
        "export --import book-1 --format json",
        "export --level expert --format sdm",
        "export --kind kakuro --level expert",
        *(f"export --kind {kind} --format csv --solutions" for kind in kinds),
        "export --deliveries",
    ]
    keep = [flag for kind in ("jobs", "requests", "deliveries", "audit") for flag in (f"--retention-{kind}-days", "0")]
    lines = []
    with Server(program, place, "--workers", "0", *keep) as server:
        env = {"PUZZLED_LISTEN": server.address, "PUZZLED_DATABASE_URL": "sqlite:stock.db"}
        for command in commands:
            lines.append(f"$ puzzled {command}\n{run(program, *command.split(), cwd=place, env=env)}")
    return "transcript.txt", "".join(lines)


if __name__ == "__main__":
    main()
