"""Calls real servers as a new user does, and provokes every error reason that a caller can cause.

`.ci/newcomer` runs it with the path of the binary and an empty folder."""

import csv
import datetime
import json
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from xml.etree import ElementTree

import grpc
from google.rpc import error_details_pb2 as details_pb2
from grpc_status import rpc_status
from puzzled.v1 import common_pb2 as common, errors_pb2 as errors, job_pb2 as job, puzzle_pb2 as puzzle
from puzzled.v1 import series_pb2 as series, server_pb2 as server, stock_pb2 as stock
from puzzled.v1 import job_pb2_grpc, puzzle_pb2_grpc, series_pb2_grpc, server_pb2_grpc, stock_pb2_grpc

BINARY = pathlib.Path(sys.argv[1]).resolve()
DAY = pathlib.Path(sys.argv[2]).resolve()
ROOT = pathlib.Path(__file__).resolve().parent.parent

SUDOKU, KAKURO = common.KIND_SUDOKU, common.KIND_KAKURO
EASY, MEDIUM, EVIL = common.LEVEL_EASY, common.LEVEL_MEDIUM, common.LEVEL_EVIL
GRID = "." * 81
# The number of puzzles of each variant: one is drawn, and the others are printed.
COPIES = 5
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

# Reasons that no caller can cause at will, and the tests that show them.
EVERY_REASON = "contract_and_errors_have_the_same_reasons_and_status_codes"
BY_TEST = {
    "CALLER_GONE": EVERY_REASON,
    "DATABASE_FULL": "full_disk_refuses_writes_and_loses_nothing",
    "DATABASE_READ_ONLY": "read_only_database_is_told_and_its_connections_are_left",
    "DATABASE_REPLACED": "replaced_database_is_saved_whole_and_its_successor_is_unharmed",
    "DATABASE_UNAVAILABLE": "an_unreachable_database_is_unavailable_with_advice_to_retry",
    "DEADLINE_EXCEEDED": "call_past_its_deadline_is_answered_in_time_and_dropped",
    "DRAW_UNLUCKY": EVERY_REASON,
    "INTERNAL": "internal_error_hides_its_cause",
    "KIND_UNSUPPORTED": EVERY_REASON,
    "OUT_OF_BUDGET": EVERY_REASON,
    "PROCESS_TOO_OLD": "older_process_prevents_a_series_of_several_kinds",
    "RATING_OUT_OF_BUDGET": "a_puzzle_beyond_the_raters_budget_is_solved_but_not_rated",
    "SOLVERS_DISAGREE": "solver_disagreement_is_logged_and_fails_with_its_reason",
    "PERMISSION_DENIED": "each_method_is_open_to_its_role_and_the_higher_ones_alone",
    "QUOTA_EXCEEDED": "calls_above_the_rate_are_told_exactly_when_to_repeat",
    "STOCK_FULL": "full_stock_refuses_new_jobs_of_every_call",
    "SERIES_DECLARED": "declared_series_is_changed_in_its_configuration_only",
    "UNAUTHENTICATED": "bad_token_is_refused_with_what_is_wrong_and_never_repeated",
}

seen = {}


def check(is_true, what):
    if not is_true:
        sys.exit(f"FAILED: {what}")


def scene(title):
    print(f"\n== {title}")


def kind_name(kind):
    """The name of a kind, as commands take it."""
    return common.Kind.Name(kind).removeprefix("KIND_").lower().replace("_", "-")


def one_line(message):
    return re.sub(r"\s+", " ", str(message)).strip()[:220]


def show(what, answer):
    print(f"{what}\n    {one_line(answer)}")
    return answer


def refused(what, reason, call):
    """Makes a call that is to fail, and prints what it answers."""
    try:
        call()
    except grpc.RpcError as error:
        status = rpc_status.from_call(error)
        infos = {}
        for detail in status.details if status else []:
            for kind in (details_pb2.ErrorInfo, details_pb2.RetryInfo):
                if detail.Is(kind.DESCRIPTOR):
                    infos[kind.DESCRIPTOR.name] = kind()
                    detail.Unpack(infos[kind.DESCRIPTOR.name])
        info = infos.get("ErrorInfo")
        found = info.reason if info else ""
        retry = f", retry after {infos['RetryInfo'].retry_delay.ToTimedelta()}" if "RetryInfo" in infos else ""
        print(f"{what}\n    {error.code().name} {found}{retry}: {one_line(error.details())}")
        check(found == reason, f"{what}: the reason is {found!r}, not {reason!r}")
        check(info.domain == "puzzled.v1", f"{what}: the domain is {info.domain!r}")
        seen[reason] = what
        return status, infos
    sys.exit(f"FAILED: {what}: the call succeeded")


def refused_host(address):
    """Asks for JSON under the name of a web page, which gRPC does not check."""
    headers = {"content-type": "application/json", "host": "evil.example"}
    request = urllib.request.Request(f"http://{address}/puzzled.v1.JobService/GetQueue", b"{}", headers)
    try:
        urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        failure = json.load(error)
        reason = failure["details"][0]["debug"]["reason"]
        print(f"GetQueue under evil.example\n    {error.code} {reason}: {one_line(failure['message'])}")
        check((error.code, reason) == (421, "HOST_NOT_ALLOWED"), f"the host: {error.code} {reason}")
        seen[reason] = "GetQueue under evil.example"
        return
    sys.exit("FAILED: GetQueue under evil.example succeeded")


