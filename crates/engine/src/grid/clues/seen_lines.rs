//! Clues beside the grid. A [`Sightline`] is a row or column as seen from its clue: the clue says how many digits are visible, because they
//! are larger than all digits before them. Also the rules of these clues.

use super::{
    By, Exclusion, Loose,
    open_sum::Removed,
    visible::{Known, LINE_MAX, Line, supported},
};
use crate::{
    grid::{
        cells::{Cells, Digits, Houses},
        position::Position,
        rounds::Failure,
        rules::{Holds, House},
        variant::GridVariant,
    },
    shared::{
        step::{Cell, HouseType, Side},
        text::{Region, RegionType},
    },
};

/// A row or column as seen from a clue beside the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sightline {
    /// Where the clue stands.
    pub(crate) side: Side,
    /// The number of the row or column, from 0.
    pub(crate) line: u8,
    /// The number of visible digits.
    pub(crate) visible: u8,
}

impl Sightline {
    /// Its cells, from the one next to the clue.
    pub(crate) fn cells(self, size: u8) -> Vec<Cell> {
        let (size, line) = (Cell::from(size), Cell::from(self.line));
        let cell = |at: Cell| match self.side {
            Side::North => at * size + line,
            Side::East => line * size + size - 1 - at,
            Side::South => (size - 1 - at) * size + line,
            Side::West => line * size + at,
        };
        (0..size).map(cell).collect()
    }

    /// The sightline after a move of the cells. `to` is the place of a cell after it.
    pub(super) fn moved(self, size: u8, to: impl Fn(Cell) -> Cell) -> Self {
        let cells: Vec<Cell> = self.cells(size).into_iter().map(to).collect();
        let seen_from = Side::of([cells[0], cells[1]]);
        let line = match seen_from {
            Side::North | Side::South => cells[0] % Cell::from(size),
            Side::East | Side::West => cells[0] / Cell::from(size),
        };
        Self { side: seen_from, line: u8::try_from(line).expect("a board has at most 16 lines"), ..self }
    }

    /// The sightline as a house, with its index among the regions and clues.
    pub(crate) fn house(self, number: u16, size: u8) -> House {
        House {
            house_type: HouseType::Sightline,
            number,
            cells: self.cells(size).into_iter().collect(),
            holds: Holds::AnyDigits,
            is_listed: true,
            seen_from: Some(self.side),
            number_of_clue: Some(self.visible.into()),
            operator: None,
        }
    }

    pub(super) fn region(self, size: u8) -> Region {
        let (region_type, cells) = (RegionType::Sightline, self.cells(size));
        Region { region_type, cells, sum: Some(self.visible.into()), operator: None }
    }
}

/// All clues that may stand beside a solution.
pub(super) fn of_solution(variant: &GridVariant, solution: &[u8]) -> Vec<Loose> {
    let all = Side::ALL.into_iter().flat_map(|side| (0..variant.size).map(move |line| (side, line)));
    let clue = |(side, line)| {
        let empty = Sightline { side, line, visible: 0 };
        let digits: Vec<u8> = empty.cells(variant.size).into_iter().map(|cell| solution[usize::from(cell)]).collect();
        let is_visible = |at: &u8| digits[..usize::from(*at)].iter().all(|before| *before < digits[usize::from(*at)]);
        let visible = (0..variant.size).filter(is_visible).fold(0, |count, _| count + 1);
        Loose::Sightline(Sightline { visible, ..empty })
    };
    all.map(clue).collect()
}

/// A row or column with at least one clue.
#[derive(Debug, Clone)]
pub(crate) struct SeenLine {
    /// From left to right, or from top to bottom.
    cells: Vec<Cell>,
    ends: Ends,
    /// What was asked of the line, by what is taken into account. A climb asks all lines after each step, and few of them change meanwhile.
    /// Refutations and thinning ask the same again and again.
    known: [Known; 5],
}

/// For each end of a line, its clue: the index of its house in the rules, and the number of visible digits.
type Ends = [Option<(usize, u8)>; 2];

/// The rows and columns with clues, in the order in which the houses first have them. Those of `before` that have the same clues keep what
/// they remember.
pub(crate) fn seen_lines(houses: &[House], mut before: Vec<SeenLine>) -> Vec<SeenLine> {
    let mut ends_of: Vec<(Vec<Cell>, Ends)> = Vec::new();
    for (index, house) in houses.iter().enumerate() {
        let Some(side) = house.seen_from else { continue };
        let visible = house.number_of_clue.and_then(|number| u8::try_from(number).ok()).unwrap_or_default();
        let cells = house.cells.list();
        let at = ends_of.iter().position(|(known, _)| *known == cells).unwrap_or_else(|| {
            ends_of.push((cells, [None; 2]));
            ends_of.len() - 1
        });
        ends_of[at].1[usize::from(side.is_reversed())] = Some((index, visible));
    }
    let line = |(cells, ends)| {
        let visible = |ends: Ends| ends.map(|end| end.map(|(_, visible)| visible));
        let is_same = |line: &SeenLine| line.cells == cells && visible(line.ends) == visible(ends);
        match before.iter().position(is_same) {
            Some(at) => SeenLine { ends, ..before.swap_remove(at) },
            None => SeenLine { cells, ends, known: Default::default() },
        }
    };
    ends_of.into_iter().map(line).collect()
}

/// What a rule takes into account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// One clue and the digits of its line.
    Digits,
    /// Also the candidates of the line.
    Candidates,
    /// Also the clue at the other end, which has to be there.
    BothEnds,
    /// The candidates of a line and all its clues.
    AllEnds,
}

