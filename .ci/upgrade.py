"""The program of `.ci/upgrade`: builds the old and the new program, runs their servers, and calls them during an upgrade and a rollback."""

import contextlib
import functools
import itertools
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import grpc

from newer_variants import left_alone, texts_are_read
from rolling import ROOT, Replica, compiled, fill, keep_logs, load, must_be_whole
from throwaway import Postgres, initdb

OUT = ROOT / "target/upgrade"
# What a program is built from.
SOURCES = ["Cargo.lock", "Cargo.toml", "build.rs", "crates", "migrations", "proto", "src"]
# The length of a phase of the load, in seconds.
PHASE = 10
# The maximum number of puzzles of a kind that each program draws for an audience. The old program leaves some for the new one.
DRAWS = {"old": 20, "new": 500}


def is_usable(release):
    """Whether the history has the commit of a release, and its sources differ from those of this tree."""
    commit = commit_of(release)
    git = lambda *command: subprocess.run(["git", *command], cwd=ROOT, stderr=subprocess.DEVNULL).returncode == 0
    lacks = not git("cat-file", "-e", f"{commit}^{{commit}}")
    if lacks or git("diff", "--quiet", commit, "--", *SOURCES):
        why = f"the history lacks {commit}; fetch the whole history" if lacks else "no source has changed since"
        print(f"release {release.name} left out: {why}", flush=True)
        return False
    return True


def commit_of(release):
    return (release / "commit").read_text().split()[0]


def builds(release):
    """The program of the release, and the one that follows it."""
    this = built(ROOT, ROOT / "target")
    if not release:
        print("from this build to one with a further migration", flush=True)
        return this, built(with_one_migration(), OUT / "build-next")
    commit = commit_of(release)
    print(f"from {commit}, release {release.name}, to this build", flush=True)
    return built(checked_out(commit), OUT / "build-release"), this


def checked_out(commit):
    """The tree of a commit, in a worktree."""
    tree = OUT / "release"
    if not tree.exists():
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, commit], cwd=ROOT, check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", commit], cwd=tree, check=True)
    return tree


def with_one_migration():
    """A copy of this tree with one more migration for each database. Older programs can use its schema."""
    tree = OUT / "next"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", "target", "venv", "node_modules"))
    schema = (ROOT / "tests/support/next_schema.rs").read_text()
    migration = re.search(r'const COMPATIBLE: &str = "(.*?)";', schema, re.DOTALL)[1]
    for database in "sqlite", "postgres":
        folder = tree / "migrations" / database
        number = 1 + max(int(file.name.partition("_")[0]) for file in folder.glob("*.sql"))
        (folder / f"{number:04}_next.sql").write_text(migration)
    return tree


def built(tree, target):
    """Builds the program of a tree. Reuses the dependencies that this build has compiled."""
    if not target.exists():
        # Copies compiled dependencies, but nothing of puzzled itself. Of `deps`, copies libraries and no tests.
        is_own = lambda folder, file: "puzzled" in file or folder.endswith("/deps") and not file.startswith("lib")
        own = lambda folder, names: [file for file in names if file == "incremental" or is_own(folder, file)]
        shutil.copytree(ROOT / "target/debug", target / "debug", ignore=own)
    subprocess.run(["cargo", "build", "--locked"], cwd=tree, env={**os.environ, "CARGO_TARGET_DIR": target}, check=True)
    return target / "debug/puzzled"