class Server:
    """A process of `puzzled serve` and clients of it."""

    def __init__(self, name, database, *flags):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.log = DAY / f"{name}.log"
        command = [BINARY, "serve", "--listen", self.address, "--database", database, *flags]
        self.process = subprocess.Popen(command, cwd=DAY, stderr=self.log.open("a"), stdout=subprocess.DEVNULL)
        self.channel = grpc.insecure_channel(self.address)
        grpc.channel_ready_future(self.channel).result(timeout=30)
        self.puzzles = puzzle_pb2_grpc.PuzzleServiceStub(self.channel)
        self.jobs = job_pb2_grpc.JobServiceStub(self.channel)
        self.stock = stock_pb2_grpc.StockServiceStub(self.channel)
        self.series = series_pb2_grpc.SeriesServiceStub(self.channel)
        self.server = server_pb2_grpc.ServerServiceStub(self.channel)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.channel.close()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=30)
        self.channel.close()
        check(code == 0, f"the server ended with exit code {code}")

    def until_ended(self, id):
        return [update.job for update in self.jobs.WatchJob(job.WatchJobRequest(id=id), timeout=300)][-1]


def run(*args, code=0):
    """Runs a command of the binary, and prints what it says."""
    ran = subprocess.run([BINARY, *args], cwd=DAY, capture_output=True, text=True, timeout=300)
    print(f"$ puzzled {' '.join(args)}  # exit code {ran.returncode}")
    for line in (ran.stdout + ran.stderr).splitlines()[:12]:
        print(f"    {line[:220]}")
    check(ran.returncode == code, f"exit code {ran.returncode}, not {code}")
    return ran.stdout + ran.stderr


def newspaper():
    scene("A week of daily puzzles survives kill -9")
    paper = Server("paper", "sqlite:stock.db", "--workers", "2")

    paper.series.CreateDailySeries(
        series.CreateDailySeriesRequest(
            name="daily", kind=SUDOKU, criteria=[series.DayCriteria(level=EASY, symmetry=common.SYMMETRY_ROTATION180)]
        )
    )

    def daily(day, **more):
        date = (datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=day)).isoformat()
        return paper.puzzles.GetDailyPuzzle(puzzle.GetDailyPuzzleRequest(date=date, wait=True, enqueue_if_short=True, **more), timeout=120)

    week = {}
    for day in range(7):
        if day == 4:
            print("kill -9")
            paper.kill()
            paper = Server("paper", "sqlite:stock.db", "--workers", "2")
        week[day] = daily(day, include_solution=True).puzzle
        found = week[day]
        show(f"GetDailyPuzzle day {day}", f"{found.id} {found.variant} rating {found.rating} {found.text}")
    check([daily(day).puzzle.id for day in range(7)] == [week[day].id for day in range(7)], "the week changed")
    check(len({found.solution for found in week.values()}) == 7, "a day repeats another")

    scene("A misprint is withdrawn, and the day gets another puzzle")
    paper.puzzles.WithdrawPuzzle(puzzle.WithdrawPuzzleRequest(id=week[1].id, reason="misprint"))
    replaced = daily(1).puzzle
    show("GetDailyPuzzle day 1, again", f"{replaced.id}, was {week[1].id}")
    check(replaced.id != week[1].id and daily(1).puzzle.id == replaced.id, "the misprint is still the day's puzzle")

    scene("A reader who had the daily puzzle does not get it again")
    shared = daily(0, audience="reader-1").puzzle
    check(shared.id == week[0].id, "the daily puzzle is another one")
    fits = puzzle.GetPuzzleRequest(kind=SUDOKU, level=EASY, symmetry=common.SYMMETRY_ROTATION180, audience="reader-1")
    had = {shared.id}
    while True:
        try:
            drawn = paper.puzzles.GetPuzzle(fits, timeout=30).puzzle.id
        except grpc.RpcError as error:
            print(f"after {len(had)} puzzles\n    {error.code().name}: {one_line(error.details())}")
            break
        check(drawn not in had, f"{drawn} came twice")
        had.add(drawn)

    scene("The X-Wing of the week: the puzzles of one job")
    ordered = puzzle.GenerateRequest(kind=SUDOKU, technique="x wing", count=2, request_id="x-wings")
    queued = paper.puzzles.Generate(ordered).job
    again = paper.puzzles.Generate(ordered).job
    check(queued.id == again.id, "a repeated request queued another job")
    ended = paper.until_ended(queued.id)
    show(f"WatchJob {queued.id}", f"{job.JobState.Name(ended.state)} made {ended.made} of {ended.wanted}")
    listed = paper.puzzles.ListPuzzles(puzzle.ListPuzzlesRequest(kind=SUDOKU, job_id=queued.id, technique="X-Wing"))
    show("ListPuzzles of the job", [(found.id, found.technique) for found in listed.puzzles])
    check(len(listed.puzzles) == 2, "the job's puzzles are not listed")
    asked = puzzle.GetPuzzleRequest(kind=SUDOKU, technique="X-Wing", audience="paper", request_id="week-48")
    first = paper.puzzles.GetPuzzle(asked).puzzle
    paper.puzzles.WithdrawPuzzle(puzzle.WithdrawPuzzleRequest(id=first.id, reason="too well known"))
    asked.include_solution = True
    repeated = paper.puzzles.GetPuzzle(asked).puzzle
    show("GetPuzzle, repeated after a withdrawal", f"{repeated.id} withdrawn {repeated.withdraw_time.ToJsonString()}")
    check(repeated.id == first.id and repeated.HasField("withdraw_time"), "the repeat is another puzzle")

    scene("The structure of a Kakuro")
    kakuro = puzzle.GetPuzzleRequest(
        kind=KAKURO, variant="6x6", wait=True, enqueue_if_short=True, include_structure=True, include_drawing=True
    )
    board = paper.puzzles.GetPuzzle(kakuro, timeout=120).puzzle
    show("GetPuzzle", f"{board.variant}, {board.rows} rows, {board.columns} columns, {len(board.regions)} regions")
    show("the first region", board.regions[0])

    scene("Who works, and what it holds")
    for process in paper.server.ListProcesses(server.ListProcessesRequest()).processes:
        print(f"    {process.id} {server.ProcessRole.Name(process.role)} workers {process.workers} seen {process.seen_time.ToJsonString()}")
    return paper


