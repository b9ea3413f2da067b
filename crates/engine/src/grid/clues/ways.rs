//! [`Ways`]: the ways to fill the open cells of a cage, if some of the cells can hold the same digit.

use std::iter::once;

use super::{
    open_sum::{CELLS_MAX, OpenSum, between, ends},
    operator::Operator,
};
use crate::grid::{
    cells::{Cells, Digits, Houses},
    rules::Rules,
};

/// A depth-first search for ways to fill the cells of a sum or a cage.
pub(super) struct Ways<'r> {
    rest: &'r OpenSum,
    rules: &'r Rules,
    /// For each cell, a lower and an upper bound for what the cells after it make.
    after: [[i32; 2]; CELLS_MAX],
    /// The index of a cell, and the digit that it has to hold.
    pub(super) fixed: Option<(usize, u8)>,
    /// The digits chosen so far, in the order of the cells.
    chosen: [u8; CELLS_MAX],
}

impl<'r> Ways<'r> {
    pub(super) fn of(rest: &'r OpenSum, rules: &'r Rules) -> Self {
        let is_product = rest.operator == Operator::Multiply;
        let mut after = [[i32::from(is_product); 2]; CELLS_MAX];
        for at in (1..rest.open().len()).rev() {
            let ([least, most], [low, high]) = (after[at], ends(rest.open()[at].1, 1).unwrap_or_default());
            after[at - 1] =
                if is_product { [least * low, most.saturating_mul(high)] } else { [least + low, most + high] };
        }
        Self { rest, rules, after, fixed: None, chosen: [0; CELLS_MAX] }
    }

    /// The digits of the way that was found last.
    pub(super) fn chosen(&self) -> &[u8] {
        &self.chosen[..self.rest.open().len()]
    }

    /// Whether there is a way.
    pub(super) fn exist(&mut self) -> bool {
        self.find(0, self.rest.total, &mut |_| true)
    }

    /// Passes on the digits of one way after the other, until `seen` returns true.
    pub(super) fn each(&mut self, seen: &mut dyn FnMut(&[u8]) -> bool) {
        if !self.rest.open().is_empty() {
            self.find(0, self.rest.total, seen);
        }
    }

    /// Whether `seen` returned true for a way in which the cells from index `at` on make `total`. The depth of the recursion is the number
    /// of cells.
    fn find(&mut self, at: usize, total: i32, seen: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        let (cell, mut digits) = self.rest.open()[at];
        if let Some((_, digit)) = self.fixed.filter(|(fixed, _)| *fixed == at) {
            digits = Digits::only(digit);
        }
        let peers = self.rules.peers[usize::from(cell)];
        for before in (0..at).filter(|before| peers.contains(self.rest.open()[*before].0)) {
            digits = digits.without(Digits::only(self.chosen[before]));
        }
        for digit in self.fitting(at, total, digits).iter() {
            self.chosen[at] = digit;
            let is_last = at + 1 == self.rest.open().len();
            let rest = if self.rest.operator.is_of_two() { Some(total) } else { self.rest.operator.rest(total, digit) };
            let found =
                if is_last { seen(self.chosen()) } else { rest.is_some_and(|rest| self.find(at + 1, rest, seen)) };
            if found {
                return true;
            }
        }
        false
    }

    /// Those of these digits that the cell at an index can hold if it and the cells after it make `total`.
    fn fitting(&self, at: usize, total: i32, digits: Digits) -> Digits {
        let ([least, most], operator) = (self.after[at], self.rest.operator);
        let before = if at == 0 { self.rest.known } else { Some(self.chosen[at - 1]) };
        match operator {
            Operator::Add => digits.and(between(total - most, total - least)),
            Operator::Multiply => {
                let fits = |digit: &u8| operator.rest(total, *digit).is_some_and(|rest| (least..=most).contains(&rest));
                digits.iter().filter(fits).collect()
            }
            Operator::Subtract | Operator::Divide => {
                before.map_or(digits, |before| digits.and(operator.partners(before, total)))
            }
        }
    }
}

