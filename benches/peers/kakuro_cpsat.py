#!/usr/bin/env python3
"""Checks the Kakuro engine against CP-SAT (PyPI ortools), and compares their times.

CP-SAT and this program share no code with the engine, not even the parser of texts.

  peers kakuro export COUNT | kakuro_cpsat.py check [--processes N]
      checks that each puzzle has one solution and no fault of the layout; the last line says how many were checked
  kakuro_cpsat.py solve PEERS FILE...
      seconds of processor time to count solutions up to two, by the kernel and by CP-SAT with one worker, in one run

PEERS is the built program, target/release/peers. Exit code 1 if a puzzle fails.
"""

import json
import subprocess
import sys
import time
from multiprocessing import Pool

from ortools.sat.python import cp_model

RUN_MAX = {"8x10-runs9-white70": 9, "10x8-runs5": 5}
WHITE_MIN = {"8x10-runs9-white70": 70, "12x12-white55": 55}


def grid_of(text):
    rows = []
    for line in text.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == "#" and words[1].endswith(":"):
            continue
        if line.strip() == "# solution":
            break
        if words:
            rows.append(words)
    return rows


def clue(token, side):
    parts = token.split("\\")
    return int(parts[side]) if len(parts) == 2 and parts[side] else None


def is_white(token):
    return token == "." or token in "123456789"


def runs_of(rows):
    """(sum, cells) of each run, across then down; the sum is None where no clue stands before it."""
    height, width = len(rows), len(rows[0])
    runs = []
    for side, (down, right) in enumerate([(0, 1), (1, 0)]):
        for row in range(height):
            for column in range(width):
                before = (row - down, column - right)
                if not is_white(rows[row][column]) or (min(before) >= 0 and is_white(rows[before[0]][before[1]])):
                    continue
                cells, at = [], (row, column)
                while at[0] < height and at[1] < width and is_white(rows[at[0]][at[1]]):
                    cells.append(at)
                    at = (at[0] + down, at[1] + right)
                total = clue(rows[before[0]][before[1]], side) if min(before) >= 0 else None
                runs.append((total, cells))
    return runs


def model_of(runs):
    model = cp_model.CpModel()
    cells = {}
    for total, run in runs:
        for at in run:
            if at not in cells:
                cells[at] = model.new_int_var(1, 9, f"r{at[0] + 1}c{at[1] + 1}")
        of_run = [cells[at] for at in run]
        model.add_all_different(of_run)
        model.add(sum(of_run) == total)
    return model, cells


def forbid(model, cells, digits):
    differ = []
    for at, cell in cells.items():
        other = model.new_bool_var("")
        model.add(cell != digits[at]).only_enforce_if(other)
        differ.append(other)
    model.add_bool_or(differ)


def solver():
    one = cp_model.CpSolver()
    one.parameters.num_workers = 1
    return one


def bridges(runs):
    """Cells whose value follows from sums alone: bridges of the graph with runs as nodes and white cells as edges."""
    of_cell = {}
    for number, (_, cells) in enumerate(runs):
        for at in cells:
            of_cell.setdefault(at, []).append(number)
    neighbours = {}
    for at, (one, other) in of_cell.items():
        neighbours.setdefault(one, []).append((other, at))
        neighbours.setdefault(other, []).append((one, at))
    entered, lowest, found, clock = {}, {}, [], 0
    for root in neighbours:
        if root in entered:
            continue
        entered[root] = lowest[root] = clock
        clock += 1
        stack = [(root, None, iter(neighbours[root]))]
        while stack:
            node, via, rest = stack[-1]
            step = next(((other, at) for other, at in rest if at != via), None)
            if step is None:
                stack.pop()
                if stack:
                    before = stack[-1][0]
                    lowest[before] = min(lowest[before], lowest[node])
                    if lowest[node] > entered[before]:
                        found.append(via)
            elif step[0] in entered:
                lowest[node] = min(lowest[node], entered[step[0]])
            else:
                entered[step[0]] = lowest[step[0]] = clock
                clock += 1
                stack.append((step[0], step[1], iter(neighbours[step[0]])))
    return found, clock == len(neighbours) and roots(neighbours) == 1


def roots(neighbours):
    left, count = set(neighbours), 0
    while left:
        count += 1
        stack = [left.pop()]
        while stack:
            for other, _ in neighbours[stack.pop()]:
                if other in left:
                    left.remove(other)
                    stack.append(other)
    return count