def restore(paper):
    scene("Backup, accident, restore")
    # The backup and the count are of the same stock only if no job makes puzzles between them.
    for open_job in paper.jobs.ListJobs(job.ListJobsRequest(states=[job.JOB_STATE_QUEUED, job.JOB_STATE_RUNNING])).jobs:
        paper.until_ended(open_job.id)
    run("backup", "monday.db", "--database", "sqlite:stock.db")
    before = paper.stock.GetStock(stock.GetStockRequest()).total
    for found in paper.puzzles.ListPuzzles(puzzle.ListPuzzlesRequest(page_size=5)).puzzles:
        paper.puzzles.WithdrawPuzzle(puzzle.WithdrawPuzzleRequest(id=found.id, reason="a slip of the hand"))
    run("restore", "monday.db", "--database", "sqlite:stock.db", code=1)
    paper.kill()
    run("restore", "monday.db", "--database", "sqlite:stock.db")
    run("check", "--database", "sqlite:stock.db")
    paper = Server("paper", "sqlite:stock.db", "--workers", "2")
    after = paper.stock.GetStock(stock.GetStockRequest()).total
    show("puzzles in stock before the accident and after the restore", f"{before} {after}")
    check(before == after, "the restored stock is another one")
    return paper


def copy(paper):
    scene("A move to PostgreSQL")
    move = ("copy", "--from", "sqlite:stock.db", "--to", "postgres://puzzled@127.0.0.1:1/puzzled")
    run(*move, code=1)
    paper.stop()
    run(*move, code=1)
    run("check", "--database", "sqlite:stock.db")
    check(not (DAY / "stock.db.moved").exists(), "a refused copy moved the file")
    (DAY / "stock.db").rename(DAY / "stock.db.moved")
    run("migrate", "--database", "sqlite:stock.db", code=1)
    check(not (DAY / "stock.db").exists(), "a command created a database beside a moved one")
    (DAY / "stock.db.moved").rename(DAY / "stock.db")


NIGHT = """
[[target]]
kind = "sudoku"
level = "medium"
target = 5
cron = "0 3 29 2 *"
window_minutes = 5

[[target]]
kind = "sudoku"
symmetry = "full"
givens = "19-20"
level = "evil"
target = 2
"""


def night():
    scene("Overnight refills: windows, UNREACHABLE, and a server without the file")
    (DAY / "night.toml").write_text(NIGHT)
    flags = ("--workers", "1", "--max-tries", "5")
    ops = Server("night", "sqlite:night.db", "--config", "night.toml", *flags)
    debug = Server("debug", "sqlite:night.db", *flags)
    targets = ops.stock.ListStockTargets(stock.ListStockTargetsRequest()).targets
    show("targets after a server without the file started", [(one.id, one.declared_by) for one in targets])
    check(len(targets) == 2, "a target was lost")
    debug.stop()
    rare = targets[1].id
    for update in ops.stock.WatchStock(stock.WatchStockRequest(), timeout=60):
        if any(one.state == stock.TARGET_STATE_RESTING for one in update.targets if one.target.id == rare):
            break
    # Five minutes of work without a puzzle, which a day of five minutes cannot wait for.
    version = ops.server.GetServerInfo(server.GetServerInfoRequest()).engine_version
    with sqlite3.connect(DAY / "night.db", timeout=30) as rates:
        spec = "sudoku|9x9|full|evil|19-20"
        rates.execute("delete from rates where spec = ?", (spec,))
        rates.execute("insert into rates values (?, ?, 900, 0, 300000)", (spec, version))
    rates.close()
    state = [one for one in ops.stock.GetStock(stock.GetStockRequest()).targets if one.target.id == rare][0]
    check(state.state == stock.TARGET_STATE_UNREACHABLE, "the target is not known to be unreachable")
    show("the rare target", f"UNREACHABLE after {state.rate.tries} tries, {state.unreachable}")
    like_it = puzzle.GetPuzzleRequest(
        kind=SUDOKU, level=EVIL, symmetry=common.SYMMETRY_FULL, min_givens=19, max_givens=20, enqueue_if_short=True
    )
    refused("GetPuzzle like it, enqueue_if_short", "UNREACHABLE", lambda: ops.puzzles.GetPuzzle(like_it, timeout=30))
    run("stock", "--address", ops.address, code=2)

    scene("A refill that the stock no longer needs ends")
    wanted = dict(kind=SUDOKU, level=EASY)
    ops.jobs.PauseQueue(job.PauseQueueRequest(reason="a newcomer tries"))
    made = ops.stock.CreateStockTarget(stock.CreateStockTargetRequest(target=2000, priority=-100, **wanted)).target
    refill = ops.stock.Refill(stock.RefillRequest(id=made.id)).job
    other = ops.puzzles.Generate(puzzle.GenerateRequest(count=2000, priority=100, **wanted)).job
    ops.jobs.ResumeQueue(job.ResumeQueueRequest())
    ops.until_ended(other.id)
    ended = ops.until_ended(refill.id)
    show(f"the refill {refill.id}", f"{job.JobState.Name(ended.state)}: {ended.error}")
    check(ended.state == job.JOB_STATE_ENDED, "the refill did not end")

    scene("A target changes field by field")
    update = stock.UpdateStockTargetRequest(id=made.id, target=2001)
    changed = ops.stock.UpdateStockTarget(update).target
    show("UpdateStockTarget target=2001", f"target {changed.target}, low water {changed.low_water}, priority {changed.priority}")
    check((changed.target, changed.priority) == (2001, -100), "a field that was not named changed")
    ops.stop()


