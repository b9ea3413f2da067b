"""What the programs of `.ci/` start and end: a PostgreSQL server, and free ports."""

import glob
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import time


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def initdb():
    """The program that makes a database of PostgreSQL, or none."""
    return max(glob.glob("/usr/lib/postgresql/*/bin/initdb"), default=shutil.which("initdb"))


class Postgres:
    """A server that ends with this program."""

    def __init__(self, folder):
        self.programs = pathlib.Path(initdb()).parent
        self.folder = folder / "postgres"
        self.folder.mkdir()
        self.user = None
        if os.geteuid() == 0:
            self.user = "postgres"
            owner = pwd.getpwnam(self.user)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self.data = self.folder / "data"
        self.run("initdb", "-D", self.data, "-U", "puzzled", "-A", "trust", "--locale=C", "-E", "UTF8")
        self.start()
        self.url = f"postgres:///postgres?host={self.folder}&user=puzzled"

    def run(self, program, *arguments):
        done = subprocess.run(
            [self.programs / program, *arguments], user=self.user, cwd="/", stdout=subprocess.DEVNULL, check=False
        )
        assert done.returncode == 0, (program, arguments)

    def start(self):
        options = f"-c listen_addresses='' -c dynamic_shared_memory_type=mmap -k {self.folder}"
        self.run("pg_ctl", "start", "-s", "-w", "-D", self.data, "-l", self.folder / "log", "-o", options)

    def stop(self, mode="fast"):
        self.run("pg_ctl", "stop", "-s", "-m", mode, "-D", self.data)


def until(is_done, failure):
    for _ in range(600):
        if is_done():
            return
        time.sleep(0.1)
    raise SystemExit(failure)
