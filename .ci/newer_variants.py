"""Checks that an old program leaves alone the puzzles, stock targets, series, and jobs of variants that it lacks, and reads all texts of
the variants that it has; part of `.ci/upgrade`."""

import contextlib
import datetime
import json
import subprocess
import time

import grpc

from rolling import ROOT

# The audience that both programs deliver to.
AUDIENCE = "both programs"
# The number of puzzles of each job, and of each stock target.
COUNT, TARGET = 2, 5
# The first version whose series may have several kinds.
KINDS_OF_DAYS = (0, 3)
# The number of boards of each file that are imported.
BOARDS = 30
# The first is of an older shape, the second has a run of one cell with a clue, the third one without.
KAKURO = [
    "# # # #\n# # \\4 \\3\n# 3\\ . .\n# 4\\ . .",
    "# \\4 \\3 #\n3\\ . . #\n4\\ . . \\5\n# # 5\\ .",
    "# # # #\n# # \\4 \\6\n# 3\\ . .\n# 4\\ . .\n# # # .",
]
# What a program shows of a puzzle only if it knows the variant.
SHOWN = ["include_drawing", "include_structure", "include_links", "include_record"]


def left_alone(trial, draw):
    """The new program queues work of variants that the old one lacks; the old one serves what it knows; the new one finishes."""
    with started(trial, "old") as old:
        known, version = variants(old), old.version()
    with started(trial, "new") as new:
        newer = [(kind, variant, level) for (kind, variant), level in variants(new).items() if (kind, variant) not in known]
        if not newer:
            print(f"{trial.name}: skipped: the old program has all variants", flush=True)
            return
        if version < KINDS_OF_DAYS:
            with started(trial, "old"):
                new.must_not_mix_kinds(newer)
        made, day = new.make(newer), new.day_of_series(newer)
        new.server.PauseQueue(new.messages["job"].PauseQueueRequest(reason="upgrade"))
        queued, targets = new.queue(newer), [new.target(*variant) for variant in newer]
        jobs = len(new.jobs())
    with started(trial, "old") as old:
        old.server.ResumeQueue(old.messages["job"].ResumeQueueRequest())
        listed = old.shows(made)
        assert old.day() == day, f"{day} became {old.day()}"
        # When this target is filled, the planner has passed the other targets, and the worker has done this job.
        old.is_filled(old.target("KIND_KAKURO", "", "LEVEL_EASY"))
        drawn = draw(trial.api["puzzle"], old.puzzles, AUDIENCE, "KIND_SUDOKU", 500, variant="any")
        jobs_now = old.jobs()
        assert len(jobs_now) == jobs + 1, f"{jobs} jobs became {len(jobs_now)}"
        states = {(jobs_now[id].state, jobs_now[id].tries, jobs_now[id].failed_attempts) for id in queued}
        queued_state = old.messages["job"].JOB_STATE_QUEUED
        assert states == {(queued_state, 0, 0)}, f"state, tries, and failed attempts of queued jobs: {states}"
    program = trial.programs["old"]
    checked = json.loads(output(program, "check", "--json", "--database", trial.url).splitlines()[-1])
    assert (int(checked["newer"]), checked["findings"]) == (len(made), "0"), checked
    lines = output(program, "export", "--format", "json", "--database", trial.url).splitlines()
    exported = {json.loads(line)["id"] for line in lines}
    assert listed and listed <= exported, f"{listed - exported} are not exported"
    with started(trial, "new") as new:
        new.must_succeed(queued)
        for target in targets:
            new.is_filled(target)
        assert new.day() == day, f"{day} became {new.day()}"
        for kind, variant, _ in newer:
            assert draw(trial.api["puzzle"], new.puzzles, AUDIENCE, kind, 1, variant=variant) == 1
    what = f"{len(newer)} variants that old lacks, {len(made)} puzzles, {len(queued)} jobs, {len(targets)} targets"
    print(f"{trial.name}: {what}: left alone by old, which delivered {drawn} others, and done by new", flush=True)
    trial.check()