def player():
    scene("What a player gets: style, givens, technique, and no odd request of others")
    shop = Server("shop", "sqlite:shop.db", "--workers", "2")
    get = lambda **of: shop.puzzles.GetPuzzle(puzzle.GetPuzzleRequest(**of), timeout=120).puzzle
    generate = lambda **of: shop.puzzles.Generate(puzzle.GenerateRequest(**of)).job
    with_givens = lambda low, high: dict(min_givens=low, max_givens=high)

    refused("Generate evil with 70 givens (1)", "INVALID_FIELD", lambda: generate(kind=SUDOKU, level=EVIL, **with_givens(70, 70)))
    odd = generate(kind=SUDOKU, level=EASY, symmetry=common.SYMMETRY_NONE, count=200, **with_givens(60, 60))
    plain = generate(kind=SUDOKU, level=EASY, count=100)
    show("the style of the plain job (10)", plain.spec)
    for one in (odd, plain):
        check(shop.until_ended(one.id).state == job.JOB_STATE_SUCCEEDED, f"{one.id} did not succeed")
    drawn = [get(kind=SUDOKU, level=EASY, audience="kid-1") for _ in range(50)]
    show("50 draws beside 200 puzzles of 60 givens (1)", sorted({one.givens for one in drawn}))
    check(all(28 <= one.givens <= 40 for one in drawn), "an odd puzzle was drawn")
    turned = lambda text: [cell == "." for cell in text] == [cell == "." for cell in reversed(text)]
    check(all(turned(one.text) for one in drawn), "an easy puzzle has no half turn")
    sixty = get(kind=SUDOKU, **with_givens(60, 60))
    check(sixty.givens == 60, "a search by givens found another number")
    exact = get(kind=SUDOKU, **with_givens(drawn[0].givens, drawn[0].givens))
    show("GetPuzzle by the givens of a puzzle in stock (9)", f"{exact.givens} givens, rated {exact.rating}")
    refused("GetPuzzle with 19 givens", "STOCK_EXHAUSTED", lambda: get(kind=SUDOKU, **with_givens(19, 19)))

    scene("Undo: the odd puzzles go (2)")
    where = ("--address", shop.address, "--job", odd.id, "--reason", "an odd request")
    run("withdraw", *where, "--dry-run")
    run("withdraw", *where)
    refused("GetPuzzle with 60 givens", "STOCK_EXHAUSTED", lambda: get(kind=SUDOKU, **with_givens(60, 60)))

    scene("X-Wing gives X-Wings (8)")
    lesson = generate(kind=SUDOKU, technique="xwing", count=20)
    check(shop.until_ended(lesson.id).state == job.JOB_STATE_SUCCEEDED, "the lesson was not made")
    found = [get(kind=SUDOKU, technique="X-Wing", audience="class", scramble_seed=seed) for seed in range(20)]
    show("technique and rating of 20 draws", sorted({(one.technique, one.rating, one.scrambled) for one in found}))
    check(all(one.technique == "X-Wing" for one in found), "a lesson has another hardest technique")

    scene("A large Kakuro now, and a Sudoku beside it (13); what cannot be made (14)")
    large = puzzle.GetPuzzleRequest(kind=KAKURO, variant="30x30", level=EASY, enqueue_if_short=True)
    _, infos = refused("GetPuzzle of a Kakuro 30x30", "STOCK_EXHAUSTED", lambda: shop.puzzles.GetPuzzle(large, timeout=30))
    top_up = infos["ErrorInfo"].metadata["job"]
    began = time.monotonic()
    beside = generate(kind=SUDOKU, level=MEDIUM)
    shop.until_ended(beside.id)
    waited = time.monotonic() - began
    show("a Sudoku beside it", f"{beside.id} after {waited:.1f} s")
    check(waited < 10, "a top-up keeps the workers")
    ended = shop.until_ended(top_up)
    show(f"the top-up {top_up}", f"{job.JobState.Name(ended.state)}: made {ended.made} of {ended.wanted}; {ended.error}")
    check(ended.made > 0, "the top-up made nothing")
    small = lambda: get(kind=KAKURO, variant="4x4", level=EVIL, wait=True, enqueue_if_short=True)
    refused("GetPuzzle of an evil Kakuro 4x4", "INVALID_FIELD", small)
    shop.stop()


