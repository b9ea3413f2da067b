#!/usr/bin/env python3
"""Checks puzzles of the kinds on a square grid by CP-SAT (PyPI ortools).

CP-SAT and this program share no code with the engine: the rules are written here again, from the text of each puzzle.

  puzzled generate --kind sudoku --variant 6x6 --count 1000 --format json | grid_cpsat.py [--processes N] [FILE…]

Checks that the solution of each puzzle keeps the rules and the givens, that there is no other solution, and that the givens have
the stated symmetry. For each file, or for standard input, a last line says how many were checked. Exit code 1 if a puzzle fails.
"""

import json
import sys
import time
from multiprocessing import Pool

from kakuro_cpsat import forbid
from ortools.sat.python import cp_model

BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 16: (4, 4)}
SIGNS = "123456789ABCDEFG"


def parts_of(text):
    """The variant, the cells of the grid, and the other parts by name."""
    words = text.split(" ")
    variant = words.pop(0).rstrip(":") if words[0].endswith(":") else "9x9"
    return variant, words[0], dict(word.split("=", 1) for word in words[1:])


def regions_of(letters, size):
    """The cells of each region: connected cells of one letter."""
    left, regions = {(r, c) for r in range(size) for c in range(size)}, []
    while left:
        first = min(left)
        stack, region = [first], set()
        while stack:
            at = stack.pop()
            if at in left and letters[at[0] * size + at[1]] == letters[first[0] * size + first[1]]:
                left.remove(at)
                region.add(at)
                stack += [(at[0] + r, at[1] + c) for r, c in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        regions.append(sorted(region))
    return regions


def houses_of(kind, variant, size, others):
    if kind == "suguru":
        return regions_of(others["regions"], size)
    houses = [[(line, at) for at in range(size)] for line in range(size)]
    houses += [[(at, line) for at in range(size)] for line in range(size)]
    if kind in ("binairo", "calcudoku", "skyscrapers"):
        return houses
    if "regions" in others:
        houses += regions_of(others["regions"], size)
    elif "right" not in others:
        high, wide = BOXES[size]
        corners = [(r, c) for r in range(0, size, high) for c in range(0, size, wide)]
        houses += [[(r + down, c + right) for down in range(high) for right in range(wide)] for r, c in corners]
    if variant.endswith("-x"):
        houses += [[(at, at) for at in range(size)], [(at, size - 1 - at) for at in range(size)]]
    if variant.endswith("-windoku"):
        corners = [(r, c) for r in (1, 5) for c in (1, 5)]
        houses += [[(r + down, c + right) for down in range(3) for right in range(3)] for r, c in corners]
    return houses


def cages_of(others, size):
    """The cells of each cage with their number and operator, which is empty for a sum without a repeated digit."""
    if "cages" not in others:
        return []
    cages, numbers = regions_of(others["cages"], size), others.get("sums", others.get("totals")).split(",")
    assert len(cages) == len(numbers) and "." not in others["cages"]
    totals = [(number.rstrip("+-x/"), number.lstrip("0123456789")) for number in numbers]
    # In a calcudoku, a cage of one cell has a number alone, which is its sum.
    assert all(not operator if "sums" in others or len(cage) == 1 else operator in list("+x-/"[: 4 if len(cage) == 2 else 2])
               for cage, (_, operator) in zip(cages, totals))
    return [(cage, int(number), operator) for cage, (number, operator) in zip(cages, totals)]


def digits_of(kind, grid, size):
    if kind == "binairo":
        signs = [".01".index(sign) for sign in grid]
    else:
        signs = [0 if sign in ".0" else 1 if sign == "*" else SIGNS.index(sign) + 1 for sign in grid]
    return {(at // size, at % size): digit for at, digit in enumerate(signs)}


def signs_of(others, size):
    """The signs between neighbors: the left or upper cell, the sign, and the other cell."""
    at = lambda number, wide: divmod(number, wide)
    right = [(at(number, size - 1), sign, (0, 1)) for number, sign in enumerate(others.get("right", ""))]
    down = [(at(number, size), sign, (1, 0)) for number, sign in enumerate(others.get("down", ""))]
    return [((r, c), sign, (r + to[0], c + to[1])) for (r, c), sign, to in right + down if sign != "-"]


def sightlines_of(others, size):
    """The cells that are seen from each clue beside the grid, from the nearest on, with the number of visible ones."""
    lines = {
        "north": lambda line: [(at, line) for at in range(size)],
        "south": lambda line: [(size - 1 - at, line) for at in range(size)],
        "west": lambda line: [(line, at) for at in range(size)],
        "east": lambda line: [(line, size - 1 - at) for at in range(size)],
    }
    assert all(len(others[side]) == size for side in lines if side in others)
    return [(cells(line), int(sign)) for side, cells in lines.items()
            for line, sign in enumerate(others.get(side, "")) if sign != "."]


def add_sightline(model, cells, size, visible):
    """So many cells of a line hold more than all cells before them."""
    highest, seen = cells[0], [1]
    for cell in cells[1:]:
        with_cell, is_higher = model.new_int_var(1, size, ""), model.new_bool_var("")
        model.add_max_equality(with_cell, [highest, cell])
        model.add(cell > highest).only_enforce_if(is_higher)
        model.add(cell < highest).only_enforce_if(~is_higher)
        highest = with_cell
        seen.append(is_higher)
    model.add(sum(seen) == visible)


def add_halves(model, cells, size, houses, signs, are_unlike):
    """As many zeros (1) as ones (2) in each line, no three alike side by side; signs, or no equal lines."""
    for line in houses:
        model.add(sum(cells[at] for at in line) == size // 2 * 3)
        for at in range(size - 2):
            model.add_linear_constraint(sum(cells[place] for place in line[at : at + 3]), 4, 5)
    for first, sign, second in signs:
        model.add(cells[first] == cells[second] if sign == "=" else cells[first] != cells[second])
    if not are_unlike:
        return
    for lines in (houses[:size], houses[size:]):
        # As binary numbers, the lines differ.
        model.add_all_different([sum(2**place * cells[at] for place, at in enumerate(line)) for line in lines])


def add_cage(model, cells, size, number, operator):
    """What the digits of a cage make."""
    if operator in ("-", "/"):
        pairs = [(one, other) for one in range(1, size + 1) for other in range(1, size + 1)
                 if number == (abs(one - other) if operator == "-" else max(one, other) / min(one, other))]
        model.add_allowed_assignments(cells, pairs)
    elif operator == "x":
        model.add_multiplication_equality(model.new_constant(number), cells)
    else:
        model.add(sum(cells) == number)
        if not operator:
            model.add_all_different(cells)


def model_of(kind, variant, size, houses, cages, signs, sightlines):
    model = cp_model.CpModel()
    places = [(r, c) for r in range(size) for c in range(size)]
    if kind == "star_battle":
        cells = {at: model.new_int_var(0, 1, str(at)) for at in places}
        for house in houses:
            model.add(sum(cells[at] for at in house) == (2 if variant.endswith("-2") else 1))
        for r, c in places:
            for near in ((r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)):
                if near in cells:
                    model.add(cells[r, c] + cells[near] <= 1)
    elif kind == "binairo":
        cells = {at: model.new_int_var(1, 2, str(at)) for at in places}
        add_halves(model, cells, size, houses, signs, not variant.endswith("-signs"))
    elif kind == "suguru":
        cells = {at: model.new_int_var(1, len(region), str(at)) for region in houses for at in region}
        for region in houses:
            model.add_all_different([cells[at] for at in region])
        for r, c in places:
            for near in ((r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)):
                if near in cells:
                    model.add(cells[r, c] != cells[near])
    else:
        cells = {at: model.new_int_var(1, size, str(at)) for at in places}
        for house in houses:
            model.add_all_different([cells[at] for at in house])
        for first, sign, second in signs:
            model.add({"<": cells[first] < cells[second], ">": cells[first] > cells[second]}[sign])
        for cage, number, operator in cages:
            add_cage(model, [cells[at] for at in cage], size, number, operator)
        for line, visible in sightlines:
            add_sightline(model, [cells[at] for at in line], size, visible)
    return model, cells


def solved(model, fixed):
    """Whether there is a solution with these digits; None if CP-SAT does not say."""
    model = model.clone()
    for index, digit in fixed:
        model.add(model.get_int_var_from_proto_index(index) == digit)
    return status(model)


def status(model):
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 60
    return {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}.get(solver.solve(model))


def symmetry_fault(name, digits, size):
    end = size - 1
    images = {
        "none": [],
        "rotation180": [lambda r, c: (end - r, end - c)],
        "rotation90": [lambda r, c: (c, end - r)],
        "horizontal": [lambda r, c: (r, end - c)],
        "vertical": [lambda r, c: (end - r, c)],
        "diagonal": [lambda r, c: (c, r)],
        "antidiagonal": [lambda r, c: (end - c, end - r)],
        "full": [lambda r, c: (c, end - r), lambda r, c: (c, r)],
    }[name.removeprefix("SYMMETRY_").replace("_", "").replace("-", "").lower()]
    given = {at for at, digit in digits.items() if digit}
    return any({image(*at) for at in given} != given for image in images)


def check(line):
    puzzle = json.loads(line)
    kind = puzzle["kind"].removeprefix("KIND_").lower()
    variant, grid, others = parts_of(puzzle["text"])
    size = int(variant.split("x")[0])
    houses = houses_of(kind, variant, size, others)
    givens, solution = digits_of(kind, grid, size), digits_of(kind, parts_of(puzzle["solution"])[1], size)
    fault = lambda words: f"{puzzle['text']}: {words}"
    lengths = {"star_battle": range(1, size * size), "suguru": range(1, 6)}.get(kind, [size])
    if variant != puzzle["variant"] or len(grid) != size * size or any(len(house) not in lengths for house in houses):
        return fault("its size")
    if any(digit and digit != solution[at] for at, digit in givens.items()):
        return fault("its solution has other givens")
    if symmetry_fault(puzzle["symmetry"], givens, size):
        return fault("its symmetry")
    clues = cages_of(others, size), signs_of(others, size), sightlines_of(others, size)
    model, cells = model_of(kind, variant, size, houses, *clues)
    if solved(model, [(cell.index, solution[at]) for at, cell in cells.items()]) is not True:
        return fault("its solution breaks a rule")
    for at, digit in givens.items():
        if digit:
            model.add(cells[at] == digit)
    forbid(model, cells, solution)
    answer = status(model)
    return None if answer is False else fault(f"CP-SAT says {answer} to another solution")


def checked(pool, lines):
    """Checks puzzles, and prints the faults and a last line. Whether there are puzzles and none has a fault."""
    begun, count, faults = time.time(), 0, 0
    for fault in pool.imap_unordered(check, lines, chunksize=8):
        count += 1
        if fault:
            faults += 1
            print(fault, flush=True)
    print(f"{count} puzzles checked, {faults} faults, {time.time() - begun:.0f} s", flush=True)
    return count > 0 and not faults


def main(arguments):
    processes = int(arguments[1]) if arguments[:1] == ["--processes"] else 1
    files = arguments[2 if arguments[:1] == ["--processes"] else 0:]
    with Pool(processes) as pool:
        if not files:
            return int(not checked(pool, sys.stdin))
        well = True
        for file in files:
            print(f"{file}: ", end="")
            with open(file) as lines:
                well &= checked(pool, lines)
        return int(not well)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