def texts_are_read(trial):
    """The new program imports boards of many shapes. Of the variants that the old program has, it stores those alone that the old program
    reads, and refuses the others as too new."""
    with started(trial, "old") as old:
        known = set(variants(old))
    with started(trial, "new") as new:
        stored, too_new = new.imports(list(shapes()))
    with started(trial, "old") as old:
        read = sum(old.reads(id, known) for id in stored)
        for kind, text in too_new:
            old.cannot_read(kind, text)
    assert read and too_new, f"{read} read, {len(too_new)} too new"
    what = f"{read} of {len(stored)} imported puzzles are of its variants, and read; {len(too_new)} that it cannot read were refused"
    print(f"{trial.name}: old: {what}", flush=True)
    trial.check()


def shapes():
    """The kind and the text of the first boards of each file of the tests, and of Kakuros with a run of one cell, with and without a clue."""
    for file in sorted((ROOT / "tests/data/grid").glob("*.jsonl")):
        for line in file.read_text().splitlines()[:BOARDS]:
            yield (board := json.loads(line))["kind"], board["text"]
    for text in KAKURO:
        yield "KIND_KAKURO", text


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


@contextlib.contextmanager
def started(trial, which):
    """The calls of a program that runs until the block ends."""
    server = trial.start(which)
    with grpc.insecure_channel(server.address) as channel:
        yield Calls(trial.api, channel)
    server.stop()


def variants(calls):
    """The kinds and variants of a program, each with its easiest level. A pattern, `WxH`, names no variant that can be queued."""
    kinds = calls.info.GetServerInfo(calls.messages["server"].GetServerInfoRequest()).kinds
    listed = [(kind.kind, variant) for kind in kinds for variant in kind.variants if not variant.name.startswith("WxH")]
    return {(kind, variant.name): variant.levels[0].level for kind, variant in listed}