def backend():
    scene("An archive and histories of another system (3, 4)")
    old = Server("old", "sqlite:old.db", "--workers", "2")
    made = old.until_ended(old.puzzles.Generate(puzzle.GenerateRequest(kind=SUDOKU, level=EASY, count=20)).job.id)
    check(made.made == 20, f"{made.made} of 20 puzzles")
    had = old.puzzles.GetPuzzle(puzzle.GetPuzzleRequest(kind=SUDOKU, audience="reader-1")).puzzle
    (DAY / "old.jsonl").write_text(run("export", "--format", "json", "--database", "sqlite:old.db"))
    (DAY / "had.jsonl").write_text(run("export", "--deliveries", "--database", "sqlite:old.db"))
    old.stop()
    new = Server("new", "sqlite:new.db", "--workers", "2")
    run("import", "old.jsonl", "--address", new.address)
    run("import", "--deliveries", "had.jsonl", "--address", new.address)
    everything = dict(kind=SUDOKU, audience="reader-1")
    texts = set()
    while True:
        try:
            texts.add(new.puzzles.GetPuzzle(puzzle.GetPuzzleRequest(**everything)).puzzle.text)
        except grpc.RpcError as error:
            print(f"after {len(texts)} puzzles\n    {error.code().name}: {one_line(error.details())}")
            break
    check(len(texts) == 19 and had.text not in texts, "the new database repeats what the reader had")

    scene("One series for all clients, by the days of Tokyo (5, 6, 7)")
    new.series.CreateDailySeries(series.CreateDailySeriesRequest(name="daily", kind=SUDOKU, time_zone="Asia/Tokyo"))
    today = new.puzzles.GetDailyPuzzle(puzzle.GetDailyPuzzleRequest(wait=True, enqueue_if_short=True), timeout=60)
    show("GetDailyPuzzle", f"{today.series} of {today.date} {today.puzzle.id}, until {today.next_day_time.ToJsonString()}")
    tokyo = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9))).date().isoformat()
    check(today.date == tokyo, f"today is {tokyo} in Tokyo")
    again = new.puzzles.GetDailyPuzzle(puzzle.GetDailyPuzzleRequest(series="daily", date=tokyo)).puzzle
    check(again.id == today.puzzle.id and again.held, "another wording gets another puzzle")
    drawn = new.puzzles.BatchGetPuzzles(
        puzzle.BatchGetPuzzlesRequest(requests=[puzzle.GetPuzzleRequest(kind=SUDOKU, audience="peeker")] * 30)
    ).results
    check(today.puzzle.id not in [one.puzzle.id for one in drawn], "GetPuzzle hands out a daily puzzle")

    scene("Pencil marks, steps as data, and a check of the board (15, 16, 17)")
    text = today.puzzle.text
    hint = puzzle.HintRequest(id=today.puzzle.id, board=text)
    step = new.puzzles.Hint(hint).step
    show("Hint", f"{step.technique}: {step.sentence} digits {list(step.digits)} houses {len(step.houses)}")
    check(step.digits and step.houses, "the step has no data")
    solution = new.puzzles.Solve(puzzle.SolveRequest(id=today.puzzle.id)).solution
    marks = [0 if given != "." else 1022 for given in text]
    first = text.index(".")
    marks[first] = 1022 & ~(1 << int(solution[first]))
    wrong = new.puzzles.Hint(puzzle.HintRequest(id=today.puzzle.id, board=text, candidates=marks))
    show("Hint with a mark removed wrongly", one_line(wrong))
    check(wrong.outcome == puzzle.HINT_OUTCOME_WRONG, "the removed digit is not noticed")
    board = solution[:first] + str(int(solution[first]) % 9 + 1) + solution[first + 1 :]
    for sent, state in [
        (text, puzzle.BOARD_STATE_CORRECT_SO_FAR),
        (board, puzzle.BOARD_STATE_WRONG),
        (solution, puzzle.BOARD_STATE_COMPLETE),
    ]:
        found = new.puzzles.CheckBoard(puzzle.CheckBoardRequest(id=today.puzzle.id, board=sent))
        show("CheckBoard", f"{puzzle.BoardState.Name(found.state)} {len(found.cells)} cells")
        check(found.state == state, "the board is judged otherwise")

    scene("A book that nobody else has (20), and the same puzzle again (26)")
    book = new.until_ended(
        new.puzzles.Generate(puzzle.GenerateRequest(kind=SUDOKU, level=EASY, count=5, audience="book")).job.id
    )
    page = lambda number: puzzle.GetPuzzleRequest(kind=SUDOKU, audience="book", exclusive=True, request_id=f"page {number}")
    pages = new.puzzles.BatchGetPuzzles(puzzle.BatchGetPuzzlesRequest(requests=[page(number) for number in range(5)])).results
    ids = {one.puzzle.id for one in pages}
    show(f"BatchGetPuzzles of {book.id}", sorted(ids))
    check(len(ids) == 5, "the book lacks pages")
    check(ids.isdisjoint({one.puzzle.id for one in drawn}), "another audience has had a page")
    known = sorted(ids)[0]
    check(new.puzzles.GetPuzzle(puzzle.GetPuzzleRequest(id=known)).puzzle.id == known, "the ID finds another puzzle")
    new.stop()