/// What clues exclude from the cells of their line.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The houses of one clue, or of both.
    pub(crate) houses: Houses,
    /// The open cells.
    pub(crate) open: Cells,
    /// The open cells that can hold only one of their candidates.
    pub(crate) only: Vec<(Cell, u8)>,
    pub(crate) removed: Removed,
}

/// Calls `take` with what each clue, or each pair of opposite clues, excludes, until `take` returns true. Lines in which they leave no cell
/// only one digit and remove no candidate are left out.
///
/// # Errors
/// [`Failure::Rule`] if no digits of a line fulfill its clues.
pub(crate) fn each(reach: Reach, position: &Position<'_>, take: &mut dyn FnMut(Seen) -> bool) -> Result<(), Failure> {
    for line in &position.rules().seen_lines {
        let candidates = line.candidates(position);
        let asked = line.asked(reach, position, candidates);
        for ends in line.ends_at_once(reach) {
            let houses: Houses = ends.iter().flatten().map(|(house, _)| *house).collect();
            let kept = line.kept(reach, ends, asked).ok_or_else(|| Failure::Rule(by(houses)))?;
            if has_effect(reach, candidates, kept) && take(line.seen(houses, candidates, kept)) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Whether a line loses a candidate, or is left one digit for a cell by the digits of the line.
fn has_effect(reach: Reach, candidates: Line, kept: Line) -> bool {
    let is_only = |digits: u8| reach == Reach::Digits && digits.is_power_of_two();
    candidates
        .iter()
        .zip(kept)
        .any(|(candidates, kept)| candidates & !kept != 0 || candidates & kept != 0 && is_only(kept))
}

impl SeenLine {
    /// The clues that the rule takes into account together.
    fn ends_at_once(&self, reach: Reach) -> impl Iterator<Item = Ends> + use<> {
        let [first, last] = self.ends;
        let ends = match reach {
            Reach::BothEnds | Reach::AllEnds => [self.ends, [None; 2]],
            Reach::Digits | Reach::Candidates => [[first, None], [None, last]],
        };
        let count_min = if reach == Reach::BothEnds { 2 } else { 1 };
        ends.into_iter().filter(move |ends| ends.iter().flatten().count() >= count_min)
    }

    /// The candidates of each cell; none for a cell with a digit.
    fn candidates(&self, position: &Position<'_>) -> Line {
        let mut candidates = [0; LINE_MAX];
        candidates.iter_mut().zip(&self.cells).for_each(|(of_cell, cell)| *of_cell = byte(position.candidates(*cell)));
        candidates
    }

    /// What each cell may hold by what the rule takes into account.
    fn asked(&self, reach: Reach, position: &Position<'_>, candidates: Line) -> Line {
        let digits = self.cells.iter().map(|cell| position.digit(*cell));
        let placed: Digits = digits.clone().filter(|digit| *digit != 0).collect();
        let missing = byte(position.rules().digits.without(placed));
        let mut asked = candidates;
        for (asked, digit) in asked.iter_mut().zip(digits) {
            match (reach, digit) {
                (Reach::Digits, 0) => *asked = missing,
                (_, 0) => {}
                _ => *asked = byte(Digits::only(digit)),
            }
        }
        asked
    }

    /// The digits of each cell that some way to fill the line uses.
    fn kept(&self, reach: Reach, ends: Ends, line: Line) -> Option<Line> {
        let by_ends = usize::from(ends[0].is_none());
        let known = &self.known[match reach {
            Reach::Digits => by_ends,
            _ if ends.iter().all(Option::is_some) => 4,
            _ => 2 + by_ends,
        }];
        known.answer(line, || supported(line, self.cells.len(), ends.map(|end| end.map(|(_, visible)| visible))))
    }

    fn seen(&self, houses: Houses, candidates: Line, kept: Line) -> Seen {
        let cells = |is_in: &dyn Fn(usize) -> bool| -> Cells {
            (0..).zip(&self.cells).filter(|(at, _)| is_in(*at)).map(|(_, cell)| *cell).collect()
        };
        let only = self.cells.iter().zip(candidates).zip(kept).filter_map(|((cell, candidates), kept)| {
            let digit = Digits(u32::from(kept) << 1).single()?;
            (candidates & kept != 0).then_some((*cell, digit))
        });
        let removed = (1..).zip(0..LINE_MAX).filter_map(|(digit, bit)| {
            let losing = cells(&|at| candidates[at] & !kept[at] & 1 << bit != 0);
            (!losing.is_empty()).then_some((digit, losing))
        });
        Seen { houses, open: cells(&|at| candidates[at] != 0), only: only.collect(), removed: removed.collect() }
    }
}

/// A set of digits as lines have it.
fn byte(digits: Digits) -> u8 {
    (digits.0 >> 1).to_le_bytes()[0]
}

/// The clue that is named for what it excludes, alone or with another.
fn by(houses: Houses) -> By {
    By::House(houses.first().unwrap_or_default())
}

/// Excludes the candidates that no way to fill a line as one of its clues says uses.
pub(crate) fn from_one_end(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    exclude(Reach::Candidates, position, exclusions)
}

/// Excludes the candidates that no way to fill a line as all its clues say uses.
pub(crate) fn from_all_ends(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    exclude(Reach::AllEnds, position, exclusions)
}

fn exclude(reach: Reach, position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    each(reach, position, &mut |seen| {
        let by = by(seen.houses);
        exclusions.extend(seen.removed.into_iter().map(|(digit, cells)| Exclusion { by, digit, cells }));
        false
    })
}
