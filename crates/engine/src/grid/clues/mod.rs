//! Cages, signs, and sightlines: the clues that are neither digits nor regions. Also [`ExtraRule`]: a rule that is no house, such as
//! the sum of a cage.

pub(crate) mod combinations;
pub(crate) mod form;
pub(crate) mod open_sum;
pub(crate) mod operator;
pub(crate) mod relations;
pub(crate) mod seen_lines;
mod sums;
mod visible;
mod ways;

pub(crate) use operator::Operator;
pub(crate) use relations::Relation;
pub(crate) use seen_lines::{SeenLine, Sightline, seen_lines};
pub(crate) use sums::{Sum, sums};

use super::{position::Position, rounds::Failure, variant::GridVariant};
use crate::{
    grid::cells::Cells,
    shared::{
        step::Cell,
        text::{Region, RegionType},
    },
};

/// The cages, signs, and clues beside the grid of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Clues {
    /// In the order of their first cells.
    pub(crate) cages: Vec<Cage>,
    /// In the order of their cells.
    pub(crate) signs: Vec<Sign>,
    /// In the order of their sides and lines.
    pub(crate) sightlines: Vec<Sightline>,
}

/// Cells whose digits make a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cage {
    pub(crate) cells: Cells,
    /// What the digits make.
    pub(crate) number: u32,
    /// How they make it. `None` if the variant has sums alone, or if the cage has one cell: then they add up to it.
    pub(crate) operator: Option<Operator>,
}

impl Cage {
    /// A cage without an operator.
    pub(crate) const fn of_sum(cells: Cells, number: u32) -> Self {
        Self { cells, number, operator: None }
    }

    fn region(&self) -> Region {
        let operator = self.operator.map(Operator::sign);
        Region { region_type: RegionType::Cage, cells: self.cells.list(), sum: Some(self.number), operator }
    }
}

/// A sign between two neighbors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sign {
    /// The left or upper cell, and the other.
    pub(crate) cells: [Cell; 2],
    pub(crate) relation: Relation,
}

impl Sign {
    fn region(self) -> Region {
        let operator = Some(self.relation.sign());
        Region { region_type: RegionType::Edge, cells: self.cells.to_vec(), sum: None, operator }
    }
}

/// A clue that thinning can take away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loose {
    Sign(Sign),
    Sightline(Sightline),
}

impl Loose {
    /// The cells that it is about.
    pub(crate) fn cells(self, size: u8) -> Cells {
        match self {
            Self::Sign(sign) => sign.cells.into_iter().collect(),
            Self::Sightline(sightline) => sightline.cells(size).into_iter().collect(),
        }
    }
}

impl FromIterator<Loose> for Clues {
    fn from_iter<I: IntoIterator<Item = Loose>>(all: I) -> Self {
        let mut clues = Self::default();
        for clue in all {
            match clue {
                Loose::Sign(sign) => clues.signs.push(sign),
                Loose::Sightline(sightline) => clues.sightlines.push(sightline),
            }
        }
        clues.signs.sort_unstable();
        clues.sightlines.sort_unstable();
        clues
    }
}

impl Clues {
    pub(crate) fn len(&self) -> usize {
        self.cages.len() + self.signs.len() + self.sightlines.len()
    }

    /// The clues that thinning can take away.
    pub(crate) fn loose(&self) -> impl Iterator<Item = Loose> {
        let signs = self.signs.iter().copied().map(Loose::Sign);
        signs.chain(self.sightlines.iter().copied().map(Loose::Sightline))
    }

    /// The clues after a move of the cells. `source(at)` is the cell that moves to `at`.
    pub(super) fn moved(&self, variant: &GridVariant, source: impl Fn(usize) -> usize) -> Self {
        let mut target: Vec<Cell> = vec![0; variant.cells()];
        (0..).zip(0..target.len()).for_each(|(cell, at)| target[source(at)] = cell);
        let to = |cell: Cell| target[usize::from(cell)];
        let cage = |cage: &Cage| Cage { cells: cage.cells.iter().map(to).collect(), ..*cage };
        let sign = |sign: &Sign| {
            let [first, second] = sign.cells.map(to);
            let relation = if first < second { sign.relation } else { sign.relation.reversed() };
            Sign { cells: [first.min(second), first.max(second)], relation }
        };
        let mut moved = Self {
            cages: self.cages.iter().map(cage).collect(),
            signs: self.signs.iter().map(sign).collect(),
            sightlines: self.sightlines.iter().map(|sightline| sightline.moved(variant.size, to)).collect(),
        };
        moved.cages.sort_unstable_by_key(|cage| cage.cells.first());
        moved.signs.sort_unstable();
        moved.sightlines.sort_unstable();
        moved
    }

    /// The clues after the complement, for signs and cages with sums: each digit d becomes n + 1 − d, where n is the largest digit.
    pub(super) fn complemented(&self, variant: &GridVariant) -> Self {
        let twice_mean = u32::from(variant.digits()) + 1;
        let number = |cage: &Cage| u32::try_from(cage.cells.len()).map_or(0, |len| len * twice_mean) - cage.number;
        let cage = |cage: &Cage| Cage { number: number(cage), ..*cage };
        let sign = |sign: &Sign| Sign { relation: sign.relation.reversed(), ..*sign };
        let (cages, signs) = (self.cages.iter().map(cage).collect(), self.signs.iter().map(sign).collect());
        Self { cages, signs, ..Self::default() }
    }

    /// The cells of the clues that only one of two boards of this size has.
    pub(super) fn differ(&self, other: &Self, size: u8) -> Cells {
        let missing = |one: &Self, other: &Self| -> Cells {
            let cages = one.cages.iter().filter(|cage| !other.cages.contains(cage)).flat_map(|cage| cage.cells.iter());
            let of_other: Vec<_> = other.loose().collect();
            let loose = one.loose().filter(|clue| !of_other.contains(clue)).map(|clue| clue.cells(size));
            loose.fold(cages.collect(), Cells::or)
        };
        missing(self, other).or(missing(other, self))
    }
}

/// A rule that is no house, such as the sum of a cage. The function adds the candidates that the rule excludes in a
/// position. Each exclusion follows from the position alone, not from other exclusions. Candidates that the position
/// lacks are not added.
///
/// # Errors
/// [`Failure`] if the position breaks the rule.
pub(crate) type ExtraRule = fn(&Position<'_>, &mut Vec<Exclusion>) -> Result<(), Failure>;

/// Candidates that an extra rule excludes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exclusion {
    pub(crate) by: By,
    pub(crate) digit: u8,
    pub(crate) cells: Cells,
}

/// What excludes candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The house at this index of the rules: the sum of a cage, the halves of a line, the number of a sightline, or the first house of a
    /// derived sum.
    House(usize),
    /// Two lines that must differ.
    Lines([usize; 2]),
    /// The sign at this index of the rules.
    Sign(usize),
}
