"""The program of `.ci/rolling`: servers, haproxy, PostgreSQL, and the callers."""

import datetime
import importlib
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import grpc

from throwaway import Postgres, free_port, until

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPLICAS = 3
CALLERS = 6
# Puzzles in stock, and puzzles that one audience gets.
STOCK = 100
DELIVERIES = 50
LOGS = ROOT / "target/rolling"
CONFIG = (ROOT / "proto/service_config.json").read_text()

HAPROXY = """
global
  log stderr local0 warning
defaults
  mode http
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  retries 3
  option redispatch
frontend grpc
  bind 127.0.0.1:{port} proto h2
  default_backend servers
backend servers
  balance roundrobin
  # A server that drains is not ready, and still answers calls for two seconds.
  option httpchk GET /readyz
  default-server check inter 200ms fall 2 rise 2 proto h2
"""


class Replica:
    """A server that keeps its addresses."""

    def __init__(self, binary, database, folder, number):
        self.binary, self.database, self.number = binary, database, number
        self.log = open(folder / f"server-{number}.log", "a")
        self.port, self.ops = free_port(), free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.start()

    def start(self):
        command = [self.binary, "serve", "--workers", "1", "--drain-delay-seconds", "2"]
        command += ["--database-connections", "5", "--max-connections-per-address", "0"]
        command += ["--listen", self.address, "--ops-listen", f"127.0.0.1:{self.ops}"]
        env = {"PUZZLED_DATABASE_URL": self.database}
        self.process = subprocess.Popen(command, env=env, stderr=self.log)
        try:
            until(self.is_ready, "a server is not ready")
        except BaseException:
            self.end()
            raise

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ops}/readyz", timeout=1) as answer:
                return answer.status == 200
        except OSError:
            return False

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=60) == 0

    def end(self):
        """Kills the server if it runs."""
        self.process.kill()
        self.process.wait()

    def restart(self):
        self.stop()
        self.start()


class Caller(threading.Thread):
    """Draws, queues, reads, and exports until it is told to stop."""

    def __init__(self, api, address, name, stop):
        super().__init__()
        self.api, self.name, self.stop = api, name, stop
        self.channel = grpc.insecure_channel(
            address, [("grpc.service_config", CONFIG), ("grpc.use_local_subchannel_pool", 1)]
        )
        self.seconds, self.failed, self.jobs = [], [], 0

    def run(self):
        puzzle, job, server = self.api["puzzle"], self.api["job"], self.api["server"]
        puzzles, jobs = self.api["stub"]("Puzzle", self.channel), self.api["stub"]("Job", self.channel)
        servers = self.api["stub"]("Server", self.channel)
        for turn in itertools.count():
            if self.stop.is_set():
                return
            name = f"{self.name}-{turn}"
            audience = f"{self.name}-{turn // DELIVERIES}"
            draw = puzzle.GetPuzzleRequest(kind="KIND_SUDOKU", audience=audience, request_id=name)
            self.named(puzzles.GetPuzzle, draw)
            self.timed(jobs.GetQueue, job.GetQueueRequest())
            self.timed(servers.GetServerInfo, server.GetServerInfoRequest())
            if turn % 10 == 0:
                request = puzzle.GenerateRequest(kind="KIND_SUDOKU", level="LEVEL_EASY", request_id=name)
                self.jobs += self.named(puzzles.Generate, request)
            if turn % 50 == 0:
                self.export(puzzles, puzzle)

    def timed(self, call, request):
        began = time.monotonic()
        try:
            return call(request, timeout=30)
        except grpc.RpcError as error:
            self.note(type(request).__name__, error)
        finally:
            self.seconds.append(time.monotonic() - began)

    def named(self, call, request):
        """Repeats a call that the service configuration does not repeat, under its request_id. Whether it was answered."""
        policy = json.loads(CONFIG)["methodConfig"][0]["retryPolicy"]
        pause, began = 0.5, time.monotonic()
        for attempt in range(1, policy["maxAttempts"] + 1):
            try:
                call(request, timeout=30)
                break
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.UNAVAILABLE or attempt == policy["maxAttempts"]:
                    self.note(type(request).__name__, error)
                    return False
            time.sleep(pause)
            pause = min(pause * policy["backoffMultiplier"], 5)
        self.seconds.append(time.monotonic() - began)
        return True

    def note(self, request, error):
        """Keeps what is needed to find the failed call in the logs."""
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
        self.failed.append(f"{now} {request}: {error.code()}: {error.details()}")

    def export(self, puzzles, messages):
        """Reads the stock by a stream, which is resumed behind the last puzzle if it breaks off."""
        ids = []
        while True:
            request = messages.ExportPuzzlesRequest(after_id=ids[-1] if ids else "")
            try:
                for answer in puzzles.ExportPuzzles(request, timeout=60):
                    ids += [puzzle.id for puzzle in answer.puzzles]
                break
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.UNAVAILABLE:
                    self.note(type(request).__name__, error)
                    return
        if len(ids) != len(set(ids)):
            self.failed.append("an export has a puzzle twice")