class Trial:
    """A database that the servers of both programs use under load."""

    def __init__(self, ends, folder, api, programs, name, url):
        self.ends, self.folder, self.api, self.programs, self.name, self.url = ends, folder, api, programs, name, url
        # One job fills the stock.
        self.servers, self.failed, self.jobs = [], [], 1

    def start(self, which):
        server = Replica(self.programs[which], self.url, self.folder, f"{self.name}-{len(self.servers)}-{which}")
        self.servers.append(server)
        self.ends.callback(server.end)
        return server

    def load(self, what, called, change=lambda: None):
        """Calls these servers, and makes a change meanwhile."""

        def work():
            time.sleep(PHASE / 2)
            change()
            time.sleep(PHASE / 2)
            return f"{self.name}, {what}"

        failed, jobs = load(self.api, [server.address for server in called], what, work)
        self.failed, self.jobs = self.failed + failed, self.jobs + jobs

    def run(self):
        self.start("old")
        fill(self.api, self.servers[0].address)
        # The upgrade, and the rollback.
        for old, new in ("old", "new"), ("new", "old"):
            self.load(f"{old}, and {new} starts", self.servers[-1:], lambda: self.start(new))
            self.load(f"{old} and {new}", self.servers[-2:])
            self.load(f"{new}, and {old} stops", self.servers[-1:], self.servers[-2].stop)
        must_be_whole(self.api, self.servers[-1].address, self.failed, self.jobs)
        self.servers[-1].stop()
        self.check()
        left_alone(self, draw)
        texts_are_read(self)

    def draw(self):
        """Both programs, the old one first, draw puzzles for each audience in the data of a release."""
        with contextlib.closing(sqlite3.connect(self.url.removeprefix("sqlite:"))) as data:
            audiences = [name for name, in data.execute("select name from audiences")]
        for which, most in DRAWS.items():
            server, drawn = self.start(which), 0
            with grpc.insecure_channel(server.address) as channel:
                puzzles = self.api["stub"]("Puzzle", channel)
                for audience, kind in itertools.product(audiences, ["KIND_SUDOKU", "KIND_KAKURO"]):
                    drawn += draw(self.api["puzzle"], puzzles, audience, kind, most)
            server.stop()
            print(f"{self.name}: {len(audiences)} audiences got {drawn} more puzzles from {which}, and none twice", flush=True)
        self.check()

    def check(self):
        for program in self.programs.values():
            subprocess.run([program, "check", "--database", self.url], check=True)


def delivered(messages, puzzles, audience, token=""):
    """The repeat hashes of all puzzles that an audience has had."""
    page = puzzles.ListDeliveries(messages.ListDeliveriesRequest(audience=audience, page_token=token))
    rest = delivered(messages, puzzles, audience, page.next_page_token) if page.next_page_token else []
    return [delivery.repeat_hash for delivery in page.deliveries] + rest


def draw(messages, puzzles, audience, kind, most, variant=""):
    """Draws at most `most` puzzles, fewer if the stock is exhausted, checks that no puzzle repeats, and returns the number of puzzles."""
    before, ids = delivered(messages, puzzles, audience), []
    while len(ids) < most:
        try:
            ids.append(puzzles.GetPuzzle(messages.GetPuzzleRequest(kind=kind, variant=variant, audience=audience)).puzzle.id)
        except grpc.RpcError as error:
            # The details have the reason.
            if "STOCK_EXHAUSTED" not in str(error.trailing_metadata()):
                raise
            break
    after = delivered(messages, puzzles, audience)
    is_more = len(set(after)) == len(after) == len(before) + len(set(ids)) and set(before) <= set(after)
    assert is_more and len(set(ids)) == len(ids), f"{audience}: {before} and {ids} became {after}"
    return len(ids)


def main():
    folders = [file.parent for file in (ROOT / "tests/released").glob("*/commit")]
    releases = sorted(folders, key=lambda folder: [int(part) for part in folder.name.split(".")], reverse=True)
    if len(sys.argv) > 1:
        releases = [folder for folder in releases if folder.name == sys.argv[1]]
        if not releases:
            raise SystemExit(f"{sys.argv[1]}: no such release; use one of {', '.join(sorted(it.name for it in folders))}")
    usable = next(filter(is_usable, releases), None)
    release = usable or releases[0]
    programs = dict(zip(DRAWS, builds(usable)))
    for which, program in programs.items():
        print(f"{which}: {subprocess.check_output([program, '--version'], text=True).strip()}", flush=True)
    with tempfile.TemporaryDirectory(prefix="puzzled-upgrade-") as name, contextlib.ExitStack() as ends:
        (folder := pathlib.Path(name)).chmod(0o755)
        ends.callback(keep_logs, folder, OUT / "logs")
        trial = functools.partial(Trial, ends, folder, compiled(folder), programs)
        data = shutil.copy(release / "stock.db", folder / "released.db")
        trial(f"released-{release.name}", f"sqlite:{data}").draw()
        trial("SQLite", f"sqlite:{folder / 'stock.db'}").run()
        if initdb():
            postgres = Postgres(folder)
            ends.callback(postgres.stop)
            trial("PostgreSQL", postgres.url).run()
        else:
            print("skipped: PostgreSQL, because initdb is not installed here")


if __name__ == "__main__":
    main()