def layout_fault(puzzle, rows, runs):
    height, width = len(rows), len(rows[0])
    variant = puzzle["variant"]
    if f"{width}x{height}" != variant.split("-")[0] or any(len(row) != width for row in rows):
        return "its size"
    white = {(r, c) for r in range(height) for c in range(width) if is_white(rows[r][c])}
    if any(min(at) == 0 for at in white):
        return "a white cell in the first row or column"
    for total, cells in runs:
        if total is None or not 2 <= len(cells) <= RUN_MAX.get(variant, 7):
            return f"the run at {cells[0]}"
    clues = sum(clue(token, side) is not None for row in rows for token in row for side in (0, 1) if "\\" in token)
    if clues != len(runs):
        return "a clue without a run"
    if 100 * len(white) < WHITE_MIN.get(variant, 62) * (width - 1) * (height - 1):
        return "its share of white cells"
    turned = {
        "none": lambda r, c: (r, c),
        "rotation180": lambda r, c: (height - r, width - c),
        "horizontal": lambda r, c: (r, width - c),
        "vertical": lambda r, c: (height - r, c),
    }[puzzle["symmetry"]]
    if {turned(*at) for at in white} != white:
        return "its symmetry"
    cut, joined = bridges(runs)
    if cut:
        return f"a bridge at {cut[0]}"
    return None if joined else "parts that do not hang together"


def check(line):
    puzzle = json.loads(line)
    rows, solution = grid_of(puzzle["text"]), grid_of(puzzle["solution"])
    runs = runs_of(rows)
    fault = layout_fault(puzzle, rows, runs)
    if fault:
        return f"index {puzzle['index']}: {fault}"
    digits = {at: int(solution[at[0]][at[1]]) for _, cells in runs for at in cells}
    for total, cells in runs:
        if sum(digits[at] for at in cells) != total or len({digits[at] for at in cells}) != len(cells):
            return f"index {puzzle['index']}: its solution breaks the run at {cells[0]}"
    model, cells = model_of(runs)
    forbid(model, cells, digits)
    status = solver().solve(model)
    if status != cp_model.INFEASIBLE:
        return f"index {puzzle['index']}: CP-SAT says {status} to another solution"
    return None


def check_all(processes):
    begun, count, faults = time.time(), 0, []
    with Pool(processes) as pool:
        for fault in pool.imap_unordered(check, sys.stdin, chunksize=8):
            count += 1
            if fault:
                faults.append(fault)
                print(fault, flush=True)
            if count % 1000 == 0:
                print(f"{count} checked, {len(faults)} faults, {time.time() - begun:.0f} s", file=sys.stderr, flush=True)
    print(f"{count} puzzles: {count - len(faults)} have one solution by CP-SAT and no fault of the layout, {len(faults)} fail")
    return 1 if faults else 0


def count_by_cpsat(rows):
    """Solutions up to two, and the processor time of the two searches without the building of the model."""
    model, cells = model_of(runs_of(rows))
    spent, found = 0.0, 0
    while found < 2:
        one, start = solver(), time.process_time()
        status = one.solve(model)
        spent += time.process_time() - start
        if status == cp_model.INFEASIBLE:
            break
        found += 1
        forbid(model, cells, {at: one.value(cell) for at, cell in cells.items()})
    return found, spent


def solve_all(peers, files):
    print(f"{'puzzle':<36} {'cells':>5} {'solutions':>9} {'kernel ms':>10} {'core ms':>9} {'CP-SAT ms':>10} {'ratio':>8}")
    ratios, ours_max, bad = [], 0.0, 0
    for file in files:
        out = subprocess.run([peers, "kakuro", "solve", file], check=True, capture_output=True, text=True).stdout
        name, cells, count, kernel, core = out.rstrip("\n").split("\t")
        with open(file, encoding="utf-8") as text:
            found, spent = count_by_cpsat(grid_of(text.read()))
        bad += found != int(count)
        ratio = spent * 1e6 / float(kernel)
        ratios.append(ratio)
        ours_max = max(ours_max, float(kernel))
        print(f"{name:<36} {cells:>5} {count:>9} {float(kernel) / 1e3:>10.4f} {float(core) / 1e3:>9.3f} {spent * 1e3:>10.2f} {ratio:>8.0f}")
    ratios.sort()
    print(
        f"{len(ratios)} puzzles: ratio at least {ratios[0]:.0f}, median {ratios[len(ratios) // 2]:.0f}; "
        f"the slowest takes our kernel {ours_max / 1e3:.3f} ms; {bad} with another number of solutions"
    )
    return 1 if bad else 0


def main(arguments):
    if arguments[:1] == ["check"]:
        return check_all(int(arguments[2]) if arguments[1:2] == ["--processes"] else 1)
    if arguments[:1] == ["solve"] and len(arguments) > 2:
        return solve_all(arguments[1], arguments[2:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