def commands():
    scene("A command for each call of a day (22), and completion (38)")
    maker = Server("maker", "sqlite:maker.db", "--workers", "2")
    here = ("--address", maker.address)
    queued = run("enqueue", "--level", "easy", "--count", "30", "--request-id", "easy", "--watch", *here)
    check(queued.startswith("queued job-1: 30 sudoku 9x9 easy"), "the job is not named")
    check("job-1 succeeded: made 30 of 30" in queued, "the end of the job is not shown")
    check("job-1 succeeded" in run("enqueue", "--level", "easy", "--count", "30", "--request-id", "easy", *here), "a repeat queued a job")
    check("puzzled info --kind sudoku" in run("enqueue", "--technique", "xwnig", *here, code=1), "the error names no command")
    check("Swordfish" in run("info", "--kind", "sudoku", *here), "a technique is not listed")
    check("max_count" in run("info", *here), "a limit is not listed")
    check("puzzled list" in run("get", "puzzle-999", *here, code=1), "the error names no command")
    listed = json.loads(run("list", "--level", "easy", "--limit", "1", "--json", *here).splitlines()[0])
    run("list", "--limit", "3", *here)
    first, text = listed["id"], listed["text"]
    solution = run("solve", first, *here).strip()
    check(len(solution) == 81, "the puzzle is not solved by its ID")
    check(", so r" in run("hint", first, *here), "no step")
    wrong = text.replace(".", str(int(solution[text.index(".")]) % 9 + 1), 1)
    check("contradicts the solution" in run("hint", text, "--board", wrong, *here, code=2), "the wrong digit is not named")
    check("every digit is right" in run("hint", first, "--board", solution, *here), "the board is not complete")
    check("exactly one solution" in run("validate", text, *here), "the puzzle is not unique")
    check("more than one solution" in run("validate", GRID, *here, code=2), "the empty grid is not told")
    maker.series.CreateDailySeries(series.CreateDailySeriesRequest(name="daily", kind=SUDOKU))
    today = run("daily", "--make", *here)
    check(run("daily", "--series", "daily", *here).strip() in today, "the day has two puzzles")
    run("daily", "--series", "weekly", *here, code=1)

    script = run("completions", "bash")
    (DAY / "completion").write_text(script)
    ask = "source completion; COMP_WORDS=(puzzled enq); COMP_CWORD=1; _puzzled puzzled enq puzzled; echo ${COMPREPLY[@]}"
    offered = subprocess.run(["bash", "--norc", "-c", ask], cwd=DAY, capture_output=True, text=True, check=True)
    show("puzzled enq<TAB>", offered.stdout)
    check((offered.stdout.strip(), offered.stderr) == ("enqueue", ""), "Bash completes nothing")
    maker.stop()


def files():
    scene("What people paste (18)")
    printer = Server("printer", "sqlite:printer.db", "--workers", "2")
    here = ("--address", printer.address)
    for folder in sorted((ROOT / "tests/data/notations").iterdir()):
        name, kind = folder.name, common.Kind.Value(f"KIND_{folder.name.upper()}")
        texts = [path.read_bytes().decode() for path in folder.rglob("*") if path.is_file()]
        solutions = {printer.puzzles.Solve(puzzle.SolveRequest(kind=kind, text=text)).solution for text in texts}
        show(f"{len(texts)} notations of one {name}", solutions)
        check(len(solutions) == 1, f"the notations of {name} are read as {len(solutions)} puzzles")
    run("enqueue", "--level", "easy", "--count", "40", "--audience", "book", "--watch", *here)
    run("enqueue", "--level", "hard", "--count", "40", "--watch", *here)
    run("enqueue", "--kind", "kakuro", "--level", "easy", "--count", "10", "--watch", *here)
    drawn = printer.puzzles.GetPuzzle(puzzle.GetPuzzleRequest(kind=SUDOKU, include_drawing=True, include_solution=True)).puzzle
    (DAY / "drawing").write_text(drawn.drawing)
    check(run("rate", "drawing").startswith(drawn.text), "the drawing is not read back")
    check(run("solve", drawn.drawing, *here).strip() == drawn.solution, "the drawing is not solved")
    run("validate", "https://sudokupad.app/abc123", *here, code=1)

    scene("A picture, at an address and as a file (19)")
    for file, kind in ((f"{drawn.id}.svg", "image/svg+xml"), (f"{drawn.id}.pdf?step=3", "application/pdf")):
        with urllib.request.urlopen(f"http://{printer.address}/puzzles/{file}", timeout=30) as answer:
            show(f"GET /puzzles/{file}", f"{answer.headers['content-type']}, {len(answer.read())} bytes")
            check(answer.headers["content-type"] == kind, "the media type is wrong")
    run("picture", drawn.id, "--solution", "--output", "solution.svg", *here)
    check(ElementTree.parse(DAY / "solution.svg").getroot().get("role") == "img", "the picture has no role")
    shown = printer.puzzles.GetPuzzle(puzzle.GetPuzzleRequest(id=drawn.id, include_structure=True, include_links=True)).puzzle
    show("the board as data", shown.board[0].cells)
    check([cell for row in shown.board for cell in row.cells] == [int(sign) for sign in drawn.text.replace(".", "0")], "the board differs")
    check([link.name for link in shown.links] == ["SudokuPad", "sudokuwiki", "puzz.link"], "the links differ")

    scene("A book that nobody else has, printed twice the same (20)")
    book = ("--audience", "book", "--exclusive", "--level", "easy", "--count", "24", "--title", "The book", *here)
    for output in ("book.pdf", "again.pdf"):
        run("sheet", *book, "--output", output)
    check((DAY / "book.pdf").read_bytes() == (DAY / "again.pdf").read_bytes(), "the sheet differs")
    run("sheet", "--title", "Sudoku \u6570\u72ec", "--count", "1", "--output", "title.pdf", code=1)

    scene("A table of the stock, from the server (21)")
    table = list(csv.DictReader(run("export", "--kind", "sudoku", "--format", "csv", *here).splitlines()))
    check(len(table) == 40 and table[0]["level"] == "hard", f"the table has {len(table)} puzzles")
    check(set(run("export", "--kind", "sudoku", "--format", "sdm", *here).split()[0]) <= set("0123456789"), "SDM has other signs")
    run("export", "--kind", "kakuro", "--format", "sdm", *here, code=1)
    printer.stop()