class Calls:
    """The services of a server, and the steps that both programs take."""

    def __init__(self, api, channel):
        self.messages = api
        stub = lambda name: api["stub"](name, channel)
        self.puzzles, self.server, self.info = stub("Puzzle"), stub("Job"), stub("Server")
        self.stock, self.series = stub("Stock"), stub("Series")

    def queue(self, newer):
        request = self.messages["puzzle"].GenerateRequest
        requests = [request(kind=kind, variant=variant, level=level, count=COUNT) for kind, variant, level in newer]
        return [self.puzzles.Generate(request).job.id for request in requests]

    def make(self, newer):
        """Makes puzzles, and returns their IDs. The audience gets one of each variant."""
        messages, ids = self.messages["puzzle"], set()
        jobs = self.queue(newer)
        self.must_succeed(jobs)
        for job in jobs:
            ids |= {puzzle.id for puzzle in self.puzzles.ListPuzzles(messages.ListPuzzlesRequest(job_id=job)).puzzles}
        for kind, variant, _ in newer:
            self.puzzles.GetPuzzle(messages.GetPuzzleRequest(kind=kind, variant=variant, audience=AUDIENCE))
        assert len(ids) == COUNT * len(newer), f"{len(ids)} puzzles of {len(newer)} variants"
        return ids

    def must_succeed(self, jobs):
        messages = self.messages["job"]
        for job in jobs:
            states = [event.job.state for event in self.server.WatchJob(messages.WatchJobRequest(id=job), timeout=300)]
            assert states[-1] == messages.JOB_STATE_SUCCEEDED, f"{job}: {states}"

    def jobs(self):
        """All jobs by ID."""
        messages, found, token = self.messages["job"], {}, None
        while token != "":
            page = self.server.ListJobs(messages.ListJobsRequest(page_size=200, page_token=token or ""))
            found, token = found | {job.id: job for job in page.jobs}, page.next_page_token
        return found

    def target(self, kind, variant, level):
        request = self.messages["stock"].CreateStockTargetRequest
        return self.stock.CreateStockTarget(request(kind=kind, variant=variant, level=level, target=TARGET)).target.id

    def is_filled(self, target):
        """Waits until the stock holds what a target wants."""
        messages = self.messages["stock"]
        for _ in range(600):
            targets = self.stock.GetStock(messages.GetStockRequest()).targets
            if any(at.target.id == target and at.state == messages.TARGET_STATE_STOCKED for at in targets):
                return
            time.sleep(0.1)
        raise SystemExit(f"the stock target {target} is not filled after a minute")

    def day_of_series(self, newer):
        """Creates a series, and returns the ID of its puzzle for today."""
        self.series.CreateDailySeries(self.mixed(newer))
        return self.day()

    def mixed(self, newer):
        """A series whose days have one of the newer variants and Sudoku in turn."""
        messages = self.messages["series"]
        day = lambda kind, variant: messages.DayCriteria(kind=kind, variant=variant)
        kind, variant, _ = newer[0]
        week = [day(kind, variant), day("KIND_SUDOKU", "")] * 4
        # The first of these two sets is that of today.
        today = datetime.datetime.now(datetime.timezone.utc).weekday()
        criteria = [week[(7 + weekday - today) % 7] for weekday in range(7)]
        return messages.CreateDailySeriesRequest(name="newer", criteria=criteria)

    def must_not_mix_kinds(self, newer):
        try:
            self.series.CreateDailySeries(self.mixed(newer))
        except grpc.RpcError as error:
            assert "PROCESS_TOO_OLD" in str(error.trailing_metadata()), error
        else:
            raise SystemExit("a series gets several kinds while the old program runs")

    def version(self):
        """The major and the minor version."""
        version = self.info.GetServerInfo(self.messages["server"].GetServerInfoRequest()).version
        return tuple(int(part) for part in version.split(".")[:2])

    def day(self):
        return self.puzzles.GetDailyPuzzle(self.messages["puzzle"].GetDailyPuzzleRequest(series="newer")).puzzle.id

    def imports(self, boards):
        """Imports boards, and returns the IDs of those stored, and the boards that are too new."""
        messages, ids, too_new = self.messages["puzzle"], [], []
        records = [messages.ImportRecord(line=line, kind=kind, text=text) for line, (kind, text) in enumerate(boards, 1)]
        while records:
            request = messages.ImportPuzzlesRequest(import_id="shapes", records=records[:100])
            results = self.puzzles.ImportPuzzles(request).results
            records = records[len(results) :]
            for result in results:
                if result.refusal == messages.IMPORT_REFUSAL_TOO_NEW:
                    too_new.append(boards[result.line - 1])
                else:
                    assert result.puzzle_id or result.other_id, result
                    ids.append(result.puzzle_id or result.other_id)
        return ids, too_new

    def reads(self, id, known):
        """Whether the server knows the variant of a puzzle. If so, checks that it shows the puzzle, and reads its text."""
        messages, fields = self.messages["puzzle"], dict.fromkeys(SHOWN, True)
        puzzle = self.puzzles.GetPuzzle(messages.GetPuzzleRequest(id=id, **fields)).puzzle
        # The variants of Kakuro are one entry.
        if known.isdisjoint({(puzzle.kind, puzzle.variant), (puzzle.kind, "WxH")}):
            return False
        assert puzzle.drawing and puzzle.board, puzzle
        request = messages.SolveRequest(kind=puzzle.kind, variant=puzzle.variant, text=puzzle.text)
        assert self.puzzles.Solve(request).solution, puzzle
        return True

    def cannot_read(self, kind, text):
        try:
            self.puzzles.Validate(self.messages["puzzle"].ValidateRequest(kind=kind, text=text))
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.INVALID_ARGUMENT, error
        else:
            raise SystemExit(f"the old program reads {text}, so it need not be refused")

    def shows(self, ids):
        """Checks that the server returns, exports, and lists puzzles without the fields for which it must know the variant. Returns the
        IDs that it exports: all except for the puzzles that the series holds. Metrics have a name of their own, which it may know."""
        messages, fields = self.messages["puzzle"], dict.fromkeys(SHOWN, True)
        by_id = [self.puzzles.GetPuzzle(messages.GetPuzzleRequest(id=id, **fields)).puzzle for id in sorted(ids)]
        answers = self.puzzles.ExportPuzzles(messages.ExportPuzzlesRequest(**fields))
        exported = {puzzle.id: puzzle for answer in answers for puzzle in answer.puzzles}
        for puzzle in by_id:
            bare = not (puzzle.drawing or puzzle.board or puzzle.links or puzzle.rows)
            assert puzzle.text and puzzle.variant and bare, puzzle
            if not puzzle.held:
                listed = self.puzzles.ListPuzzles(messages.ListPuzzlesRequest(job_id=puzzle.job_id, **fields)).puzzles
                assert exported[puzzle.id] == puzzle and puzzle in listed, puzzle
        return {puzzle.id for puzzle in by_id if not puzzle.held}