def compiled(folder):
    """The messages and stubs of the contract."""
    files = sorted(str(file) for file in (ROOT / "proto").rglob("*.proto"))
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT / 'proto'}"]
    subprocess.run([*command, f"--python_out={folder}", f"--grpc_python_out={folder}", *files], check=True)
    sys.path.insert(0, str(folder))
    module = lambda name: importlib.import_module(f"puzzled.v1.{name}")
    stub = lambda name, channel: getattr(module(f"{name.lower()}_pb2_grpc"), f"{name}ServiceStub")(channel)
    return {name: module(f"{name}_pb2") for name in ("puzzle", "job", "server", "stock", "series")} | {"stub": stub}


def load(api, addresses, name, work):
    """Runs callers of each address while `work` runs, prints a line, and returns what failed and how many jobs were acknowledged."""
    stop = threading.Event()
    callers = [Caller(api, at, f"{name}-{number}", stop) for number, at in enumerate(addresses * CALLERS)]
    for caller in callers:
        caller.start()
    try:
        what = work()
    finally:
        stop.set()
        for caller in callers:
            caller.join()
    seconds = sorted(second for caller in callers for second in caller.seconds)
    failed = [failure for caller in callers for failure in caller.failed]
    at = lambda share: f"{1000 * seconds[int(share * (len(seconds) - 1))]:.1f} ms"
    print(f"{what}: {len(seconds)} calls, {len(failed)} failed, p50 {at(0.5)}, p99 {at(0.99)}, longest {at(1)}", flush=True)
    return failed, sum(caller.jobs for caller in callers)


def main():
    binary, duration = os.path.abspath(sys.argv[1]), float(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="puzzled-rolling-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        postgres, processes = Postgres(folder), []
        try:
            replicas = [Replica(binary, postgres.url, folder, number) for number in range(REPLICAS)]
            processes += replicas
            port = free_port()
            lines = [f"  server s{r.number} {r.address} port {r.ops}" for r in replicas]
            (folder / "haproxy.cfg").write_text(HAPROXY.format(port=port) + "\n".join(lines) + "\n")
            log = open(folder / "haproxy.log", "w")
            haproxy = subprocess.Popen(["haproxy", "-db", "-f", folder / "haproxy.cfg"], stderr=log)
            try:
                drill(compiled(folder), f"127.0.0.1:{port}", replicas, duration)
            finally:
                haproxy.terminate()
                haproxy.wait()
        finally:
            for replica in processes:
                replica.process.terminate()
                replica.process.wait()
            try:
                subprocess.run([binary, "check", "--database", postgres.url], check=True)
            finally:
                postgres.stop()
                keep_logs(folder, LOGS)


def drill(api, address, replicas, duration):
    fill(api, address)

    def calm():
        time.sleep(duration / 10)
        return "without restarts"

    def restarts():
        began, count = time.monotonic(), 0
        for replica in itertools.cycle(replicas):
            if time.monotonic() - began > duration:
                return f"with {count} restarts"
            replica.restart()
            count += 1

    failed, jobs = load(api, [address], "calm", calm)
    failed_later, jobs_later = load(api, [address], "rolling", restarts)
    must_be_whole(api, address, failed + failed_later, jobs + jobs_later + 1)


def must_be_whole(api, address, failed, jobs):
    """Ends the program if a call failed, or if the server does not list this number of jobs."""
    with grpc.insecure_channel(address) as channel:
        queue = api["stub"]("Job", channel)
        listed, token = 0, ""
        while True:
            page = queue.ListJobs(api["job"].ListJobsRequest(page_size=200, page_token=token))
            listed, token = listed + len(page.jobs), page.next_page_token
            if not token:
                break
    print(f"{jobs} jobs acknowledged, {listed} in the list", flush=True)
    if failed or listed != jobs:
        raise SystemExit("\n".join(failed[:10]) or "a job is missing or there twice")


def keep_logs(folder, kept):
    """Keeps the logs of the last run."""
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for log in folder.glob("*.log"):
        shutil.copy(log, kept)


def fill(api, address):
    with grpc.insecure_channel(address) as channel:
        puzzles, jobs = api["stub"]("Puzzle", channel), api["stub"]("Job", channel)
        job = puzzles.Generate(api["puzzle"].GenerateRequest(kind="KIND_SUDOKU", count=STOCK), wait_for_ready=True).job
        for _ in jobs.WatchJob(api["job"].WatchJobRequest(id=job.id)):
            pass


if __name__ == "__main__":
    main()