def grids():
    club = Server("club", "sqlite:club.db", "--workers", "2")
    here = ("--address", club.address)
    kinds = club.server.GetServerInfo(server.GetServerInfoRequest()).kinds
    # A pattern of names, `WxH`, is no variant. The other scenes have the Sudoku of every newspaper, whose text names no variant.
    named = [(of.kind, info) for of in kinds for info in of.variants if not info.name.startswith("WxH")]
    named = [(kind, info) for kind, info in named if (kind, info.name) != (SUDOKU, "9x9")]
    scene(f"{len(named)} variants of {len({kind for kind, _ in named})} kinds, from the job to the sheet")
    for kind, info in named:
        name, variant, level = kind_name(kind), info.name, info.levels[min(1, len(info.levels) - 1)].level
        asked = dict(kind=kind, variant=variant, level=level)
        made = club.until_ended(club.puzzles.Generate(puzzle.GenerateRequest(count=COPIES, **asked)).job.id)
        check(made.made == COPIES, f"{made.made} of {COPIES} puzzles")
        drawn = club.puzzles.GetPuzzle(puzzle.GetPuzzleRequest(audience="club", include_solution=True, **asked)).puzzle
        show(f"GetPuzzle of {name} {variant}", f"{drawn.id} rated {drawn.rating}: {drawn.text}")
        check(drawn.text.startswith(f"{variant}: "), "the text does not name its variant")
        hint = club.puzzles.Hint(puzzle.HintRequest(id=drawn.id))
        show("Hint", hint.message)
        check(hint.outcome == puzzle.HINT_OUTCOME_STEP and hint.step.cells, "no step")
        solved = club.puzzles.Solve(puzzle.SolveRequest(kind=kind, text=drawn.text, include_steps=True))
        show("Solve", f"{len(solved.steps)} steps to {solved.solution}")
        check(solved.steps_complete and solved.solution == drawn.solution, "the steps do not reach the solution")
        check(max(step.rating for step in solved.steps) == drawn.rating, "the hardest step has another rating")
        right = puzzle.CheckBoardRequest(id=drawn.id, board=solved.solution)
        check(club.puzzles.CheckBoard(right).state == puzzle.BOARD_STATE_COMPLETE, "the solution is not complete")
        wanted = ("--kind", name, "--variant", variant, "--level", common.Level.Name(level).removeprefix("LEVEL_").lower())
        run("sheet", *wanted, "--count", str(COPIES - 1), "--audience", "club", "--title", f"Club {name} {variant}", "--output",
            f"{name}-{variant}.pdf", *here)
        check((DAY / f"{name}-{variant}.pdf").read_bytes().startswith(b"%PDF"), "the sheet is no PDF")
    club.stop()


