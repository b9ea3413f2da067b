"""Writes the seeds and the words that the puzzles and texts of `tests/data` give: seeds.py FOLDER. `.ci/fuzz` calls it."""

import json
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = pathlib.Path(sys.argv[1])


def grid():
    """The first puzzle of each file, and its solution."""
    for file in sorted((ROOT / "tests/data/grid").glob("*.jsonl")):
        puzzle = json.loads(file.open().readline())
        yield file.stem, puzzle["text"]
        yield f"{file.stem}-solution", puzzle["solution"]


def texts():
    """The texts of each kind: those that it reads, and those that it refuses."""
    for file in sorted((ROOT / "tests/data/kinds").glob("*/*.toml")):
        tables = [table for rows in tomllib.loads(file.read_text()).values() if isinstance(rows, list) for table in rows]
        for number, text in enumerate(table["text"] for table in tables if "text" in table):
            yield f"{file.parent.name}-{file.stem}-{number}", text


for target, seeds in (("grid", [*grid(), *texts()]), ("texts", list(texts())), ("notations", list(texts()))):
    (FOLDER / target).mkdir(parents=True, exist_ok=True)
    for name, text in seeds:
        (FOLDER / target / name).write_text(text)

# The names of variants, and those of the parts of a text, which random bytes would rarely produce.
written = [text for _, text in [*grid(), *texts()]]
variants = {found for text in written for found in re.findall(r"^[0-9]+x[0-9]+[-a-z0-9]*: ", text)}
parts = {found for text in written for found in re.findall(r" [a-z]+=", text)}
words = "".join(f"{json.dumps(word)}\n" for word in sorted(variants | parts))
(FOLDER / "words").write_text((ROOT / "fuzz/words").read_text() + words)
