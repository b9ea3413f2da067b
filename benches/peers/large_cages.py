#!/usr/bin/env python3
"""Makes killers of 9 by 9 cells whose cages all have 3 to 5 cells. Each has one solution by CP-SAT (PyPI ortools).

  large_cages.py COUNT SEED     writes COUNT texts, one a line; equal arguments give equal texts with the same version of ortools

They test the proofs of the engine, which makes no such puzzles. This program shares no code with the engine.
A random solution is divided into cages. If there is another solution, the program replaces some of the cages in which the two solutions differ, and tries again.
"""

import random
import sys
from itertools import count, islice

from grid_cpsat import forbid, houses_of, model_of
from ortools.sat.python import cp_model

PLACES = [(r, c) for r in range(9) for c in range(9)]
SHARES = {3: 40, 4: 40, 5: 20}  # of cages of 3, 4, and 5 cells, in percent
# The repairs after which a board is given up, and the divisions that a repair tries for each cage that may change.
REPAIRS_MAX, CHOICES = 80, 6


def answer(cages, fixed, forbidden, rng):
    """A solution with these digits that is not the forbidden one; None if there is none. Fails if CP-SAT does not say."""
    model, cells = model_of("killer", 9, houses_of("killer", "9x9", 9, {}), cages, [], False)
    for at, digit in fixed.items():
        model.add(cells[at] == digit)
    if forbidden:
        forbid(model, cells, forbidden)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.random_seed = 1, rng.randrange(2**31)
    solver.parameters.max_deterministic_time = 120
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE), "CP-SAT gives no answer"
    return None if status == cp_model.INFEASIBLE else {at: solver.value(cells[at]) for at in PLACES}


def beside(cells, among):
    around = {(r + down, c + right) for r, c in cells for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return sorted((around & set(among)) - set(cells))


def divided(cells, digits, rng):
    """Random cages of some cells. None if one would be too small."""
    free, cages = set(cells), []
    fits = lambda cage, at: len(cage) < max(SHARES) and digits[at] not in [digits[other] for other in cage]
    while free:
        # Cells with few free neighbors come first, so that few cells are left over.
        first = min(sorted(free), key=lambda at: (len(beside([at], free)), rng.random()))
        cage, size = [first], rng.choices(list(SHARES), SHARES.values())[0]
        while len(cage) < size and (nexts := [at for at in beside(cage, free) if fits(cage, at)]):
            cage.append(rng.choice(nexts))
        free -= set(cage)
        cages.append(cage)
    for small in [cage for cage in cages if len(cage) < min(SHARES)]:
        cages.remove(small)
        for at in small:
            homes = [cage for cage in cages if at in beside(cage, [at]) and fits(cage, at)]
            min(homes, key=len, default=[]).append(at)
    return cages if sum(map(len, cages)) == len(cells) and min(map(len, cages), default=0) >= min(SHARES) else None


def redivided(cages, cage, digits, rng):
    """The cages after one of them and one or two of its neighbors are divided again."""
    near = [other for other in cages if beside(cage, other)]
    old = [cage, *rng.sample(near, min(len(near), rng.choice((1, 2))))]
    new = divided(sum(old, []), digits, rng)
    return new and [other for other in cages if other not in old] + new


def puzzle(rng):
    """A puzzle with one solution. None if the repairs do not lead to one."""
    # Any digits of the boxes on a diagonal are part of a solution.
    boxes = [[at for at in PLACES if at[0] // 3 == at[1] // 3 == box] for box in range(3)]
    digits = answer([], {at: digit for box in boxes for at, digit in zip(box, rng.sample(range(1, 10), 9))}, None, rng)
    total = lambda cage, filled: sum(filled[at] for at in cage)
    keeps = lambda cage, filled: total(cage, filled) == total(cage, digits) and len({filled[at] for at in cage}) == len(cage)
    left = lambda cages: sum(all(keeps(cage, filled) for cage in cages) for filled in wrong)
    cages, wrong = next(filter(None, (divided(PLACES, digits, rng) for _ in range(10_000)))), []
    for _ in range(REPAIRS_MAX):
        if (other := answer([(cage, total(cage, digits)) for cage in cages], {}, digits, rng)) is None:
            return text(sorted(map(sorted, cages)), lambda cage: total(cage, digits))
        wrong.append(other)
        is_wrong = lambda cage: any(other[at] != digits[at] for at in cage)
        moves = [redivided(cages, cage, digits, rng) for cage in CHOICES * cages if is_wrong(cage)]
        cages = min(filter(None, moves), key=left, default=cages)


def text(cages, total):
    letters = {}
    for cage in cages:
        near = [letters.get(at) for at in beside(cage, PLACES)]
        letters.update(dict.fromkeys(cage, next(letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter not in near)))
    return f"9x9: {'.' * 81} cages={''.join(letters[at] for at in PLACES)} sums={','.join(str(total(cage)) for cage in cages)}"


if __name__ == "__main__":
    generator = random.Random(int(sys.argv[2]))
    print("\n".join(islice(filter(None, (puzzle(generator) for _ in count())), int(sys.argv[1]))))
