//! The rule of signs: each candidate of one cell needs a partner in the other, a digit with which the relation holds.

use super::{By, Exclusion, Loose, Sign};
use crate::{
    grid::{
        cells::{Cells, Digits},
        position::Position,
        rounds::Failure,
        variant::{ClueType, GridVariant},
    },
    shared::step::{Cell, cell_name},
};

/// What a sign says about two neighbors. The first is the left or upper cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// The first digit is smaller.
    Less,
    /// The first digit is larger.
    Greater,
    /// The digits are equal.
    Same,
    /// The digits differ.
    Different,
}

impl Relation {
    /// Whether the relation holds for two digits.
    pub(crate) const fn holds(self, first: u8, second: u8) -> bool {
        match self {
            Self::Less => first < second,
            Self::Greater => first > second,
            Self::Same => first == second,
            Self::Different => first != second,
        }
    }

    /// The relation of the same digits in the other order.
    pub(crate) const fn reversed(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Greater => Self::Less,
            Self::Same | Self::Different => self,
        }
    }

    /// The relation that holds if this one does not. For `Less` and `Greater`, the two cells must be in one house, so that their digits
    /// differ.
    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Greater => Self::Less,
            Self::Same => Self::Different,
            Self::Different => Self::Same,
        }
    }

    /// Its sign in texts, boards, and pictures.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::Greater => ">",
            Self::Same => "=",
            Self::Different => "x",
        }
    }
}

/// For each cell of each sign, excludes the digits without a partner in the other cell.
///
/// # Errors
/// [`Failure::Rule`] if no digits of the cells of a sign fulfill it.
pub(crate) fn signs(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    for (index, sign) in position.rules().signs.iter().enumerate() {
        let [first, second] = sign.cells.map(|cell| left(position, cell));
        let [of_first, of_second] = [partners(sign.relation.reversed(), second), partners(sign.relation, first)];
        let by = By::Sign(index);
        for (cell, digits, kept) in [(sign.cells[0], first, of_first), (sign.cells[1], second, of_second)] {
            let lost = digits.without(kept);
            if lost == digits {
                return Err(Failure::Rule(by));
            }
            exclusions.extend(lost.iter().map(|digit| Exclusion { by, digit, cells: Cells::only(cell) }));
        }
    }
    Ok(())
}

/// The digits that a cell may hold: its candidates, or its digit.
pub(crate) fn left(position: &Position<'_>, cell: Cell) -> Digits {
    let digit = position.digit(cell);
    if digit == 0 { position.candidates(cell) } else { Digits::only(digit) }
}

/// The digits of the second cell of a sign that go with at least one of these digits of the first cell.
fn partners(relation: Relation, digits: Digits) -> Digits {
    let Digits(bits) = digits;
    let [least, largest] = [bits.trailing_zeros(), bits.checked_ilog2().unwrap_or(0)];
    match relation {
        _ if digits.is_empty() => Digits::NONE,
        Relation::Less => Digits(!0).without(Digits(u32::MAX >> (31 - least))),
        Relation::Greater => Digits((1 << largest) - 1),
        Relation::Same => digits,
        Relation::Different if digits.len() == 1 => Digits(!0).without(digits),
        Relation::Different => Digits(!0),
    }
}

/// The pairs of neighboring cells of a board, in the order of their first cells. The first cell of a pair is the left or upper one.
pub(crate) fn neighbors(size: u8) -> impl Iterator<Item = [Cell; 2]> {
    let size = Cell::from(size);
    let beside = move |cell: Cell| (cell % size + 1 < size).then_some([cell, cell + 1]);
    let below = move |cell: Cell| (cell / size + 1 < size).then_some([cell, cell + size]);
    (0..size * size).flat_map(move |cell| [beside(cell), below(cell)]).flatten()
}

/// The signs of a solution that do not follow from the others.
pub(super) fn of_solution(variant: &GridVariant, solution: &[u8]) -> Vec<Loose> {
    let ClueType::Signs(relations) = variant.clues else { return Vec::new() };
    let sign = |cells: [Cell; 2]| {
        let [first, second] = cells.map(|cell| solution[usize::from(cell)]);
        Some(Sign { cells, relation: *relations.iter().find(|relation| relation.holds(first, second))? })
    };
    let all: Vec<_> = neighbors(variant.size).filter_map(sign).collect();
    all.iter().filter(|sign| !follows(**sign, &all)).copied().map(Loose::Sign).collect()
}

/// Whether other signs lead from the cell with the smaller digit to the one with the larger digit.
fn follows(sign: Sign, all: &[Sign]) -> bool {
    let upward = |sign: &Sign| match (sign.relation, sign.cells) {
        (Relation::Less, cells) => Some(cells),
        (Relation::Greater, [first, second]) => Some([second, first]),
        (Relation::Same | Relation::Different, _) => None,
    };
    let Some([smaller, larger]) = upward(&sign) else { return false };
    let others: Vec<_> = all.iter().filter(|other| **other != sign).filter_map(upward).collect();
    let mut reached = Cells::only(smaller);
    loop {
        let above = others.iter().filter(|[from, _]| reached.contains(*from)).map(|[_, to]| *to);
        let next = reached.or(above.collect());
        if next == reached {
            return reached.contains(larger);
        }
        reached = next;
    }
}

impl Sign {
    /// The sign as people write it, with the names of its cells: `r1c1 < r1c2`.
    pub(crate) fn shown(self, columns: u8) -> String {
        let [first, second] = self.cells.map(|cell| cell_name(cell, columns.into()));
        format!("{first} {} {second}", self.relation.sign())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::samples::SIGNS;

    #[test]
    fn sign_to_which_other_signs_lead_is_left_out() {
        let variant = SIGNS.variant("3x3").expect("a variant of the kind");
        let signs = of_solution(variant, &[1, 2, 9, 4, 3, 9, 9, 9, 9]);
        let is_there =
            |pair: [Cell; 2]| signs.iter().any(|sign| matches!(sign, Loose::Sign(sign) if sign.cells == pair));
        let missing: Vec<_> = neighbors(3).filter(|cells| !is_there(*cells)).collect();
        assert_eq!(missing, [[0, 3]], "1 < 2, 2 < 3, and 3 < 4 lead from 1 to 4");
    }

    #[test]
    fn partners_are_the_digits_that_stand_in_the_relation() {
        for relation in [Relation::Less, Relation::Greater, Relation::Same, Relation::Different] {
            for digits in (0..32).map(|bits| Digits(bits << 1)) {
                let has_partner = |second: &u8| digits.iter().any(|first| relation.holds(first, *second));
                let expected: Digits = (1..=5).filter(has_partner).collect();
                assert_eq!(partners(relation, digits).and(Digits::up_to(5)), expected, "{relation:?} {digits:?}");
            }
        }
    }
}