/// For a cage in which digits may repeat: sets of its cells, each with the digits that every way to fill the cage has in the set. The sets
/// are all its cells, and its cells in each house.
pub(super) fn needed(rest: &OpenSum, rules: &Rules) -> Vec<(Cells, Digits)> {
    let cells = rest.cells();
    let houses = cells.iter().fold(Houses::NONE, |all, cell| all.or(rules.houses_of[usize::from(cell)]));
    let in_houses = houses.iter().map(|house| cells.and(rules.houses[house].cells)).filter(|part| part.len() > 1);
    let mut groups: Vec<(Cells, Digits)> = once(cells).chain(in_houses).map(|group| (group, rules.digits)).collect();
    let mut any = false;
    Ways::of(rest, rules).each(&mut |digits| {
        any = true;
        for (group, needed) in &mut groups {
            let of_way = rest.open().iter().zip(digits).filter(|((cell, _), _)| group.contains(*cell));
            *needed = needed.and(of_way.map(|(_, digit)| *digit).collect());
        }
        groups.iter().all(|(_, needed)| needed.is_empty())
    });
    groups.retain(|(_, needed)| any && !needed.is_empty());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        grid::{
            clues::{Cage, Clues, open_sum::Removed},
            model,
            position::Position,
            puzzle::Puzzle,
            samples::ARITHMETIC,
            solve,
        },
        shared::{budget::Budget, rng::Rng, step::Cell},
    };

    /// A board of 5x5 with one cage.
    fn with_cage(cells: &[Cell], operator: Operator, number: u32) -> Puzzle {
        let cage = Cage { cells: cells.iter().copied().collect(), number, operator: Some(operator) };
        let variant = ARITHMETIC.variant("5x5").expect("a variant of the kind");
        let clues = Clues { cages: vec![cage], ..Clues::default() };
        Puzzle { clues, ..Puzzle::new(variant, vec![0; 25], Vec::new()) }
    }

    /// The ways to fill the cells, found by trying all digits. Cells in a line differ.
    fn tried(position: &Position<'_>, cells: &[Cell], operator: Operator, number: u32) -> Vec<Vec<u8>> {
        let mut ways = vec![Vec::new()];
        for cell in cells {
            let peers = position.rules().peers[usize::from(*cell)];
            let longer = |way: &Vec<u8>| {
                let differs =
                    |digit: &u8| !cells.iter().zip(way).any(|(other, used)| peers.contains(*other) && used == digit);
                position
                    .candidates(*cell)
                    .iter()
                    .filter(differs)
                    .map(|digit| [&way[..], &[digit]].concat())
                    .collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        ways.retain(|way| operator.result(way) == Some(number));
        ways
    }

    #[test]
    fn ways_to_fill_cages_with_operators_are_those_found_by_trying_all() {
        let mut rng = Rng::from_seed(1);
        // A pair, a line, an L, a square, and a longer L.
        let shapes: [&[Cell]; 5] = [&[0, 1], &[0, 1, 2], &[0, 1, 5], &[0, 1, 5, 6], &[0, 1, 2, 5, 10]];
        for round in 0..1_500 {
            let (cells, operator) = (shapes[round % 5], Operator::ALL[round / 5 % 4]);
            if operator.is_of_two() && cells.len() > 2 {
                continue;
            }
            let digits: Vec<u8> = cells.iter().map(|_| 1 + u8::try_from(rng.below(5)).unwrap()).collect();
            let Some(number) = operator.result(&digits) else { continue };
            let puzzle = with_cage(cells, operator, number);
            let rules = Rules::of(&puzzle);
            let mut position = Position::empty(&rules);
            for cell in cells {
                let lost = rules.digits.iter().filter(|_| rng.below(4) == 0).collect::<Vec<_>>();
                for digit in lost {
                    position.remove(digit, Cells::only(*cell));
                }
            }
            let ways = tried(&position, cells, operator, number);
            let rest = OpenSum::of(&position, &rules.sums[0]);
            let kept = |removed: Removed| -> Vec<Digits> {
                let lost =
                    |cell: Cell| removed.iter().filter(move |(_, cells)| cells.contains(cell)).map(|(digit, _)| *digit);
                cells.iter().map(|cell| position.candidates(*cell).without(lost(*cell).collect())).collect()
            };
            let used: Vec<Digits> = (0..cells.len()).map(|at| ways.iter().map(|way| way[at]).collect()).collect();
            let exact = rest.unsupported(&rules).map(kept);
            assert_eq!(exact, (!ways.is_empty()).then(|| used.clone()), "{operator:?} {number} {cells:?}");
            if let Some(within) = rest.beyond_bounds().map(kept) {
                assert!(
                    used.iter().zip(within).all(|(used, kept)| used.without(kept).is_empty()),
                    "{operator:?} {number}"
                );
            } else {
                assert!(ways.is_empty(), "{operator:?} {number} {cells:?}");
            }
            for (group, needed) in rest.needed(&rules) {
                let has = |way: &Vec<u8>, digit| {
                    cells.iter().zip(way).any(|(cell, of)| group.contains(*cell) && *of == digit)
                };
                assert!(needed.iter().all(|digit| ways.iter().all(|way| has(way, digit))), "{operator:?} {number}");
            }
        }
    }

    /// Cages were houses, which hold no digit twice.
    #[test]
    fn equal_digits_at_the_ends_of_an_l_are_right() {
        // The digits 2, 1, and 2: the cells r1c2 and r2c1 are in no common line.
        let puzzle = with_cage(&[0, 1, 5], Operator::Multiply, 4);
        let rules = Rules::of(&puzzle);
        assert!(!rules.peers[1].contains(5) && rules.shared(1, 5) == Houses::NONE);
        let givens = |digits: [u8; 3]| {
            let mut board = vec![0; 25];
            (board[0], board[1], board[5]) = digits.into();
            puzzle.with(board)
        };
        for (digits, is_right) in [([1, 2, 2], true), ([4, 1, 1], true), ([2, 1, 2], false), ([1, 4, 1], false)] {
            let puzzle = givens(digits);
            let mut budget = Budget::of_nodes(10_000);
            let own = solve::solutions(&puzzle, 1, &mut budget).unwrap();
            assert_eq!(own.len(), usize::from(is_right), "{digits:?}");
            assert_eq!(model::solutions(&puzzle, 1, &mut budget).unwrap().len(), own.len(), "{digits:?}");
            assert!(own.iter().all(|board| model::holds(&puzzle, board)));
        }
        let all = OpenSum::of(&Position::empty(&rules), &rules.sums[0]);
        let parts: [&[Cell]; 3] = [&[0, 1, 5], &[0, 1], &[0, 5]];
        let one = |cells: &[Cell]| (cells.iter().copied().collect(), Digits::only(1));
        assert_eq!(all.needed(&rules), parts.map(one), "the ways are 1, 2, 2 and 4, 1, 1");
    }
}