def wrong_calls():
    scene("Wrong calls: what each answers")
    (DAY / "bad.toml").write_text('[[target]]\nkind = "sudoku"\nlevel = "hard"\ntarget = 1\n')
    flags = ("--workers", "1", "--max-open-jobs", "3", "--max-refills", "1", "--config", "bad.toml")
    bad = Server("bad", "sqlite:bad.db", *flags)
    bad.jobs.PauseQueue(job.PauseQueueRequest(reason="so that jobs stay open"))
    puzzles, jobs, targets = bad.puzzles, bad.jobs, bad.stock
    generate = lambda **of: puzzles.Generate(puzzle.GenerateRequest(**of))
    get = lambda **of: puzzles.GetPuzzle(puzzle.GetPuzzleRequest(**of), timeout=60)

    refused_host(bad.address)
    refused("Generate count 0", "INVALID_FIELD", lambda: generate(kind=SUDOKU, count=0))
    refused("Generate technique x-wingz", "INVALID_FIELD", lambda: generate(kind=SUDOKU, technique="x-wingz"))
    refused("GetPuzzle rated from 14", "INVALID_FIELD", lambda: get(kind=SUDOKU, min_rating=14))
    refused("Generate rated from 11", "RATING_UNSUPPORTED", lambda: generate(kind=SUDOKU, min_rating=11))
    refused("GetPuzzle by a wrong ID", "PUZZLE_NOT_FOUND", lambda: get(id="puzzle-99"))
    refused("GetJob by a wrong ID", "JOB_NOT_FOUND", lambda: jobs.GetJob(job.GetJobRequest(id="job-99")))
    gone = stock.DeleteStockTargetRequest(id="target-99")
    refused("DeleteStockTarget by a wrong ID", "TARGET_NOT_FOUND", lambda: targets.DeleteStockTarget(gone))
    _, infos = refused("GetPuzzle from an empty stock, paused", "STOCK_EXHAUSTED", lambda: get(kind=SUDOKU, level=EASY, wait=True))
    check("RetryInfo" not in infos, "a paused queue promises a retry")

    declared = targets.ListStockTargets(stock.ListStockTargetsRequest()).targets[0]
    twice = stock.CreateStockTargetRequest(kind=SUDOKU, level=common.LEVEL_HARD, target=9)
    refused("CreateStockTarget twice", "TARGET_EXISTS", lambda: targets.CreateStockTarget(twice))
    change = stock.UpdateStockTargetRequest(id=declared.id, target=9)
    refused("UpdateStockTarget of a declared one", "TARGET_DECLARED", lambda: targets.UpdateStockTarget(change))
    create = lambda level: targets.CreateStockTarget(stock.CreateStockTargetRequest(kind=SUDOKU, level=level, target=9)).target
    one, other = create(MEDIUM), create(EVIL)
    targets.Refill(stock.RefillRequest(id=one.id))
    refused("Refill of a second target", "REFILLS_FULL", lambda: targets.Refill(stock.RefillRequest(id=other.id)))

    open_job = generate(kind=SUDOKU, request_id="one").job
    refused("Generate another under the same request_id", "REQUEST_ID_REUSED", lambda: generate(kind=SUDOKU, request_id="one", count=2))
    generate(kind=SUDOKU)
    refused("Generate a fourth job of three", "BACKLOG_FULL", lambda: generate(kind=SUDOKU))
    refused("GetDailyPuzzle of an unknown series", "SERIES_NOT_FOUND", lambda: puzzles.GetDailyPuzzle(puzzle.GetDailyPuzzleRequest(series="weekly")))

    rate = lambda text, **of: puzzles.Rate(puzzle.RateRequest(kind=SUDOKU, text=text), timeout=60, **of)
    refused("Rate an empty grid", "NOT_UNIQUE", lambda: rate(GRID))
    refused("Rate a grid without a solution", "NO_SOLUTION", lambda: rate("12345678........9" + "." * 64))
    refused("Rate a row with two 1s", "CONTRADICTION", lambda: rate("11" + "." * 79))
    refused("Rate a complete grid", "ALREADY_SOLVED", lambda: rate(SOLVED))
    refused("Rate a compressed text", "COMPRESSION_UNSUPPORTED", lambda: rate(GRID, compression=grpc.Compression.Gzip))
    refused("Rate 2,000,000 characters", "MESSAGE_TOO_LARGE", lambda: rate("." * 2_000_000))
    hardest = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    calls = [puzzles.Rate.future(puzzle.RateRequest(kind=SUDOKU, text=hardest), timeout=120) for _ in range(150)]
    # On a busy machine, some of those that wait reach their deadlines.
    busy = [call for call in calls if call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED]
    check(busy, "none of 150 ratings at once was refused")
    refused("Rate 150 texts at once", "BUSY", busy[0].result)

    raw = lambda method, message: bad.channel.unary_unary(method)(message, timeout=10)
    refused("A method that there is not", "METHOD_UNKNOWN", lambda: raw("/puzzled.v1.PuzzleService/Nope", b""))
    refused("Bytes that are no message", "PROTOCOL", lambda: raw("/puzzled.v1.PuzzleService/GetPuzzle", b"\xff\xff\xff"))
    refused("Health of an unknown service", "SERVICE_UNKNOWN", lambda: raw("/grpc.health.v1.Health/Check", b"\n\x04nope"))

    for number in range(997):
        low, high = divmod(number, 40)
        targets.CreateStockTarget(
            stock.CreateStockTargetRequest(kind=SUDOKU, min_rating=1 + low / 10, max_rating=5 + high / 10, target=1)
        )
    more = stock.CreateStockTargetRequest(kind=KAKURO, target=1)
    refused("CreateStockTarget, the thousand and first", "TARGETS_FULL", lambda: targets.CreateStockTarget(more))

    weekly = series.CreateDailySeriesRequest(name="weekly", kind=KAKURO, criteria=[series.DayCriteria(level=common.LEVEL_EVIL)])
    bad.series.CreateDailySeries(weekly)
    refused("CreateDailySeries twice", "SERIES_EXISTS", lambda: bad.series.CreateDailySeries(weekly))
    bad.series.EndDailySeries(series.EndDailySeriesRequest(name="weekly"))
    ended = puzzle.GetDailyPuzzleRequest(series="weekly")
    refused("GetDailyPuzzle of a series that has ended", "SERIES_ENDED", lambda: puzzles.GetDailyPuzzle(ended))
    for number in range(99):
        bad.series.CreateDailySeries(series.CreateDailySeriesRequest(name=f"more-{number}", kind=SUDOKU))
    more = series.CreateDailySeriesRequest(name="more", kind=SUDOKU)
    refused("CreateDailySeries, the hundred and first", "SERIES_FULL", lambda: bad.series.CreateDailySeries(more))

    watched = jobs.WatchJob(job.WatchJobRequest(id=open_job.id), timeout=60)
    next(watched)
    bad.process.send_signal(signal.SIGTERM)
    refused("WatchJob while the server stops", "SHUTTING_DOWN", lambda: list(watched))
    bad.process.wait(timeout=30)


def others():
    scene("Reasons that no caller causes at will, and the tests that show them")
    written = "\n".join(file.read_text() for folder in ("tests", "src") for file in (ROOT / folder).rglob("*.rs"))
    names = {name.removeprefix("ERROR_REASON_") for name in errors.ErrorReason.keys()} - {"UNSPECIFIED"}
    for reason in sorted(names - seen.keys()):
        test = BY_TEST.get(reason, "")
        print(f"{reason}\n    {test}")
        check(test and f"fn {test}(" in written, f"no test is known for {reason}")
    print(f"\n{len(names)} reasons: {len(names & seen.keys())} provoked, {len(names - seen.keys())} shown by tests")


began = time.monotonic()
copy(restore(newspaper()))
night()
player()
backend()
commands()
files()
grids()
wrong_calls()
others()
print(f"\nThe day took {time.monotonic() - began:.0f} s, and every answer was the expected one.")
