//! Clues beside the grid. A [`Sightline`] is a row or column as seen from its clue: the clue says how many digits are visible, because they
//! are larger than all digits before them. Also the rules of these clues.

use super::{
    By, Exclusion, Loose,
    open_sum::Removed,
    relations::left,
    visible::{LINE_MAX, supported},
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
    /// For each end, its clue: the index of its house in the rules, and the number of visible digits.
    ends: [Option<(usize, u8)>; 2],
    /// What each rule last asked. A climb asks all lines after each step, and few of them change meanwhile.
    last: [std::cell::Cell<Asked>; 5],
}

/// What digits each cell of a line may hold, and the answer: those that some way to fill the line uses. `None` if there is no way.
#[derive(Debug, Clone, Copy, Default)]
struct Asked {
    line: [Digits; LINE_MAX],
    kept: Option<[Digits; LINE_MAX]>,
}

/// The rows and columns with clues, in the order in which the houses first have them.
pub(crate) fn seen_lines(houses: &[House]) -> Vec<SeenLine> {
    let mut lines: Vec<SeenLine> = Vec::new();
    for (index, house) in houses.iter().enumerate() {
        let Some(side) = house.seen_from else { continue };
        let visible = house.number_of_clue.and_then(|number| u8::try_from(number).ok()).unwrap_or_default();
        let cells = house.cells.list();
        let at = lines.iter().position(|line| line.cells == cells).unwrap_or_else(|| {
            lines.push(SeenLine { cells, ends: [None; 2], last: Default::default() });
            lines.len() - 1
        });
        lines[at].ends[usize::from(side.is_reversed())] = Some((index, visible));
    }
    lines
}

/// What a rule takes into account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// One clue and the digits of its line.
    Digits,
    /// Also the candidates of the line.
    Candidates,
    /// Also the clue at the other end.
    BothEnds,
}

/// What clues exclude from the cells of their line.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The houses of one clue, or of both.
    pub(crate) houses: Houses,
    /// The open cells.
    pub(crate) open: Cells,
    /// The open cells that can hold only one digit.
    pub(crate) only: Vec<(Cell, u8)>,
    pub(crate) removed: Removed,
}

/// Calls `take` with what each clue, or each pair of opposite clues, excludes, until `take` returns true. Lines without open cells are left
/// out if they fulfill their clues.
///
/// # Errors
/// [`Failure::Rule`] if no digits of a line fulfill its clues.
pub(crate) fn each(reach: Reach, position: &Position<'_>, take: &mut dyn FnMut(Seen) -> bool) -> Result<(), Failure> {
    for line in &position.rules().seen_lines {
        for ends in line.ends_at_once(reach) {
            let seen = line.seen(reach, ends, position)?;
            if !seen.open.is_empty() && take(seen) {
                return Ok(());
            }
        }
    }
    Ok(())
}

impl SeenLine {
    /// The clues that the rule takes into account together.
    fn ends_at_once(&self, reach: Reach) -> impl Iterator<Item = [Option<(usize, u8)>; 2]> + use<> {
        let [first, last] = self.ends;
        let ends = match reach {
            Reach::BothEnds => [self.ends, [None; 2]],
            Reach::Digits | Reach::Candidates => [[first, None], [None, last]],
        };
        let count_min = if reach == Reach::BothEnds { 2 } else { 1 };
        ends.into_iter().filter(move |ends| ends.iter().flatten().count() >= count_min)
    }

    fn seen(&self, reach: Reach, ends: [Option<(usize, u8)>; 2], position: &Position<'_>) -> Result<Seen, Failure> {
        let placed: Digits = self.cells.iter().map(|cell| position.digit(*cell)).filter(|digit| *digit != 0).collect();
        let missing = position.rules().digits.without(placed);
        let digits = |cell: &Cell| match (reach, position.digit(*cell)) {
            (Reach::Digits, 0) => missing,
            _ => left(position, *cell),
        };
        let mut line = [Digits::NONE; LINE_MAX];
        line.iter_mut().zip(&self.cells).for_each(|(of_line, cell)| *of_line = digits(cell));
        let houses: Houses = ends.iter().flatten().map(|(house, _)| *house).collect();
        let kept = self.kept(reach, ends, line).ok_or_else(|| Failure::Rule(by(houses)))?;
        let open: Cells = self.cells.iter().copied().collect::<Cells>().and(position.open());
        let (mut only, mut removed) = (Vec::new(), Removed::new());
        for (cell, kept) in self.cells.iter().zip(kept) {
            only.extend(kept.single().filter(|_| open.contains(*cell)).map(|digit| (*cell, digit)));
            for digit in position.candidates(*cell).without(kept).iter() {
                match removed.iter_mut().find(|(known, _)| *known == digit) {
                    Some((_, cells)) => cells.insert(*cell),
                    None => removed.push((digit, Cells::only(*cell))),
                }
            }
        }
        removed.sort_unstable();
        Ok(Seen { houses, open, only, removed })
    }

    /// The digits of each cell that some way to fill the line uses.
    fn kept(
        &self,
        reach: Reach,
        ends: [Option<(usize, u8)>; 2],
        line: [Digits; LINE_MAX],
    ) -> Option<[Digits; LINE_MAX]> {
        let at = match reach {
            Reach::Digits => usize::from(ends[0].is_none()),
            Reach::Candidates => 2 + usize::from(ends[0].is_none()),
            Reach::BothEnds => 4,
        };
        if self.last[at].get().line != line {
            let kept = supported(&line[..self.cells.len()], ends.map(|end| end.map(|(_, visible)| visible)));
            self.last[at].set(Asked { line, kept });
        }
        self.last[at].get().kept
    }
}

/// The clue that is named for what it excludes, alone or with another.
fn by(houses: Houses) -> By {
    By::House(houses.first().unwrap_or_default())
}

/// Excludes the candidates that no way to fill a line as one of its clues says uses.
pub(crate) fn from_one_end(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    exclude(Reach::Candidates, position, exclusions)
}

/// Excludes the candidates that no way to fill a line as both of its clues say uses.
pub(crate) fn from_both_ends(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    exclude(Reach::BothEnds, position, exclusions)
}

fn exclude(reach: Reach, position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    each(reach, position, &mut |seen| {
        let by = by(seen.houses);
        exclusions.extend(seen.removed.into_iter().map(|(digit, cells)| Exclusion { by, digit, cells }));
        false
    })
}
