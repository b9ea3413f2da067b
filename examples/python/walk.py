"""Queues a job, watches it, and gets its puzzles. Prints the same lines as the other examples, and the board of a puzzle."""

import os
import time
import uuid
import grpc
from google.rpc import error_details_pb2 as details_pb2
from grpc_status import rpc_status
from puzzled.v1 import common_pb2 as common, job_pb2 as job, job_pb2_grpc, puzzle_pb2 as puzzle, puzzle_pb2_grpc

TOKEN = os.environ.get("PUZZLED_TOKEN")
HEAD = [("authorization", f"Bearer {TOKEN}")] if TOKEN else []
UNAVAILABLE, TOO_LATE = grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED


def repeat(method, request, timeout):
    """Makes a call that is safe to repeat: it only reads, or has a request ID."""
    for delay in (0.5, 1, 2, 4, None):
        try:
            return method(request, timeout=timeout, metadata=HEAD)
        except grpc.RpcError as error:
            if delay is None or error.code() not in (UNAVAILABLE, TOO_LATE):
                raise
            time.sleep(delay)


def watch(jobs, job_id):
    """Yields the job after each change. A stream may break at any time; the next one begins with the job as it is then."""
    for _ in range(20):
        try:
            for answer in jobs.WatchJob(job.WatchJobRequest(id=job_id), metadata=HEAD):
                yield answer.job
            return
        except grpc.RpcError as error:
            if error.code() != UNAVAILABLE:
                raise
        time.sleep(0.5)


def details(error):
    """The reason and its metadata, and when to repeat the call."""
    info, retry = details_pb2.ErrorInfo(), details_pb2.RetryInfo()
    for detail in rpc_status.from_call(error).details:
        detail.Unpack(info) or detail.Unpack(retry)
    return info, retry.retry_delay.ToTimedelta().total_seconds()


with grpc.insecure_channel(os.environ.get("PUZZLED_ADDRESS", "127.0.0.1:50051")) as channel:
    puzzles, jobs = puzzle_pb2_grpc.PuzzleServiceStub(channel), job_pb2_grpc.JobServiceStub(channel)
    request = puzzle.GenerateRequest(kind="KIND_SUDOKU", count=30, request_id=str(uuid.uuid4()))
    first, second = (repeat(puzzles.Generate, request, 5).job for _ in range(2))
    assert first.id == second.id
    print("queued 30 puzzles, and the repeat returned the same job", flush=True)
    *_, last = watch(jobs, first.id)  # All but the last state are for a display of the progress.
    print(f"job ended with {job.JobState.Name(last.state)}, {last.made} of {last.wanted} puzzles")
    named = {"audience": "reader-1", "request_id": str(uuid.uuid4())}
    request = puzzle.GetPuzzleRequest(kind="KIND_SUDOKU", wait=True, include_structure=True, **named)
    first, second = (repeat(puzzles.GetPuzzle, request, 10).puzzle for _ in range(2))
    assert first.id == second.id
    print(f"delivered a Sudoku of {len(first.text)} characters, and the repeat returned the same puzzle")
    for row in first.board:  # An empty cell is 0. In other kinds, a block is -1.
        print(*("#" if cell < 0 else cell or "." for cell in row.cells))

    # Without `wait`, an empty stock is an error, whose details say when to repeat the call.
    ask = {"audience": "reader-1", "enqueue_if_short": True, "request_id": str(uuid.uuid4())}
    for attempt in range(20):
        try:
            answer = puzzles.GetPuzzle(puzzle.GetPuzzleRequest(kind="KIND_KAKURO", **ask), timeout=5, metadata=HEAD)
            break
        except grpc.RpcError as error:
            info, delay = details(error)
            if info.reason != "STOCK_EXHAUSTED":
                raise
        if attempt == 0:
            print(f"no Kakuro in stock: {info.reason}, a job was queued" if info.metadata["job"] else info)
        time.sleep(delay)
    print(f"delivered a {common.Kind.Name(answer.puzzle.kind)} after the delay")
    pages, listed, token = 0, 0, None  # The token of the last page is empty.
    while token != "":
        request = puzzle.ListPuzzlesRequest(kind="KIND_SUDOKU", page_size=12, page_token=token)
        page = repeat(puzzles.ListPuzzles, request, 5)
        pages, listed, token = pages + 1, listed + len(page.puzzles), page.next_page_token
    print(f"listed {listed} puzzles on {pages} pages")
