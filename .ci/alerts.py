"""The program of `.ci/alerts`: processes on a PostgreSQL database, Prometheus, and the faults."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from throwaway import Postgres, free_port

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Rules wait for a sixtieth of their time. A process counts as running for a minute after it was last seen, which is not divided.
FASTER = 60
# Longest wait for one alert, in seconds.
PATIENCE = 240


def faster(rules):
    """The rules with their durations divided: `5m` becomes `5s`."""
    rules = re.sub(r"\[1h\]", f"[{3600 // FASTER}s]", rules)
    rules = re.sub(r"(for: |\[)(\d+)m", r"\1\2s", rules)
    return rules.replace("> 900 ", f"> {900 // FASTER} ")


class Process:
    """A server or a process of workers."""

    def __init__(self, binary, folder, command, *arguments):
        self.ops = free_port()
        self.log = open(folder / f"{command}-{self.ops}.log", "w")
        command = [binary, command, "--config", folder / "puzzled.toml", "--ops-listen", f"127.0.0.1:{self.ops}", *arguments]
        self.child = subprocess.Popen(command, env=dict(os.environ), cwd=folder, stderr=self.log)

    def end(self, sent=signal.SIGTERM):
        if self.child.poll() is None:
            self.child.send_signal(sent)
            self.child.wait()


class Alerts:
    """A Prometheus with the faster rules."""

    def __init__(self, folder, processes):
        (folder / "rules.yaml").write_text(faster((ROOT / "deploy/prometheus/rules.yaml").read_text()))
        targets = [f"127.0.0.1:{process.ops}" for process in processes]
        config = {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": ["rules.yaml"],
            "scrape_configs": [{"job_name": "puzzled", "static_configs": [{"targets": targets}]}],
        }
        # JSON is YAML.
        (folder / "prometheus.yaml").write_text(json.dumps(config))
        self.url = f"http://127.0.0.1:{free_port()}"
        arguments = [f"--config.file={folder / 'prometheus.yaml'}", f"--storage.tsdb.path={folder / 'data'}"]
        arguments += [f"--web.listen-address={self.url[7:]}", "--log.level=error"]
        self.child = subprocess.Popen(["prometheus", *arguments])

    def firing(self):
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/alerts", timeout=2) as answer:
                alerts = json.load(answer)["data"]["alerts"]
        except OSError:
            return set()
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def wait(self, alert, fault, since):
        while time.monotonic() - since < PATIENCE:
            if alert in self.firing():
                print(f"{alert:<27} {fault:<46} {time.monotonic() - since:5.0f} s", flush=True)
                return
            time.sleep(0.5)
        raise SystemExit(f"{alert} does not fire within {PATIENCE} s after: {fault}")


def next_window():
    """A cron expression whose window of one minute opens at the next full minute."""
    return f"{time.gmtime(time.time() + 60).tm_min} * * * *"


def main():
    binary = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="puzzled-alerts-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        postgres = Postgres(folder)
        os.environ["PUZZLED_DATABASE_URL"] = postgres.url
        os.environ["PUZZLED_DATABASE_CONNECTIONS"] = "5"
        settings = folder / "puzzled.toml"
        # Nobody makes so many puzzles in a minute.
        target = "[[target]]\nkind = 'sudoku'\nlevel = 'expert'\ntarget = 1000000\n"
        settings.write_text(f"{target}cron = '{next_window()}'\nwindow_minutes = 1\n")
        processes = []
        try:
            began = time.monotonic()
            for _ in range(2):
                processes.append(Process(binary, folder, "serve", "--workers", "0", "--listen", f"127.0.0.1:{free_port()}"))
            processes.append(Process(binary, folder, "work", "--workers", "1"))
            alerts = Alerts(folder, processes)
            try:
                provoke(alerts, postgres, processes, settings, began)
            finally:
                alerts.child.terminate()
                alerts.child.wait()
        finally:
            for process in processes:
                process.end(signal.SIGKILL)
            postgres.stop()


def provoke(alerts, postgres, processes, settings, began):
    print(f"{'alert':<27} {'fault':<46} until it fires")
    alerts.wait("PuzzledStockLow", "a target has no puzzles", began)
    alerts.wait("PuzzledRefillBehindWindow", "its window closes before it is filled", began)

    since = time.monotonic()
    processes[2].end(signal.SIGKILL)
    alerts.wait("PuzzledNoWorker", "the only process with workers is killed", since)

    def reload(text):
        settings.write_text(text)
        for process in processes[:2]:
            process.child.send_signal(signal.SIGHUP)
        return time.monotonic()

    whole = settings.read_text()
    since = reload(f"max_puzzles = 1\n{whole}")
    alerts.wait("PuzzledNearGrowthBound", "max_puzzles is set to 1", since)
    since = reload(f"max_puzzles = 'many'\n{whole}")
    alerts.wait("PuzzledCertificateOrReload", "a reload reads a wrong setting", since)

    since = time.monotonic()
    postgres.stop("immediate")
    alerts.wait("PuzzledDatabaseDown", "PostgreSQL is stopped", since)
    # `main` stops it once more.
    postgres.start()


if __name__ == "__main__":
    main()
